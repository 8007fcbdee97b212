import { ApiError, fail } from '@tenant-payments/engine/fail.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { refused } from '@tenant-payments/service/flows/hosted/passkeys/challenge.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import {
  beginSignIn,
  finishSignIn,
  signInByLink,
  signInByRecoveryCode,
} from '../../contract/people/session.ts';
import { platform, type Queryable } from '../scope.ts';
import type { Call, PersonServing, Told } from '../serve.ts';
import { replaceSession } from '../sessions/session_of_browser.ts';
import { endSessions, type OpenedBy, type OpenedSession } from '../sessions/sessions.ts';
import { sessionView } from '../view.ts';
import { type Attempts, countedFor } from './attempts.ts';
import { answerOptions, passkeyOf, takeAnswer, verifyAnswer } from './passkeys.ts';
import { emailOf } from './secrets.ts';
import { storedCode, storedSecret } from './stored_secrets.ts';

/** How a person signs in (rules/sign-in#4, rules/sign-in#6). */

/** @throws ApiError parameter_invalid: a person who is disabled is as unknown as nobody */
export async function assertEnabled(connection: Queryable, personId: string): Promise<void> {
  const { rowCount } = await connection.query(
    'select from control.people where id = $1 and disabled_at is null for share',
    [personId],
  );
  if (rowCount === 0) throw refused('unknown_credential');
}

/** Tells of an attempt that was refused, and goes on refusing. */
export async function telling<T>(call: Call, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof ApiError) call.tell('sign_in_refused', { reason: reasonOf(error) });
    throw error;
  }
}

const reasonOf = ({ code, details }: ApiError): string =>
  typeof details?.reason === 'string' ? details.reason : code;

/** What a sign-in leaves behind, in the chain of where the session acts. */
export const toldOf =
  (personId: string, openedBy: OpenedBy) =>
  ({ id, scope }: OpenedSession): Told => ({
    event: 'signed_in',
    facts: { opened_by: openedBy },
    record: id,
    scope: scope ?? platform,
    personId,
    after: { opened_by: openedBy },
  });

const wrongCode = () =>
  fail('parameter_invalid', { param: 'recovery_code', details: { reason: 'wrong' } });
const wrongLink = () =>
  fail('parameter_invalid', { param: 'token', details: { reason: 'used_or_expired' } });

function byPasskey(service: Service, attempts: Attempts) {
  return async (call: Call, credential: Readonly<Record<string, unknown>>) => {
    const known = await passkeyOf(service.control, credential);
    const counted = [
      countedFor.address(call.from.address),
      ...(known ? [countedFor.person(known.person_id)] : []),
    ];
    return telling(call, () =>
      attempts.proven(counted, async () => {
        const proven = await verifyAnswer(service, known, credential);
        const personId = proven.passkey.person_id;
        const opened = await call.act(
          async (connection) => {
            await takeAnswer(connection, service, 'sign_in', proven);
            await assertEnabled(connection, personId);
            return replaceSession(connection, service, call, { personId, openedBy: 'passkey' });
          },
          toldOf(personId, 'passkey'),
        );
        call.keep(opened.token);
        return sessionView(service.control, service, opened.id);
      }),
    );
  };
}

function byRecoveryCode(service: Service, attempts: Attempts) {
  /** One statement: a code works once, however many send it. */
  async function use(connection: Queryable, email: string, code: string): Promise<string> {
    const { rows } = await connection.query<{ person_id: string }>(
      `update control.recovery_codes c set used_at = $3 from control.people p
       where p.email = $1 and p.disabled_at is null and c.person_id = p.id
         and c.code_hash = $2 and c.used_at is null and c.ended_at is null returning c.person_id`,
      [email, storedCode(service, code), instantOf(service.clocks.realNow())],
    );
    if (!rows[0]) throw wrongCode();
    return rows[0].person_id;
  }

  return async (call: Call, given: { email: string; recovery_code: string }) => {
    const email = emailOf(given.email);
    const counted = [countedFor.address(call.from.address), countedFor.email(email)];
    return telling(call, () =>
      attempts.of(counted, async () => {
        const openedBy = 'recovery_code';
        const { opened } = await call.act(
          async (connection) => {
            const personId = await use(connection, email, given.recovery_code);
            await endSessions(connection, service, { personId }, 'recovery_code');
            const opened = await replaceSession(connection, service, call, { personId, openedBy });
            return { personId, opened };
          },
          ({ personId, opened }) => ({
            ...toldOf(personId, openedBy)(opened),
            event: 'recovery_code_used',
            notice: { kind: 'recovery_code_used', personId, scope: opened.scope ?? platform },
          }),
        );
        call.keep(opened.token);
        return sessionView(service.control, service, opened.id);
      }),
    );
  };
}

function byLink(service: Service, attempts: Attempts) {
  return (call: Call, token: string) =>
    telling(call, () =>
      attempts.proven([countedFor.address(call.from.address)], async () => {
        const { opened } = await call.act(
          async (connection) => {
            const { rows } = await connection.query<{ person_id: string; scope: string }>(
              `update control.sign_in_links set used_at = $2
             where token_hash = $1 and used_at is null and expires_at > $2 returning person_id, scope`,
              [storedSecret(service, 'link', token), instantOf(service.clocks.realNow())],
            );
            if (!rows[0]) throw wrongLink();
            const { person_id: personId, scope } = rows[0];
            await assertEnabled(connection, personId);
            const session = { personId, scope, openedBy: 'sandbox_link' } as const;
            return { personId, opened: await replaceSession(connection, service, call, session) };
          },
          ({ personId, opened }) => toldOf(personId, 'sandbox_link')(opened),
        );
        call.keep(opened.token);
        return sessionView(service.control, service, opened.id);
      }),
    );
}

export function serveSignIn({ serve }: PersonServing, service: Service, attempts: Attempts): void {
  const passkey = byPasskey(service, attempts);
  const recovery = byRecoveryCode(service, attempts);
  const link = byLink(service, attempts);
  serve(beginSignIn, async () => {
    const { options } = await answerOptions(service, 'sign_in');
    return { options };
  });
  serve(finishSignIn, (call, { credential }) => passkey(call, credential));
  serve(signInByRecoveryCode, recovery);
  serve(signInByLink, (call, { token }) => link(call, token));
}
