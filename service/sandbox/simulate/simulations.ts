import type { IdKind } from '@tenant-payments/contract/core/ids.ts';
import { targetTypes } from '@tenant-payments/contract/resources/sessions.ts';
import { type Command, command } from '@tenant-payments/engine/command.ts';
import type { KeyRing } from '@tenant-payments/engine/key_ring.ts';
import { once } from '@tenant-payments/engine/once.ts';
import type { Clocks } from '@tenant-payments/engine/time/clock.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../database.ts';
import { finishClosing } from '../../flows/closing.ts';
import type { IdentityDecision, LinkOutcome } from '../../rails/facts.ts';
import type { IdentitySubject } from '../../rails/identity.ts';
import { makeDormant, reactivateAccount, suspendAccount } from '../../resources/accounts/moves.ts';
import { lockPin } from '../../resources/customers/credentials/pin_lock.ts';
import { hashSharedPin } from '../../resources/customers/credentials/pins.ts';
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
import { classifyOther } from '../../resources/disputes/classify.ts';
import { needsFinding } from '../../resources/disputes/findings.ts';
import { creditDispute, investigateDispute } from '../../resources/disputes/moves.ts';
import { reopenDispute } from '../../resources/disputes/reopen.ts';
import {
  determine,
  finishDispute,
  resolveApproved,
  resolveWithdrawn,
} from '../../resources/disputes/resolve.ts';
import type { DisputeRow } from '../../resources/disputes/table.ts';
import { failureCode } from '../../resources/failure_code.ts';
import { needLogin, restoreLogin } from '../../resources/linked_accounts/login.ts';
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
import { openBankVoice } from '../rails/said_by_bank.ts';
import { samplePin } from '../sample/submission.ts';
import { aggregatorSays } from './aggregator_says.ts';
import { type BankSource, bankSays, failedBy, settledBy, type Words } from './bank_says.ts';
import { identitySays } from './identity_says.ts';
import { receiveMoneyOf } from './money_received.ts';
import { requestReturn } from './return_requested.ts';
import { completeFlow, endFlow, leaveFlow } from './session_moves.ts';
import type { ActorInput, Simulation, Simulations } from './simulate.ts';
import { payLoadLate, returnWithdrawal } from './unmatched_money.ts';

const expireNow = command('expire_request', {
  load: (read, { id }: ActorInput) => read.one(paymentRequests, id),
  decide: (work, request) => {
    expireRequest(work, request);
    return { record: request };
  },
});

/** The finding of the sandbox's reviewer, where the law wants it said (rules/disputes#50). */
const simulatedFinding = (row: DisputeRow) =>
  needsFinding(row) ? { finding: 'This is a sandbox: nobody has investigated.' } : {};

/** `dispute.resolved_denied`. */
const denyWithFinding = command('resolve_denied', {
  load: (read, { id }: ActorInput) => loadCase(read, id),
  decide: (work, rows) => {
    determine(work, rows, 'resolve_denied', null, simulatedFinding(rows.dispute));
    return { record: rows.dispute };
  },
});

/** `dispute.resolved_partial`: half of what could be awarded, rounded down. */
const resolveHalf = command('resolve_half', {
  load: (read, { id }: ActorInput) => loadCase(read, id),
  decide: (work, rows) => {
    const remaining = remainingOf(rows);
    const half = remaining && Math.floor(remaining / 2);
    determine(work, rows, 'resolve_partial', half, simulatedFinding(rows.dispute));
    return { record: rows.dispute };
  },
});

/**
 * `customer.pending`: from created or rejected the customer submits, through the session that waits
 * for it; from in_review the reviewer requests more.
 */
const customerPending = (submit: ReturnType<typeof completeFlow>) =>
  command('customer_pending', {
    prepare: (input: ActorInput, context) =>
      submit.prepare?.(input, context) ?? Promise.resolve(''),
    load: async (read, input, hash) => {
      const { id, status, onboarding_session_id } = await read.one(customers, input.id);
      const submits = status === 'created' || status === 'rejected';
      if (!submits || onboarding_session_id === null) {
        const rows = await requestMore.load(read, { id }, undefined);
        return (work: Work) => requestMore.decide(work, rows, { id }, undefined);
      }
      const session: ActorInput = { ...input, kind: 'session', id: onboarding_session_id };
      const rows = await submit.load(read, session, hash);
      return (work: Work) => submit.decide(work, rows, input, hash);
    },
    decide: (work, act) => act(work),
  });

const on = (kinds: readonly IdKind[], actor: Command<ActorInput>): Simulation => ({
  kinds,
  command: actor,
});

const failedLink = ({ failure_code }: ActorInput): LinkOutcome => ({
  outcome: 'failed',
  failure: failureCode('linked_account', failure_code),
});

