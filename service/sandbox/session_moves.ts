import type { Flow } from '@tenant-payments/contract/resources/sessions.ts';
import type { Ahead } from '../core/ahead.ts';
import { command } from '../core/command.ts';
import { fail } from '../core/fail.ts';
import type { Read } from '../core/reader.ts';
import type { Work } from '../core/work.ts';
import { readTarget } from '../flows/confirm.ts';
import { completeConfirmation } from '../flows/complete.ts';
import { assertLive, decline, leave, loadSession, reachEnd } from '../flows/session_end.ts';
import { accounts } from '../resources/accounts/table.ts';
import { paymentRequests } from '../resources/payment_requests/table.ts';
import { payments } from '../resources/payments/table.ts';
import { completeSession } from '../resources/sessions/open.ts';
import { type SessionRow, sessions } from '../resources/sessions/table.ts';
import { customerFlows } from './customer_flows.ts';
import type { ActorInput } from './simulate.ts';

/** What a confirmation of a payment reads, from its session on. */
const confirmationPath: Ahead = {
  table: sessions,
  then: [
    {
      by: ['target_id'],
      table: payments,
      then: [
        { by: ['payer_account_id', 'payee_account_id'], table: accounts },
        { by: ['payment_request_id'], table: paymentRequests },
      ],
    },
  ],
};

const aheadOf = ({ kind, id }: ActorInput) =>
  kind === 'session' ? { plan: confirmationPath, id } : null;

/** `object_id` is a session, or the record that its session confirms (decisions 1.4). */
async function sessionOf(read: Read, { kind, id }: ActorInput) {
  if (kind === 'session') return loadSession(read, id);
  if (kind !== 'payment' && kind !== 'load') throw fail('not_found');
  const { sessionId } = await readTarget(read, kind, id);
  if (sessionId === null) throw fail('not_found');
  return loadSession(read, sessionId);
}

/** What a flow leaves behind when the customer finishes it; the confirmation stands apart. */
export interface CustomerFlow {
  readonly finish: (work: Work, declined: boolean) => { status: string; declined: boolean | null };
}
export type ReadCustomerFlow = (read: Read, session: SessionRow) => Promise<CustomerFlow>;
export type CustomerFlows = Readonly<Record<Exclude<Flow, 'payment_confirm'>, ReadCustomerFlow>>;

/** The customer finishes the flow, with the right PIN where one is asked. */
export const completeFlow = command('complete_session', {
  ahead: aheadOf,
  load: async (read, input: ActorInput) => {
    const { session, target } = await sessionOf(read, input);
    const { flow } = session;
    const customer = flow === 'payment_confirm' ? null : await customerFlows[flow](read, session);
    return { session, target, customer };
  },
  decide: (work, { session, target, customer }, { failure_code }) => {
    const declined = failure_code !== null;
    if (declined && session.flow !== 'terms_acceptance')
      throw fail('parameter_invalid', {
        param: 'failure_code',
        details: { reason: 'not_of_this_flow' },
      });
    if (target) completeConfirmation(work, session, target);
    if (customer) {
      assertLive(session);
      const end = customer.finish(work, declined);
      const decision = end.declined === null ? null : end.declined ? 'declined' : 'accepted';
      completeSession(work, session, end.status, decision);
    }
    return { record: session };
  },
});

/** The customer leaves the flow, or declines the record. */
export const leaveFlow = command('cancel_session', {
  load: sessionOf,
  decide: (work, { session, target }, { failure_code }) => {
    if (failure_code === null) leave(work, session, target);
    else decline(work, session, target);
    return { record: session };
  },
});

/** The session's end is now; the record follows after the grace like any other. */
export const endFlow = command('expire_session', {
  load: sessionOf,
  decide: (work, { session, target }) => {
    reachEnd(work, session, target);
    return { record: session };
  },
});
