import { targetTypes } from '@tenant-payments/contract/resources/sessions.ts';
import { command } from '../../core/command.ts';
import { finishClosing } from '../../flows/closing.ts';
import { makeDormant, reactivateAccount, suspendAccount } from '../../resources/accounts/moves.ts';
import { lockPin } from '../../resources/customers/credentials/pin_lock.ts';
import { hashPin } from '../../resources/customers/credentials/pins.ts';
import { publishDocument } from '../../resources/customers/documents/moves.ts';
import {
  approveCustomer,
  holdCustomerForReview,
  rejectCustomer,
  requestMore,
} from '../../resources/customers/moves.ts';
import {
  approveOwner,
  holdOwnerForReview,
  rejectOwner,
  submitOwner,
} from '../../resources/customers/owners/moves.ts';
import { customers } from '../../resources/customers/table.ts';
import { loadCase, remainingOf } from '../../resources/disputes/case.ts';
import { creditDispute, investigateDispute } from '../../resources/disputes/moves.ts';
import {
  determine,
  finishDispute,
  resolveApproved,
  resolveDenied,
  resolveWithdrawn,
} from '../../resources/disputes/resolve.ts';
import {
  failLink,
  holdLinkForReview,
  releaseLinkHold,
  verifyLink,
} from '../../resources/linked_accounts/moves.ts';
import { failLoad, settleLoad } from '../../resources/loads/moves.ts';
import { expireRequest } from '../../resources/payment_requests/moves.ts';
import { paymentRequests } from '../../resources/payment_requests/table.ts';
import { completePayment, failPayment } from '../../resources/payments/by_bank.ts';
import { completeRefund, failBankRefund } from '../../resources/refunds/moves.ts';
import { closePeriod } from '../../resources/statements/single.ts';
import { failWithdrawal, settleWithdrawal } from '../../resources/withdrawals/moves.ts';
import { samplePin } from '../sample/submission.ts';
import { completeFlow, endFlow, leaveFlow } from './session_moves.ts';
import { type ActorInput, type Simulations, simulation } from './simulate.ts';
import { payLoadLate, returnWithdrawal } from './unmatched_money.ts';

const expireNow = command('expire_request', {
  load: (read, { id }: ActorInput) => read.one(paymentRequests, id),
  decide: (work, request) => {
    expireRequest(work, request);
    return { record: request };
  },
});

/** `dispute.resolved_partial`: half of what could be awarded (decisions 1.4). */
const resolveHalf = command('resolve_half', {
  load: (read, { id }: ActorInput) => loadCase(read, id),
  decide: (work, rows) => {
    const remaining = remainingOf(rows);
    determine(work, rows, 'resolve_partial', remaining && Math.floor(remaining / 2));
    return { record: rows.dispute };
  },
});

/**
 * `customer.pending`: from created or rejected the customer submits, through the session that waits
 * for it; from in_review the reviewer asks for more (decisions 1.4).
 */
const customerPending = (submit: ReturnType<typeof completeFlow>) =>
  command('customer_pending', {
    prepare: (input: ActorInput, context) =>
      submit.prepare?.(input, context) ?? Promise.resolve(''),
    load: async (read, input, hash) => {
      const customer = await read.one(customers, input.id);
      const submits = customer.status === 'created' || customer.status === 'rejected';
      if (!submits || customer.onboarding_session_id === null)
        return { more: await requestMore.load(read, input, undefined), submitted: null };
      const session: ActorInput = { ...input, kind: 'session', id: customer.onboarding_session_id };
      return { more: null, submitted: await submit.load(read, session, hash) };
    },
    decide: (work, { more, submitted }, input, hash) =>
      submitted
        ? submit.decide(work, submitted, input, hash)
        : requestMore.decide(work, more as never, input, undefined),
  });

/** Which command each simulate name runs, and on what (decisions 1.4). */
export function openSimulations(pinPepper: Buffer): Simulations {
  let hashed: Promise<string> | null = null;
  const pinHash = () => {
    hashed ??= hashPin(pinPepper, samplePin);
    return hashed;
  };
  const complete = completeFlow(pinHash);
  const sessionOrTarget = ['session', ...targetTypes] as const;
  return {
    'customer.pending': simulation(['customer'], customerPending(complete)),
    'customer.in_review': simulation(['customer'], holdCustomerForReview),
    'customer.approved': simulation(['customer'], approveCustomer),
    'customer.rejected': simulation(['customer'], rejectCustomer),
    'customer.pin_locked': simulation(['customer'], lockPin),
    'owner.pending': simulation(['owner'], submitOwner),
    'owner.in_review': simulation(['owner'], holdOwnerForReview),
    'owner.approved': simulation(['owner'], approveOwner),
    'owner.rejected': simulation(['owner'], rejectOwner),
    'document_acceptance.pending_acceptance': simulation(['document_acceptance'], publishDocument),
    'session.completed': simulation(sessionOrTarget, complete),
    'session.canceled': simulation(sessionOrTarget, leaveFlow),
    'session.expired': simulation(sessionOrTarget, endFlow),
    'linked_account.verified': simulation(['linked_account'], verifyLink),
    'linked_account.failed': simulation(['linked_account'], failLink),
    'linked_account.held_for_review': simulation(['linked_account'], holdLinkForReview),
    'linked_account.hold_released': simulation(['linked_account'], releaseLinkHold),
    'account.suspended': simulation(['account'], suspendAccount),
    'account.reactivated': simulation(['account'], reactivateAccount),
    'account.dormant': simulation(['account'], makeDormant),
    'account.closed': simulation(['account'], finishClosing),
    'load.settled': simulation(['load'], settleLoad),
    'load.failed': simulation(['load'], failLoad),
    'load.paid_late': simulation(['load'], payLoadLate),
    'payment.completed': simulation(['payment'], completePayment),
    'payment.failed': simulation(['payment'], failPayment),
    'refund.completed': simulation(['refund'], completeRefund),
    'refund.failed': simulation(['refund'], failBankRefund),
    'withdrawal.settled': simulation(['withdrawal'], settleWithdrawal),
    'withdrawal.failed': simulation(['withdrawal'], failWithdrawal),
    'withdrawal.returned': simulation(['withdrawal'], returnWithdrawal),
    'dispute.investigating': simulation(['dispute'], investigateDispute),
    'dispute.provisional_credit': simulation(['dispute'], creditDispute),
    'dispute.resolved_approved': simulation(['dispute'], resolveApproved),
    'dispute.resolved_partial': simulation(['dispute'], resolveHalf),
    'dispute.resolved_denied': simulation(['dispute'], resolveDenied),
    'dispute.resolved_withdrawn': simulation(['dispute'], resolveWithdrawn),
    'dispute.closed': simulation(['dispute'], finishDispute),
    'statement.available': simulation(['account'], closePeriod),
    'payment_request.expired': simulation(['payment_request'], expireNow),
  };
}
