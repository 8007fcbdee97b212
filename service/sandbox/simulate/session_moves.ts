import type { IdKind } from '@tenant-payments/contract/core/ids.ts';
import { type TargetType, targetTypes } from '@tenant-payments/contract/resources/sessions.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Ahead } from '@tenant-payments/engine/load/ahead.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import {
  assertLive,
  confirm,
  readSession,
  readTarget,
  type SessionRows,
} from '../../flows/confirm.ts';
import { sessionColumn } from '../../flows/create_session.ts';
import { decline, expire, leave } from '../../flows/end_session.ts';
import { accounts } from '../../resources/accounts/table.ts';
import { customers } from '../../resources/customers/table.ts';
import { paymentLimits } from '../../resources/limits/daily_limits.ts';
import { paymentRequests } from '../../resources/payment_requests/table.ts';
import { payments } from '../../resources/payments/table.ts';
import { completeSession } from '../../resources/sessions/open.ts';
import { sessions } from '../../resources/sessions/table.ts';
import { customerFlows } from './customer_flows.ts';
import type { ActorInput } from './simulate.ts';

/** The rows that a confirmation of a payment reads besides the payment. */
const ofPayment: Ahead['next'] = [
  { by: ['payer_account_id', 'payee_account_id'], table: accounts },
  { by: ['payment_request_id'], table: paymentRequests },
  paymentLimits.countedBy('payer_customer_id'),
];

/** `object_id` may be the session or the payment itself. */
const confirmationPaths: Readonly<Partial<Record<IdKind, Ahead>>> = {
  session: { table: sessions, next: [{ by: ['target_id'], table: payments, next: ofPayment }] },
  payment: { table: payments, next: [{ by: ['session_id'], table: sessions }, ...ofPayment] },
};

function aheadOf({ kind, id }: ActorInput) {
  const plan = confirmationPaths[kind];
  return plan ? [{ plan, id }] : [];
}

const isTarget = (kind: IdKind): kind is TargetType =>
  (targetTypes as readonly IdKind[]).includes(kind);

/** The customer's session that waits, of several the latest; none: the one that ended last. */
async function sessionOfCustomer(read: Read, id: string): Promise<SessionRows> {
  const customer = await read.one(customers, id);
  const opened = await Promise.all(
    Object.values(sessionColumn).map((column) => read.maybe(sessions, customer[column])),
  );
  const latest = opened
    .filter((session) => session !== null)
    .sort((a, b) => (a.id < b.id ? 1 : -1));
  const session = latest.find(({ status }) => status === 'created') ?? latest[0];
  if (!session) throw fail('not_found');
  return { session, target: null, subject: customer };
}

/**
 * `object_id` is a session, the record that its session confirms, or the customer whose session
 * confirms none (rules/sandbox#7).
 */
async function sessionOf(read: Read, { kind, id }: ActorInput): Promise<SessionRows> {
  if (kind === 'session') return readSession(read, id);
  if (kind === 'customer') return sessionOfCustomer(read, id);
  if (!isTarget(kind)) throw fail('not_found');
  const target = await readTarget(read, kind, id);
  const { row: session } = target.session;
  if (!session) throw fail('not_found');
  return { session, target, subject: target.row };
}

/**
 * The customer finishes the flow; a PIN is taken as right (rules/sandbox#9).
 * @param pinHash of the sandbox's one PIN; made once, since it takes a tenth of a second
 */
export const completeFlow = (pinHash: () => Promise<string>) =>
  command('complete_session', {
    prepare: (_input: ActorInput) => pinHash(),
    ahead: aheadOf,
    load: async (read, input) => {
      const { session, target } = await sessionOf(read, input);
      const { flow, customer_id } = session;
      const end = flow === 'payment_confirm' ? null : await customerFlows[flow](read, customer_id);
      return { session, target, end };
    },
    decide: (work, { session, target, end }, { failure_code }, hash) => {
      const declined = failure_code !== null;
      if (declined && session.flow !== 'terms_acceptance') throw notOfThisFlow();
      if (target) confirm(work, session, target);
      if (end) {
        assertLive(session);
        const status = end.finish(work, { pinHash: hash, declined });
        const decision = declined ? 'declined' : 'accepted';
        const isOfTerms = session.flow === 'terms_acceptance';
        completeSession(work, session, status, isOfTerms ? decision : null);
      }
      return { record: session };
    },
  });

const notOfThisFlow = () =>
  fail('parameter_invalid', { param: 'failure_code', details: { reason: 'not_of_this_flow' } });

/** The customer leaves the flow, or declines the record. */
export const leaveFlow = command('cancel_session', {
  load: sessionOf,
  decide: (work, rows, { failure_code }) => {
    if (failure_code === null) leave(work, rows);
    else if (rows.target) decline(work, rows);
    else throw notOfThisFlow();
    return { record: rows.session };
  },
});

/** The session's end is now; the record follows after the grace like any other. */
export const endFlow = command('expire_session', {
  load: sessionOf,
  decide: (work, rows) => {
    expire(work, rows);
    return { record: rows.session };
  },
});
