import { isUuid } from '@tenant-payments/contract/core/ids.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { SecurityEventName } from '@tenant-payments/service/operations/security_events.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { OwnPasskey } from '../contract/people/my.ts';
import type { SignedIn } from './caller.ts';
import type { Notice } from './notices/notices.ts';
import { type Done, personCommand } from './person_command.ts';
import { platform } from './scope.ts';
import { endSessions, rotateSession } from './sessions/open.ts';
import { sessions } from './sessions/table.ts';
import { loadAnswered, takeAnswered } from './sign_in/challenge.ts';
import {
  loadKeeping,
  madePasskey,
  passkeyView,
  removePasskeys,
  replaceRecoveryCodes,
  storePasskey,
} from './sign_in/keep.ts';
import type { MadePasskey } from './sign_in/passkeys.ts';
import { type PasskeyRow, passkeys, recoveryCodes } from './sign_in/table.ts';

/** The acts of people on their own sessions, passkeys and recovery codes (rules/sign-in#10). */

interface OnOne {
  readonly session: SignedIn;
  readonly id: string;
}

/** @throws ApiError not_found */
const idOf = (id: string): string => {
  if (!isUuid(id)) throw fail('not_found');
  return id;
};

const noticeOf = ({ personId, scope }: SignedIn, kind: Notice['kind']): Notice => ({
  kind,
  personId,
  scope: scope ?? platform,
});

/** DELETE /portal/api/my-sessions/{id} @throws ApiError not_found */
export const endOwnSession = personCommand('end_my_session', {
  load: (read, { id }: OnOne) => read.one(sessions, idOf(id)),
  decide: (work, row, { id, session: { personId } }) => {
    if (row.person_id !== personId) throw fail('not_found');
    const count = endSessions(work, [row], 'ended_by_person');
    if (count === 0) throw fail('not_found');
    return { result: count, event: 'sessions_ended', facts: { session_id: id } };
  },
});

/** DELETE /portal/api/my-sessions */
export const endOtherSessions = personCommand('end_my_other_sessions', {
  load: (read, { personId }: SignedIn) => read.set(sessions, 'person_id', personId),
  decide: (work, rows, { id: own }) => {
    const ended = endSessions(
      work,
      rows.filter(({ id }) => id !== own),
      'ended_by_person',
    );
    work.audit({ record: null, after: { ended } });
    return { result: ended, event: 'sessions_ended' };
  },
});

interface Adding {
  readonly session: SignedIn;
  readonly made: MadePasskey;
  readonly name: string;
}

/** POST /portal/api/my-passkeys. @returns it, and the session's new token */
export const addOwnPasskey = (service: Pick<Service, 'vault' | 'clocks'>) =>
  personCommand('add_my_passkey', {
    load: async (read, { session: { id, personId }, made }: Adding) => {
      const [row, keeping, answered] = await Promise.all([
        read.one(sessions, id),
        loadKeeping(read, personId, made),
        loadAnswered(read, service, `passkey ${id}`, made.challenge),
      ]);
      return { row, keeping, answered };
    },
    decide: (work, { row, keeping, answered }, { session, made, name }) => {
      takeAnswered(work, answered);
      const { personId } = session;
      const stored = storePasskey(work, keeping, { personId, made, name });
      const token = rotateSession(work, service, row);
      work.audit({ record: stored.id, after: madePasskey(stored) });
      return {
        result: { stored: passkeyView(stored), token },
        event: 'portal_passkey_added',
        facts: { passkey_id: stored.id },
        notices: [noticeOf(session, 'passkey_added')],
      };
    },
  });

/** A passkey, and all that its person holds. @throws ApiError not_found */
async function loadOwn(read: Read, { session: { personId }, id }: OnOne) {
  const [row, held] = await Promise.all([
    read.one(passkeys, idOf(id)),
    read.set(passkeys, 'person_id', personId),
  ]);
  return { row, held };
}

/** @throws ApiError not_found: somebody else's, or removed */
function assertOwn({ person_id, removed_at }: PasskeyRow, { personId }: SignedIn): void {
  if (person_id !== personId || removed_at !== null) throw fail('not_found');
}

const about = (event: SecurityEventName, row: PasskeyRow): Done<OwnPasskey> => ({
  result: passkeyView(row),
  event,
  facts: { passkey_id: row.id },
});

/** PUT /portal/api/my-passkeys/{id} @throws ApiError not_found */
export const nameOwnPasskey = personCommand('name_my_passkey', {
  load: (read, on: OnOne & { readonly name: string }) => loadOwn(read, on),
  decide: (work, { row }, { session, name }) => {
    assertOwn(row, session);
    return about('portal_passkey_named', work.change<typeof passkeys>(row, { name }));
  },
});

/**
 * DELETE /portal/api/my-passkeys/{id}. It checks those that stay, so that two never remove the last two together.
 * @throws ApiError not_found, invalid_state
 */
export const removeOwnPasskey = personCommand('remove_my_passkey', {
  load: loadOwn,
  decide: (work, { row, held }, { session }) => {
    assertOwn(row, session);
    const stay = held.filter(({ id, removed_at }) => id !== row.id && removed_at === null);
    if (stay.length === 0) throw fail('invalid_state', { details: { reason: 'last_passkey' } });
    removePasskeys(work, [row]);
    return about('portal_passkey_removed', row);
  },
});

/** POST /portal/api/my-recovery-codes. @returns them, this once */
export const replaceOwnCodes = (service: Pick<Service, 'vault'>) =>
  personCommand('replace_my_recovery_codes', {
    load: (read, { personId }: SignedIn) => read.set(recoveryCodes, 'person_id', personId),
    decide: (work, before, session) => ({
      result: replaceRecoveryCodes(work, service, session.personId, before),
      event: 'recovery_codes_replaced',
      notices: [noticeOf(session, 'recovery_codes_replaced')],
    }),
  });
