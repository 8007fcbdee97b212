import { isUuid } from '@tenant-payments/contract/core/ids.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { wholeList } from '@tenant-payments/engine/pages.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { SecurityEventName } from '@tenant-payments/service/operations/security_events.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import {
  addMyPasskey,
  beginMyPasskey,
  endMyOtherSessions,
  endMySession,
  listMyPasskeys,
  listMySessions,
  nameMyPasskey,
  type OwnPasskey,
  type OwnSession,
  removeMyPasskey,
  replaceMyRecoveryCodes,
} from '../contract/people/my.ts';
import type { SignedIn } from './caller.ts';
import type { Notice } from './notices/notices.ts';
import { platform, type Queryable } from './scope.ts';
import type { Call, PersonServing, Told } from './serve.ts';
import { keepRotated } from './sessions/current.ts';
import { endSessions, idleSeconds, rotateSession } from './sessions/sessions.ts';
import { takeChallenge } from './sign_in/challenge.ts';
import { makingOptions, verifyMade } from './sign_in/passkeys.ts';
import { replaceCodes } from './sign_in/recovery_codes.ts';
import { madePasskey, storePasskey } from './sign_in/store_passkey.ts';

/** A person's own sessions, passkeys and recovery codes (rules/sign-in#10). */

const idOf = (id: string): string => {
  if (!isUuid(id)) throw fail('not_found');
  return id;
};

async function sessionsOf(
  { control, clocks, environment }: Service,
  { id, personId }: SignedIn,
): Promise<OwnSession[]> {
  const nowMs = clocks.realNow();
  const { rows } = await control.query<OwnSession>(
    `select id, id = $2 as current, scope, opened_by, address as client_address, browser, created_at,
       last_used_at, last_address, last_browser, moved_at, expires_at
     from control.sessions
     where person_id = $1 and ended_at is null and expires_at > $3 and last_used_at > $4
     order by created_at desc, id desc`,
    [personId, id, instantOf(nowMs), instantOf(nowMs - idleSeconds(environment) * 1_000)],
  );
  return rows;
}

const shown = 'id, name, created_at, last_used_at';

/** An act on one passkey or session; the log names it by `field`. */
const about = (event: SecurityEventName, field: string, { id }: { readonly id: string }): Told => ({
  event,
  facts: { [field]: id },
  record: id,
});

const noticeOf = ({ personId, scope }: SignedIn, kind: Notice['kind']): Notice => ({
  kind,
  personId,
  scope: scope ?? platform,
});

async function passkeysOf({ control }: Service, { personId }: SignedIn): Promise<OwnPasskey[]> {
  const { rows } = await control.query<OwnPasskey>(
    `select ${shown} from control.person_passkeys where person_id = $1 order by created_at, id`,
    [personId],
  );
  return rows;
}

async function addPasskey(
  service: Service,
  call: Call,
  session: SignedIn,
  { credential, name }: { credential: Readonly<Record<string, unknown>>; name: string },
): Promise<OwnPasskey> {
  const made = await verifyMade(service, credential);
  const { stored, token } = await call.act(
    async (connection) => {
      const purpose = `passkey ${session.id}` as const;
      await takeChallenge(connection, service, purpose, made.challenge);
      const stored = await storePasskey(connection, service, session.personId, made, name);
      return { stored, token: await rotateSession(connection, service, session.id) };
    },
    ({ stored }) => ({
      ...about('portal_passkey_added', 'passkey_id', stored),
      after: madePasskey(stored, made),
      notice: noticeOf(session, 'passkey_added'),
    }),
  );
  keepRotated(call, token);
  return stored;
}

/** The person's row is held, so that two of them never remove the last two passkeys together. */
async function removePasskey(
  connection: Queryable,
  { personId }: SignedIn,
  id: string,
): Promise<OwnPasskey> {
  await connection.query('select from control.people where id = $1 for update', [personId]);
  const { rows } = await connection.query<OwnPasskey>(
    `delete from control.person_passkeys where id = $1 and person_id = $2 returning ${shown}`,
    [idOf(id), personId],
  );
  if (!rows[0]) throw fail('not_found');
  const { rowCount } = await connection.query(
    'select from control.person_passkeys where person_id = $1 limit 1',
    [personId],
  );
  if (rowCount === 0) throw fail('invalid_state', { details: { reason: 'last_passkey' } });
  return rows[0];
}

async function namePasskey(
  connection: Queryable,
  { personId }: SignedIn,
  { id, name }: { id: string; name: string },
): Promise<OwnPasskey> {
  const { rows } = await connection.query<OwnPasskey>(
    `update control.person_passkeys set name = $3 where id = $1 and person_id = $2
     returning ${shown}`,
    [idOf(id), personId, name],
  );
  if (!rows[0]) throw fail('not_found');
  return rows[0];
}

function serveMySessions({ own }: PersonServing, service: Service): void {
  own(listMySessions, async (_call, session) => wholeList(await sessionsOf(service, session)));
  own(endMySession, async (call, { id: current, personId }, { id }) => {
    const which = { personId, id: idOf(id) };
    const ended = await call.act(
      async (connection) => {
        const ended = await endSessions(connection, service, which, 'ended_by_person');
        if (ended === 0) throw fail('not_found');
        return ended;
      },
      () => about('sessions_ended', 'session_id', { id }),
    );
    if (id === current) call.keep(null);
    return { ended };
  });
  own(endMyOtherSessions, async (call, { id, personId }) => {
    const which = { personId, butId: id };
    const ended = await call.act(
      (connection) => endSessions(connection, service, which, 'ended_by_person'),
      (ended) => ({ event: 'sessions_ended', record: null, after: { ended } }),
    );
    return { ended };
  });
}

export function serveMine(serving: PersonServing, service: Service): void {
  const { own } = serving;
  serveMySessions(serving, service);
  own(listMyPasskeys, async (_call, session) => wholeList(await passkeysOf(service, session)));
  own(beginMyPasskey, async (_call, session) => ({
    options: await makingOptions(service, `passkey ${session.id}`, session),
  }));
  own(addMyPasskey, (call, session, input) => addPasskey(service, call, session, input));
  own(nameMyPasskey, (call, session, input) =>
    call.act(
      (connection) => namePasskey(connection, session, input),
      (named) => about('portal_passkey_named', 'passkey_id', named),
    ),
  );
  own(removeMyPasskey, (call, session, { id }) =>
    call.act(
      (connection) => removePasskey(connection, session, id),
      (removed) => about('portal_passkey_removed', 'passkey_id', removed),
    ),
  );
  own(replaceMyRecoveryCodes, async (call, session) => ({
    recovery_codes: await call.act(
      (connection) => replaceCodes(connection, service, session.personId),
      () => ({
        event: 'recovery_codes_replaced',
        record: null,
        notice: noticeOf(session, 'recovery_codes_replaced'),
      }),
    ),
  }));
}
