import { isUuid } from '@tenant-payments/contract/core/ids.ts';
import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { idMaker } from '@tenant-payments/engine/new_id.ts';
import { epochMs, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { SignedIn } from '../caller.ts';
import { platform } from '../scope.ts';

/** How one of the staff comes into a Tenant and leaves it (rules/people#9). */

type Session = Pick<SignedIn, 'id' | 'personId'>;

const newId = idMaker();

const refused = (reason: string) => fail('invalid_state', { details: { reason } });

/** @throws ApiError not_found; invalid_state: the person is a member there */
async function assertStranger(connection: Queryable, scope: string, personId: string) {
  const { rows } = await connection.query<{ is_member: boolean }>(
    `select exists (select from control.roles where scope = $1::text and person_id = $2) as is_member
     from control.served_tenants() where tenant_id = $1::uuid`,
    [scope, personId],
  );
  if (!rows[0]) throw fail('not_found', { param: 'id' });
  if (rows[0].is_member) throw refused('member');
}

export interface Entered {
  readonly id: string;
  readonly consentId: string;
  readonly until: string;
}

/** @throws ApiError not_found; invalid_state: no consent, a member; authentication_required */
export async function enter(
  connection: Queryable,
  { clocks }: Pick<Service, 'clocks'>,
  { id: sessionId, personId }: Session,
  scope: string,
): Promise<Entered> {
  if (!isUuid(scope)) throw fail('not_found', { param: 'id' });
  await assertStranger(connection, scope, personId);
  const nowMs = clocks.realNow();
  const now = instantOf(nowMs);
  const { rows } = await connection.query<{ id: string; expires_at: string }>(
    `select id, expires_at from control.support_consents
     where scope = $1 and ended_at is null and expires_at > $2 for share`,
    [scope, now],
  );
  const [consent] = rows;
  if (!consent) throw refused('no_consent');
  const latest = nowMs + lifetimes.supportVisit * 1_000;
  const until = instantOf(Math.min(latest, epochMs(consent.expires_at)));
  const id = newId(nowMs);
  await connection.query(
    `insert into control.support_visits
       (id, consent_id, scope, person_id, session_id, entered_at, until)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [id, consent.id, scope, personId, sessionId, now, until],
  );
  await move(connection, sessionId, scope, id);
  return { id, consentId: consent.id, until };
}

/** @throws ApiError authentication_required: the session has ended meanwhile */
async function move(db: Queryable, sessionId: string, scope: string, visitId: string | null) {
  const { rowCount } = await db.query(
    'update control.sessions set scope = $2, visit_id = $3 where id = $1 and ended_at is null',
    [sessionId, scope, visitId],
  );
  if (rowCount === 0) throw fail('authentication_required', { message: 'the session has ended' });
}

/** @throws ApiError invalid_state: it visits nobody */
export async function leave(
  connection: Queryable,
  { clocks }: Pick<Service, 'clocks'>,
  { id: sessionId }: Session,
): Promise<{ readonly id: string; readonly scope: string }> {
  const { rows } = await connection.query<{ id: string; scope: string }>(
    `update control.support_visits v set left_at = least(v.until, $2)
     from control.sessions s where s.id = $1 and v.id = s.visit_id returning v.id, v.scope`,
    [sessionId, instantOf(clocks.realNow())],
  );
  const [left] = rows;
  if (!left) throw refused('no_visit');
  await move(connection, sessionId, platform, null);
  return left;
}
