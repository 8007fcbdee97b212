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
import { platform, type Queryable } from '../scope.ts';
import type { Call, PersonServing } from '../serve.ts';
import { type Attempts, countedFor } from '../sign_in/attempts.ts';
import { answerOptions, passkeyOf, takeAnswer, verifyAnswer } from '../sign_in/passkeys.ts';
import { telling } from '../sign_in/sign_in.ts';
import { programView, sessionView } from '../view.ts';
import { endSessions, rotateSession } from './sessions.ts';

/** The session of a request: what it is, where it acts, how it steps up, how it ends. */

/** @throws ApiError authentication_required: it has ended meanwhile */
export function keepRotated(call: Call, token: string | null): void {
  if (token === null) throw fail('authentication_required', { message: 'the session has ended' });
  call.keep(token);
}

/** @throws ApiError parameter_invalid: the person holds no role there, or its cell is not served here */
async function moveTo(
  connection: Queryable,
  { id, personId }: SignedIn,
  scope: string,
): Promise<void> {
  const { rowCount } = await connection.query(
    `update control.sessions set scope = $3
     where id = $1 and ended_at is null
       and exists (select from control.roles where person_id = $2 and scope = $3)
       and ($3 = $4 or exists (select from control.served_tenants() where tenant_id::text = $3))`,
    [id, personId, scope, platform],
  );
  if (rowCount === 0)
    throw fail('parameter_invalid', { param: 'scope', details: { reason: 'no_role' } });
}

function stepUp(service: Service, attempts: Attempts) {
  return async (call: Call, session: SignedIn, credential: Readonly<Record<string, unknown>>) => {
    const counted = [countedFor.person(session.personId)];
    return telling(call, () =>
      attempts.proven(counted, async () => {
        const known = await passkeyOf(service.control, credential);
        const own = known?.person_id === session.personId ? known : null;
        const proven = await verifyAnswer(service, own, credential);
        const token = await call.act(
          async (connection) => {
            await takeAnswer(connection, service, `step_up ${session.id}`, proven);
            return rotateSession(connection, service, session.id);
          },
          () => ({ event: 'stepped_up', record: session.id }),
        );
        keepRotated(call, token);
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
  own(actIn, async (call, session, { scope }) => {
    await call.act(
      (connection) => moveTo(connection, session, scope),
      () => ({ event: 'acting_elsewhere', facts: { scope }, record: session.id, scope }),
    );
    return sessionView(control, service, session.id);
  });
  own(signOut, async (call, { id, visit }) => {
    const both = visit === 'none' ? {} : { alsoIn: platform };
    const ended = await call.act(
      (connection) => endSessions(connection, service, { id }, 'signed_out'),
      () => ({ event: 'signed_out', record: id, ...both }),
    );
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
