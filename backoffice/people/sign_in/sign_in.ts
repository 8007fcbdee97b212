import { ApiError } from '@tenant-payments/engine/fail.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import {
  beginSignIn,
  finishSignIn,
  signInByLink,
  signInByRecoveryCode,
} from '../../contract/people/session.ts';
import type { Call, PersonServing } from '../serve.ts';
import type { OpenedSession } from '../sessions/sessions.ts';
import { sessionView } from '../view.ts';
import { type Attempts, countedFor } from './attempts.ts';
import { answerOptions, passkeyOf, verifyAnswer } from './passkeys.ts';
import { emailOf, mayBeOurs } from './secrets.ts';
import * as commands from './sign_in_commands.ts';

/** How a person signs in (rules/sign-in#4, rules/sign-in#6). */

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

export const comingBy = ({ from, cookie }: Call): commands.Coming => ({ from, cookie });

/** Gives the browser the session that it has opened. */
async function opened(service: Service, call: Call, { id, token }: OpenedSession) {
  call.keep(token);
  return sessionView(service.control, service, id);
}

function byPasskey(service: Service, attempts: Attempts) {
  const command = commands.signInByPasskey(service);
  return async (call: Call, credential: Readonly<Record<string, unknown>>) => {
    const known = await passkeyOf(service.control, credential);
    const counted = [
      countedFor.address(call.from.address),
      ...(known ? [countedFor.person(known.person_id)] : []),
    ];
    return telling(call, () =>
      attempts.proven(counted, async () => {
        const proven = await verifyAnswer(service, known, credential);
        return opened(service, call, await call.run(command, { ...comingBy(call), proven }));
      }),
    );
  };
}

function byRecoveryCode(service: Service, attempts: Attempts) {
  const command = commands.signInByCode(service);
  return async (call: Call, given: { email: string; recovery_code: string }) => {
    const email = emailOf(given.email);
    const counted = [countedFor.address(call.from.address), countedFor.email(email)];
    const by = { ...comingBy(call), email, code: given.recovery_code };
    return telling(call, () =>
      attempts.of(counted, async () => opened(service, call, await call.run(command, by))),
    );
  };
}

function byLink(service: Service, attempts: Attempts) {
  const command = commands.signInByLink(service);
  return (call: Call, token: string) =>
    telling(call, async () => {
      if (!mayBeOurs(service, 'tpl', token)) throw commands.wrongLink();
      return attempts.proven([countedFor.address(call.from.address)], async () =>
        opened(service, call, await call.run(command, { ...comingBy(call), token })),
      );
    });
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