interface Needs {
  readonly pinPeppers: KeyRing;
  readonly vault: Vault;
  readonly clocks: Clocks;
  readonly db: Kysely<Database>;
}

/** The command that each simulate name runs, and the records it acts on (rules/sandbox#7). */
export function openSimulations({ pinPeppers, vault, clocks, db }: Needs): Simulations {
  const voice = openBankVoice({ vault, clocks });
  const answers = <Loaded, Prepared>(
    source: BankSource,
    actor: Command<ActorInput, Loaded, Prepared>,
    says: Words,
  ) => on([source], bankSays(voice, source, actor, says));
  const shown = <Loaded, Prepared>(
    actor: Command<ActorInput, Loaded, Prepared>,
    says: (input: ActorInput) => LinkOutcome,
  ) => on(['linked_account'], aggregatorSays(voice, actor, says));
  const decided = <Loaded, Prepared>(
    subject: IdentitySubject,
    actor: Command<ActorInput, Loaded, Prepared>,
    decision: IdentityDecision,
  ) => on([subject], identitySays(voice, subject, actor, decision));
  const pinHash = once(() => hashSharedPin(pinPeppers, samplePin));
  const complete = completeFlow(pinHash);
  const sessionOrTarget = ['session', ...targetTypes, 'customer'] as const;
  return {
    'customer.pending': on(['customer'], customerPending(complete)),
    'customer.in_review': decided('customer', holdCustomerForReview, 'unclear'),
    'customer.approved': decided('customer', approveCustomer, 'approved'),
    'customer.rejected': decided('customer', rejectCustomer, 'rejected'),
    'customer.pin_locked': on(['customer'], lockPin),
    'owner.pending': on(['owner'], submitOwner),
    'owner.in_review': decided('owner', holdOwnerForReview, 'unclear'),
    'owner.approved': decided('owner', approveOwner, 'approved'),
    'owner.rejected': decided('owner', rejectOwner, 'rejected'),
    'document_acceptance.pending_acceptance': on(['document_acceptance'], publishDocument),
    'session.completed': on(sessionOrTarget, complete),
    'session.canceled': on(sessionOrTarget, leaveFlow),
    'session.expired': on(sessionOrTarget, endFlow),
    'linked_account.verified': shown(verifyLink, () => ({ outcome: 'verified' })),
    'linked_account.failed': shown(failLink, failedLink),
    'linked_account.held_for_review': shown(holdLinkForReview, () => ({ outcome: 'unclear' })),
    'linked_account.needs_login': shown(needLogin, () => ({ outcome: 'needs_login' })),
    'linked_account.login_restored': shown(restoreLogin, () => ({ outcome: 'login_restored' })),
    'linked_account.hold_released': on(['linked_account'], releaseLinkHold),
    'account.suspended': on(['account'], suspendAccount),
    'account.reactivated': on(['account'], reactivateAccount),
    'account.dormant': on(['account'], makeDormant),
    'account.closed': on(['account'], finishClosing({ vault })),
    'load.settled': answers('load', settleLoad, settledBy),
    'load.failed': answers('load', failLoad, failedBy),
    'load.paid_late': on(['load'], payLoadLate(voice)),
    'payment.completed': answers('payment', completePayment, settledBy),
    'payment.failed': answers('payment', failPayment, failedBy),
    'refund.completed': answers('refund', completeRefund, settledBy),
    'refund.failed': answers('refund', failBankRefund, failedBy),
    'withdrawal.settled': answers('withdrawal', settleWithdrawal, settledBy),
    'withdrawal.failed': answers('withdrawal', failWithdrawal, failedBy),
    'withdrawal.returned': on(['withdrawal'], returnWithdrawal(voice)),
    'dispute.investigating': on(['dispute'], investigateDispute),
    'dispute.reopened': on(['dispute'], reopenDispute),
    'dispute.classified': on(['dispute'], classifyOther({ db })),
    'dispute.provisional_credit': on(['dispute'], creditDispute),
    'dispute.resolved_approved': on(['dispute'], resolveApproved),
    'dispute.resolved_partial': on(['dispute'], resolveHalf),
    'dispute.resolved_denied': on(['dispute'], denyWithFinding),
    'dispute.resolved_withdrawn': on(['dispute'], resolveWithdrawn),
    'dispute.closed': on(['dispute'], finishDispute),
    'statement.available': on(['account'], closePeriod),
    'bank.money_received': on(['customer', 'load', 'payment'], receiveMoneyOf(voice)),
    'bank.return_requested': on(['load'], requestReturn(voice)),
    'payment_request.expired': on(['payment_request'], expireNow),
  };
}
