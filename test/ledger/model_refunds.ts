import {
  type Book,
  dayMs,
  isOpen,
  type ModelPayment,
  type ModelPerson,
  type ModelRefund,
  newSession,
} from './model_types.ts';

/** How long one waits for the merchant's money (decisions 1.8). */
const waitMs = 30 * dayMs;

/** Refunds: held or waiting, to a balance at once or by the bank. */
export function openRefunds(book: Book) {
  const { refunds, settings } = book;

  const waitingOf = (merchant: ModelPerson): ModelRefund[] =>
    refunds
      .filter(({ customer, status }) => customer === merchant && status === 'pending_funds')
      .sort((a, b) => (a.waitingMs ?? 0) - (b.waitingMs ?? 0));

  function hold(refund: ModelRefund): void {
    const { customer, amount } = refund;
    customer.available -= amount;
    customer.earmarked += amount;
    refund.held = amount;
  }

  function fail(refund: ModelRefund, failureCode: string): void {
    const { customer, payment, amount, held } = refund;
    customer.earmarked -= held;
    customer.available += held;
    payment.openRefunds -= amount;
    const ended = { status: 'failed', failureCode, held: 0, waitingMs: null, deadlineMs: null };
    Object.assign(refund, ended);
    if (refund.session) refund.session.live = false;
    customer.isNews = true;
  }

  function complete(refund: ModelRefund): void {
    const { customer, payment, amount, destination } = refund;
    customer.earmarked -= amount;
    if (destination === 'balance') {
      payment.customer.available += amount;
      payment.customer.isNews = true;
    }
    Object.assign(refund, { status: 'completed', held: 0 });
    payment.openRefunds -= amount;
    payment.refunded += amount;
    payment.status = payment.refunded === payment.amount ? 'refunded' : 'partially_refunded';
    customer.isNews = true;
  }

  /** Funded: to a balance it completes at once, otherwise the bank has it. */
  function pay(refund: ModelRefund): void {
    Object.assign(refund, { status: 'processing', waitingMs: null });
    if (refund.destination === 'balance') complete(refund);
  }

  const isGone = ({ destination, payment }: ModelRefund) =>
    destination === 'balance' && payment.customer.status === 'closed';

  return {
    /** One that waits for money which does not come, or for somebody who is gone. */
    giveUp: (refund: ModelRefund): void =>
      fail(refund, isGone(refund) ? 'payer_account_closed' : 'insufficient_funds'),
    fail,
    isGone,
    waitingOf,
    create(payment: ModelPayment, amount: number, nowMs: number): string {
      const { payee, customer, source } = payment;
      const refundable = payment.status === 'completed' || payment.status === 'partially_refunded';
      if (!refundable) return 'invalid_state';
      if (payee.status !== 'active') return 'account_restricted';
      const closesMs = payment.completedMs + settings.refund_window_days * dayMs;
      if (nowMs > closesMs) return 'refund_window_closed';
      if (amount > payment.amount - payment.refunded - payment.openRefunds)
        return 'refund_exceeds_payment';
      const toBalance = source === 'balance' && customer.status !== 'closed';
      const refund: ModelRefund = {
        kind: 'refund',
        id: '',
        payment,
        customer: payee,
        amount,
        destination: toBalance ? 'balance' : 'bank_account',
        held: 0,
        session: newSession(nowMs),
        deadlineMs: null,
        waitingMs: null,
        status: 'requested',
        failureCode: null,
      };
      payment.openRefunds += amount;
      if (payee.available >= amount) hold(refund);
      refunds.push(refund);
      return 'done';
    },
    confirm(refund: ModelRefund, nowMs: number): string {
      const { customer, amount } = refund;
      if (isGone(refund)) fail(refund, 'payer_account_closed');
      else if (refund.held > 0) pay(refund);
      else if (customer.available >= amount) {
        hold(refund);
        pay(refund);
      } else {
        Object.assign(refund, { status: 'pending_funds', waitingMs: nowMs });
        customer.isNews = true;
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
        if (isGone(refund)) fail(refund, 'payer_account_closed');
        else if (merchant.available >= refund.amount) {
          hold(refund);
          pay(refund);
        } else return;
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
