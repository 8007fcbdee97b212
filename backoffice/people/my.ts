import { wholeList } from '@tenant-payments/engine/pages.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
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
import {
  addOwnPasskey,
  endOtherSessions,
  endOwnSession,
  nameOwnPasskey,
  removeOwnPasskey,
  replaceOwnCodes,
} from './my_commands.ts';
import type { PersonServing } from './serve.ts';
import { idleSeconds } from './sessions/sessions.ts';
import { makingOptions, verifyMade } from './sign_in/passkeys.ts';

/** A person's own sessions, passkeys and recovery codes (rules/sign-in#10). */

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

async function passkeysOf({ control }: Service, { personId }: SignedIn): Promise<OwnPasskey[]> {
  const { rows } = await control.query<OwnPasskey>(
    `select id, name, created_at, last_used_at from control.person_passkeys
     where person_id = $1 order by created_at, id`,
    [personId],
  );
  return rows;
}

function serveMySessions({ own }: PersonServing, service: Service): void {
  own(listMySessions, async (_call, session) => wholeList(await sessionsOf(service, session)));
  own(endMySession, async (call, session, { id }) => {
    const ended = await call.run(endOwnSession, { session, id });
    if (id === session.id) call.keep(null);
    return { ended };
  });
  own(endMyOtherSessions, async (call, session) => ({
    ended: await call.run(endOtherSessions, session),
  }));
}

export function serveMine(serving: PersonServing, service: Service): void {
  const { own } = serving;
  serveMySessions(serving, service);
  own(listMyPasskeys, async (_call, session) => wholeList(await passkeysOf(service, session)));
  own(beginMyPasskey, async (_call, session) => ({
    options: await makingOptions(service, `passkey ${session.id}`, session),
  }));
  const add = addOwnPasskey(service);
  own(addMyPasskey, async (call, session, { credential, name }) => {
    const made = await verifyMade(service, credential);
    const { stored, token } = await call.run(add, { session, made, name });
    call.keep(token);
    return stored;
  });
  own(nameMyPasskey, (call, session, input) => call.run(nameOwnPasskey, { session, ...input }));
  own(removeMyPasskey, (call, session, { id }) => call.run(removeOwnPasskey, { session, id }));
  const replaceCodes = replaceOwnCodes(service);
  own(replaceMyRecoveryCodes, async (call, session) => ({
    recovery_codes: await call.run(replaceCodes, session),
  }));
}
