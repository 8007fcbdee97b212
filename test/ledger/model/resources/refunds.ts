import {
  activeLink,
  become,
  type Due,
  dayMs,
  endTarget,
  isHeldUp,
  type Ledger,
  type ModelLink,
  type ModelPayment,
  type ModelPerson,
  type ModelRefund,
  newSession,
  newTarget,
} from '../types.ts';
import { fundingOf, giveBackEarmark } from './dispute_rules.ts';
import { hasFailed } from './links.ts';

/** How long one waits for the merchant's money. */
const waitMs = 30 * dayMs;

/** The destination of a refund: a bank account, `balance`, or null. */
function destinationOf({ source, customer, link }: ModelPayment): ModelLink | 'balance' | null {
  const bank = [link, activeLink(customer)].find((one) => one?.status === 'verified') ?? null;
  const balance = customer.status === 'closed' ? null : 'balance';
  return source === 'balance' ? (balance ?? bank) : (bank ?? balance);
}

/**
 * The amount that refunds may still give: at most the amount, and with the credits at most what the payer was debited.
 */
export const leftOf = (payment: ModelPayment, refunding: number, credited: number): number => {
  const { amount, refunded, disputedFee } = payment;
  const debited = amount + (disputedFee ?? 0);
  const left = Math.min(amount - refunded - refunding, debited - refunded - refunding - credited);
  return Math.max(left, 0);
};

/** Why it can no longer be paid, even with money. */
function lossOf({ amount, payment, link }: ModelRefund): string | null {
  if (leftOf(payment, payment.refunding, payment.awarded) < amount) return 'dispute_credited';
  if (link === null) return payment.customer.status === 'closed' ? 'payer_account_closed' : null;
  return hasFailed(link) ? 'destination_unavailable' : null;
}

/** Refunds: held or waiting, to a balance at once or by the bank. */
export function openRefunds(ledger: Ledger, afterRefund: (payment: ModelPayment) => void) {
  const { refunds, settings, clock } = ledger;

  const waitingOf = (merchant: ModelPerson): ModelRefund[] =>
    refunds
      .filter(({ customer, status }) => customer === merchant && status === 'pending_funds')
      .sort((a, b) => (a.waitingMs ?? 0) - (b.waitingMs ?? 0));

  const isFundable = ({ payment, customer, amount }: ModelRefund): boolean =>
    fundingOf(payment, customer, amount) !== null;

  /** Takes a dispute's earmark first, then what is available. @returns whether that is enough */
  function hold(refund: ModelRefund): boolean {
    const { customer, amount, payment } = refund;
    const funding = fundingOf(payment, customer, amount);
    if (!funding) return false;
    customer.available -= funding.available;
    customer.earmarked += funding.available;
    if (payment.dispute && funding.earmark > 0) {
      payment.dispute.held -= funding.earmark;
      refund.earmark = { dispute: payment.dispute, cents: funding.earmark };
    }
    refund.held = amount;
    return true;
  }

  function fail(refund: ModelRefund, failureCode: string): void {
    const { customer, payment, amount, held } = refund;
    const released = held - giveBackEarmark(refund);
    customer.earmarked -= released;
    customer.available += released;
    payment.openRefunds -= amount;
    if (refund.status === 'processing') payment.refunding -= amount;
    endTarget(refund, 'failed', failureCode);
    Object.assign(refund, { held: 0, waitingMs: null });
    customer.isNews = true;
  }

  function complete(refund: ModelRefund): void {
    const { customer, payment, amount, link } = refund;
    customer.earmarked -= amount;
    if (link === null) {
      payment.customer.available += amount;
      payment.customer.isNews = true;
    } else payment.refunding -= amount;
    become(refund, 'completed', { held: 0 });
    payment.openRefunds -= amount;
    payment.refunded += amount;
    become(payment, payment.refunded === payment.amount ? 'refunded' : 'partially_refunded');
    customer.isNews = true;
    afterRefund(payment);
  }

  /** Funded: to a balance it completes at once, otherwise the bank has it. */
  function pay(refund: ModelRefund): void {
    become(refund, 'processing', { waitingMs: null });
    if (refund.link === null) complete(refund);
    else refund.payment.refunding += refund.amount;
  }

  return {
    isFundable,
    lossOf,
    fail,
    end: fail,
    waitingOf,
    create(payment: ModelPayment, amount: number): string {
      const { payee } = payment;
      const refundable = payment.status === 'completed' || payment.status === 'partially_refunded';
      if (!refundable) return 'invalid_state';
      const destination = destinationOf(payment);
      if (!destination) return 'invalid_state';
      if (payee.status !== 'active' || isHeldUp(payee, ledger)) return 'account_restricted';
      const closesMs = payment.completedMs + settings.refund_window_days * dayMs;
      if (clock.nowMs > closesMs) return 'refund_window_closed';
      if (amount > leftOf(payment, payment.openRefunds, payment.credited))
        return 'refund_exceeds_payment';
      const refund: ModelRefund = {
        ...newTarget(),
        kind: 'refund',
        status: 'requested',
        events: ['created'],
        session: newSession(ledger),
        payment,
        customer: payee,
        amount,
        link: destination === 'balance' ? null : destination,
        held: 0,
        earmark: null,
        waitingMs: null,
      };
      payment.openRefunds += amount;
      // A dispute's earmark is taken only once the merchant's user confirms.
      if (fundingOf(payment, payee, amount)?.earmark === 0) hold(refund);
      refunds.push(refund);
      return 'done';
    },
    confirm(refund: ModelRefund): string {
      const loss = lossOf(refund);
      if (loss) fail(refund, loss);
      else if (refund.held > 0 || hold(refund)) pay(refund);
      else {
        become(refund, 'pending_funds', { waitingMs: clock.nowMs });
        refund.customer.isNews = true;
      }
      return 'done';
    },
    answer: (refund: ModelRefund, pays: boolean): void =>
      pays ? complete(refund) : fail(refund, 'account_closed'),
    /** Serves those that wait, first in first out; one that does not fit blocks the rest. */
    serve(merchant: ModelPerson): void {
      if (merchant.heldBack) return;
      for (const refund of waitingOf(merchant)) {
        const loss = lossOf(refund);
        if (loss) fail(refund, loss);
        else if (hold(refund)) pay(refund);
        else return;
      }
    },
    *due(): Due {
      for (const refund of refunds)
        if (refund.waitingMs !== null)
          yield [refund.waitingMs + waitMs, () => fail(refund, 'insufficient_funds')];
    },
  };
}
