import { isUuid } from '@tenant-payments/contract/core/ids.ts';
import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { addSeconds, earlier, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { SignedIn } from '../caller.ts';
import { personCommand } from '../person_command.ts';
import { platform } from '../scope.ts';
import { type SessionRow, sessions } from '../sessions/table.ts';
import { type ConsentRow, supportConsents, supportVisits } from './table.ts';

/** How an owner lets the staff in, and how one of them comes in and leaves (rules/people#8, rules/people#9). */

const refused = (reason: string) => fail('invalid_state', { details: { reason } });

const holds = ({ ended_at, expires_at }: ConsentRow, now: Instant): boolean =>
  ended_at === null && expires_at > now;

/** Each act stands in both chains: the Tenant's, and the platform's (rules/people#11). */
const inBoth = (scope: string) => ({ scope, alsoIn: platform });

interface Giving {
  readonly scope: string;
  readonly hours: number;
  readonly note: string;
  /** Null: a program. */
  readonly personId: string | null;
}

/** POST /portal/api/support-consents @throws ApiError invalid_state: one holds already */
export const giveConsent = personCommand('give_support_consent', {
  load: (read, { scope }: Giving) => read.set(supportConsents, 'scope', scope),
  decide: (work, before, { scope, hours, note, personId }) => {
    if (before.some((row) => holds(row, work.now))) throw refused('already_given');
    for (const row of before) work.change<typeof supportConsents>(row, { is_open: false });
    const { id, expires_at } = work.create(supportConsents, {
      id: work.newId(),
      scope,
      note,
      given_by: personId,
      created_at: work.now,
      expires_at: addSeconds(work.now, hours * 3_600),
      ended_at: null,
      is_open: true,
    });
    work.audit({ record: id, ...inBoth(scope), after: { tenant_id: scope, expires_at } });
    return { result: id, event: 'support_consent_given', facts: { consent_id: id, scope } };
  },
});

interface OnConsent {
  readonly scope: string;
  readonly id: string;
}

/**
 * DELETE /portal/api/support-consents/{id}. Whoever is in by it is out from the next request on.
 * @throws ApiError not_found; invalid_state
 */
export const endConsent = personCommand('end_support_consent', {
  load: async (read, { id }: OnConsent) => {
    if (!isUuid(id)) throw fail('not_found');
    return read.one(supportConsents, id);
  },
  decide: (work, row, { scope, id }) => {
    if (row.scope !== scope) throw fail('not_found');
    if (!holds(row, work.now)) throw refused(row.ended_at === null ? 'expired' : 'ended');
    work.change<typeof supportConsents>(row, { ended_at: work.now, is_open: false });
    work.audit({ record: id, ...inBoth(scope), after: { tenant_id: scope } });
    return { result: id, event: 'support_consent_ended', facts: { consent_id: id, scope } };
  },
});

/** @throws ApiError not_found; invalid_state: the person is a member there */
async function assertStranger(db: Queryable, scope: string, personId: string): Promise<void> {
  const { rows } = await db.query<{ is_member: boolean }>(
    `select exists (select from control.roles where scope = $1::text and person_id = $2) as is_member
     from control.served_tenants() where tenant_id = $1::uuid`,
    [scope, personId],
  );
  if (!rows[0]) throw fail('not_found', { param: 'id' });
  if (rows[0].is_member) throw refused('member');
}

/** @throws ApiError authentication_required: the session has ended meanwhile */
function move(work: Work, row: SessionRow, scope: string, visitId: string | null): void {
  if (row.ended_at !== null)
    throw fail('authentication_required', { message: 'the session has ended' });
  work.change<typeof sessions>(row, { scope, visit_id: visitId });
}

interface Entering {
  readonly session: SignedIn;
  readonly scope: string;
}

/** POST /portal/api/tenants/{id}/enter @throws ApiError not_found; invalid_state; authentication_required */
export const enterTenant = ({ control }: Pick<Service, 'control'>) =>
  personCommand('enter_tenant', {
    prepare: async ({ session: { personId }, scope }: Entering) => {
      if (!isUuid(scope)) throw fail('not_found', { param: 'id' });
      await assertStranger(control, scope, personId);
      return null;
    },
    load: async (read, { session: { id }, scope }) => {
      const [row, consents] = await Promise.all([
        read.one(sessions, id),
        read.set(supportConsents, 'scope', scope),
      ]);
      return { row, consents };
    },
    decide: (work, { row, consents }, { scope }) => {
      const consent = consents.find((one) => holds(one, work.now));
      if (!consent) throw refused('no_consent');
      const until = earlier(addSeconds(work.now, lifetimes.supportVisit), consent.expires_at);
      const { id } = work.create(supportVisits, {
        id: work.newId(),
        consent_id: consent.id,
        scope,
        person_id: row.person_id,
        session_id: row.id,
        entered_at: work.now,
        until,
        left_at: null,
      });
      move(work, row, scope, id);
      const after = { tenant_id: scope, consent_id: consent.id, until };
      work.audit({ record: id, ...inBoth(scope), after });
      return { result: null, event: 'support_entered', facts: { consent_id: consent.id, scope } };
    },
  });

/** POST /portal/api/session/leave @throws ApiError invalid_state: it visits nobody */
export const leaveTenant = personCommand('leave_tenant', {
  load: async (read, { id }: SignedIn) => {
    const row = await read.one(sessions, id);
    return { row, visit: await read.maybe(supportVisits, row.visit_id) };
  },
  decide: (work, { row, visit }) => {
    if (visit === null || row.visit_id !== visit.id) throw refused('no_visit');
    const { id, scope, until } = visit;
    work.change<typeof supportVisits>(visit, { left_at: earlier(until, work.now) });
    move(work, row, platform, null);
    work.audit({ record: id, ...inBoth(scope), after: { tenant_id: scope } });
    return { result: null, event: 'support_left', facts: { scope } };
  },
});
