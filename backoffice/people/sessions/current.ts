import { fail } from '@tenant-payments/engine/fail.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import {
  actIn,
  beginStepUp,
  finishStepUp,
  getSession,
  signOut,
} from '../../contract/people/session.ts';
import type { SignedIn } from '../caller.ts';
import type { Call, PersonServing } from '../serve.ts';
import { type Attempts, countedFor } from '../sign_in/attempts.ts';
import { answerOptions, passkeyOf, verifyAnswer } from '../sign_in/passkeys.ts';
import { telling } from '../sign_in/sign_in.ts';
import { programView, sessionView } from '../view.ts';
import { actElsewhere, endCurrent, stepUpByPasskey } from './current_commands.ts';

/** The session of a request: what it is, where it acts, how it steps up, how it ends. */

function stepUp(service: Service, attempts: Attempts) {
  const byPasskey = stepUpByPasskey(service);
  return async (call: Call, session: SignedIn, credential: Readonly<Record<string, unknown>>) => {
    const counted = [countedFor.person(session.personId)];
    return telling(call, () =>
      attempts.proven(counted, async () => {
        const known = await passkeyOf(service.control, credential);
        const own = known?.person_id === session.personId ? known : null;
        const proven = await verifyAnswer(service, own, credential);
        call.keep(await call.run(byPasskey, { session, proven }));
        return sessionView(service.control, service, session.id);
      }),
    );
  };
}

export function serveCurrent(
  { serve, own }: PersonServing,
  service: Service,
  attempts: Attempts,
): void {
  const { control } = service;
  serve(getSession, async ({ request: { signedIn, actor, tenantId } }) =>
    signedIn ? sessionView(control, service, signedIn.id) : programView(actor, tenantId),
  );
  const elsewhere = actElsewhere(service);
  own(actIn, async (call, session, { scope }) => {
    await call.run(elsewhere, { session, scope });
    return sessionView(control, service, session.id);
  });
  own(signOut, async (call, session) => {
    const ended = await call.run(endCurrent, session);
    call.keep(null);
    return { ended };
  });
  own(beginStepUp, async (_call, { id, personId }) => {
    const { options, count } = await answerOptions(service, `step_up ${id}`, personId);
    if (count === 0) throw fail('invalid_state', { details: { reason: 'no_passkey' } });
    return { options };
  });
  const finish = stepUp(service, attempts);
  own(finishStepUp, (call, session, { credential }) => finish(call, session, credential));
}
