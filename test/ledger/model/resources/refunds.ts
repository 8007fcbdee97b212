import {
  activeLink,
  type Book,
  become,
  dayMs,
  isOpen,
  type ModelLink,
  type ModelPayment,
  type ModelPerson,
  type ModelRefund,
  newSession,
} from '../types.ts';
import { fundingOf, giveBackEarmark } from './disputes.ts';
import { isHeldUp } from './terms.ts';

/** How long one waits for the merchant's money (decisions 1.8). */
const waitMs = 30 * dayMs;

/** Where a refund goes: a bank account, `balance`, or nowhere (decisions 1.1, Refund). */
function destinationOf({ source, customer, link }: ModelPayment): ModelLink | 'balance' | null {
  const bank = [link, activeLink(customer)].find((one) => one?.status === 'verified') ?? null;
  const balance = customer.status === 'closed' ? null : 'balance';
  return source === 'balance' ? (balance ?? bank) : (bank ?? balance);
}

/** Why it can no longer be paid, whoever has the money. */
function lossOf({ amount, payment, link }: ModelRefund): string | null {
  const { refunded, refunding, awarded } = payment;
  if (payment.amount - refunded - refunding - awarded < amount) return 'dispute_credited';
  if (link === null) return payment.customer.status === 'closed' ? 'payer_account_closed' : null;
  return link.status === 'failed' ? 'destination_unavailable' : null;
}

/** Refunds: held or waiting, to a balance at once or by the bank. */
export function openRefunds(book: Book, afterRefund: (payment: ModelPayment) => void) {
  const { refunds, settings } = book;

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
    become(refund, 'failed', { failureCode, held: 0, waitingMs: null, deadlineMs: null });
    if (refund.session) refund.session.live = false;
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
    waitingOf,
    create(payment: ModelPayment, amount: number, nowMs: number): string {
      const { payee } = payment;
      const refundable = payment.status === 'completed' || payment.status === 'partially_refunded';
      if (!refundable) return 'invalid_state';
      const destination = destinationOf(payment);
      if (!destination) return 'invalid_state';
      if (payee.status !== 'active' || isHeldUp(payee, nowMs)) return 'account_restricted';
      const closesMs = payment.completedMs + settings.refund_window_days * dayMs;
      if (nowMs > closesMs) return 'refund_window_closed';
      if (amount > payment.amount - payment.refunded - payment.openRefunds - payment.credited)
        return 'refund_exceeds_payment';
      const refund: ModelRefund = {
        kind: 'refund',
        id: '',
        events: ['created'],
        payment,
        customer: payee,
        amount,
        link: destination === 'balance' ? null : destination,
        held: 0,
        earmark: null,
        session: newSession(nowMs),
        deadlineMs: null,
        waitingMs: null,
        status: 'requested',
        oddMoney: new Set(),
        failureCode: null,
      };
      payment.openRefunds += amount;
      hold(refund);
      refunds.push(refund);
      return 'done';
    },
    confirm(refund: ModelRefund, nowMs: number): string {
      const loss = lossOf(refund);
      if (loss) fail(refund, loss);
      else if (refund.held > 0 || hold(refund)) pay(refund);
      else {
        become(refund, 'pending_funds', { waitingMs: nowMs });
        refund.customer.isNews = true;
      }
      return 'done';
    },
    /** What the bank says. */
    answer(refund: ModelRefund, pays: boolean): string {
      if (refund.status !== 'processing') return 'invalid_state';
      if (pays) complete(refund);
      else fail(refund, 'account_closed');
      return 'done';
    },
    /** Serves those that wait, first in first out; one that does not fit blocks the rest. */
    serve(merchant: ModelPerson): void {
      if (merchant.status === 'suspended') return;
      for (const refund of waitingOf(merchant)) {
        const loss = lossOf(refund);
        if (loss) fail(refund, loss);
        else if (hold(refund)) pay(refund);
        else return;
      }
    },
    /** Those that wait for the user of a suspended or closing merchant. */
    restrict(merchant: ModelPerson): void {
      for (const one of refunds)
        if (one.customer === merchant && isOpen(one)) fail(one, 'account_restricted');
    },
    nextDueMs: (): number =>
      Math.min(
        ...refunds.map(({ waitingMs }) => (waitingMs === null ? Infinity : waitingMs + waitMs)),
        Infinity,
      ),
    runDue(nowMs: number): void {
      for (const refund of refunds)
        if (refund.waitingMs !== null && refund.waitingMs + waitMs <= nowMs)
          fail(refund, 'insufficient_funds');
    },
  };
}
