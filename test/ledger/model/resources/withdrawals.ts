import {
  type Book,
  become,
  count,
  dayMs,
  dayOf,
  fitsLimits,
  isOpen,
  type ModelLink,
  type ModelPerson,
  type ModelWithdrawal,
  newSession,
  workingLink,
} from '../types.ts';
import { isHeldUp } from './terms.ts';

/** Of loads and withdrawals (decisions 1.8, minimum). */
const minimumCents = 100;

/** Withdrawals to a bank, and the payouts of closing accounts. */
export function openWithdrawals(book: Book) {
  const { withdrawals } = book;

  function make(
    customer: ModelPerson,
    amount: number,
    link: ModelLink,
    rest: Pick<ModelWithdrawal, 'session' | 'day' | 'status' | 'events'>,
  ): void {
    customer.available -= amount;
    customer.pending += amount;
    withdrawals.push({
      kind: 'withdrawal',
      id: '',
      customer,
      amount,
      link,
      deadlineMs: null,
      oddMoney: new Set(),
      failureCode: null,
      ...rest,
    });
  }

  /** What it held goes back, and so does what was counted. */
  function fail(withdrawal: ModelWithdrawal, failureCode: string): void {
    const { customer, amount, day } = withdrawal;
    customer.pending -= amount;
    customer.available += amount;
    if (day !== null) count('withdrawal', customer, day, -amount);
    become(withdrawal, 'failed', { failureCode, deadlineMs: null });
    if (withdrawal.session) withdrawal.session.live = false;
    customer.isNews = true;
  }

  return {
    fail,
    create(customer: ModelPerson, amount: number, nowMs: number): string {
      if (amount < minimumCents) return 'parameter_invalid';
      if (customer.status !== 'active' || isHeldUp(customer, nowMs)) return 'account_restricted';
      const link = workingLink(customer, 'withdrawal');
      if (!link) return 'linked_account_required';
      if (link.holdUntilMs !== null) return 'withdrawal_hold';
      const day = dayOf(nowMs);
      if (!fitsLimits(book, 'withdrawal', customer, amount, day)) return 'limit_exceeded';
      if (customer.available < amount) return 'insufficient_funds';
      count('withdrawal', customer, day, amount);
      const status = 'requires_confirmation';
      const events = ['created'];
      make(customer, amount, link, { session: newSession(nowMs), day, status, events });
      return 'done';
    },
    /** What remains of a closing account (decisions 1.9); it waits for a bank account to send it to. */
    payOut(customer: ModelPerson): void {
      const link = workingLink(customer, 'withdrawal');
      const events = ['created', 'processing'];
      const rest = { session: null, day: null, status: 'processing', events } as const;
      if (link) make(customer, customer.available, link, rest);
    },
    confirm(withdrawal: ModelWithdrawal): string {
      // One that was removed meanwhile is paid nevertheless (contract: States).
      if (withdrawal.link.status === 'failed') fail(withdrawal, 'linked_account_failed');
      else become(withdrawal, 'processing');
      return 'done';
    },
    /** What the bank says. A rejected payout is tried again the next day. */
    answer(withdrawal: ModelWithdrawal, pays: boolean, nowMs: number): string {
      if (withdrawal.status !== 'processing') return 'invalid_state';
      const { customer, amount, day } = withdrawal;
      if (pays) {
        customer.pending -= amount;
        become(withdrawal, 'settled');
        customer.isNews = true;
        return 'done';
      }
      fail(withdrawal, 'account_closed');
      if (day !== null) return 'done';
      customer.isNews = false;
      customer.retryMs = nowMs + dayMs;
      return 'done';
    },
    /** Those that wait for the customer of a suspended or closing account. */
    restrict(customer: ModelPerson): void {
      for (const one of withdrawals)
        if (one.customer === customer && isOpen(one)) fail(one, 'account_restricted');
    },
  };
}
