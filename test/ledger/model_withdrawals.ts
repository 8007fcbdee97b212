import {
  type Book,
  count,
  dayMs,
  dayOf,
  fitsLimits,
  isOpen,
  type ModelPerson,
  type ModelWithdrawal,
  newSession,
} from './model_types.ts';

/** Of loads and withdrawals (decisions 1.8, minimum). */
const minimumCents = 100;

/** Withdrawals to a bank, and the payouts of closing accounts. */
export function openWithdrawals(book: Book) {
  const { withdrawals } = book;

  function make(
    customer: ModelPerson,
    amount: number,
    rest: Pick<ModelWithdrawal, 'session' | 'day' | 'status'>,
  ): void {
    customer.available -= amount;
    customer.pending += amount;
    withdrawals.push({
      kind: 'withdrawal',
      id: '',
      customer,
      amount,
      deadlineMs: null,
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
    Object.assign(withdrawal, { status: 'failed', failureCode, deadlineMs: null });
    if (withdrawal.session) withdrawal.session.live = false;
    customer.isNews = true;
  }

  return {
    fail,
    create(customer: ModelPerson, amount: number, nowMs: number): string {
      if (amount < minimumCents) return 'parameter_invalid';
      if (customer.status !== 'active') return 'account_restricted';
      const day = dayOf(nowMs);
      if (!fitsLimits(book, 'withdrawal', customer, amount, day)) return 'limit_exceeded';
      if (customer.available < amount) return 'insufficient_funds';
      count('withdrawal', customer, day, amount);
      make(customer, amount, { session: newSession(nowMs), day, status: 'requires_confirmation' });
      return 'done';
    },
    /** What remains of a closing account (decisions 1.9). */
    payOut: (customer: ModelPerson): void =>
      make(customer, customer.available, { session: null, day: null, status: 'processing' }),
    confirm(withdrawal: ModelWithdrawal): string {
      withdrawal.status = 'processing';
      return 'done';
    },
    /** What the bank says. A rejected payout is tried again the next day. */
    answer(withdrawal: ModelWithdrawal, pays: boolean, nowMs: number): string {
      if (withdrawal.status !== 'processing') return 'invalid_state';
      const { customer, amount, day } = withdrawal;
      if (pays) {
        customer.pending -= amount;
        withdrawal.status = 'settled';
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
