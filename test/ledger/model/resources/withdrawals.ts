import {
  become,
  count,
  type Due,
  dayMs,
  dayOf,
  endTarget,
  fitsLimits,
  isHeldUp,
  type Ledger,
  type ModelLink,
  type ModelPerson,
  type ModelWithdrawal,
  newSession,
  newTarget,
  workingLink,
} from '../types.ts';
import { hasFailed } from './links.ts';

const minimumCents = 100;

/** Withdrawals to a bank, and the payouts of closing accounts. */
export function openWithdrawals(ledger: Ledger) {
  const { withdrawals, people, clock } = ledger;

  function make(
    customer: ModelPerson,
    amount: number,
    link: ModelLink,
    rest: Pick<ModelWithdrawal, 'session' | 'day' | 'status' | 'events'>,
  ): void {
    customer.available -= amount;
    customer.pending += amount;
    withdrawals.push({ ...newTarget(), kind: 'withdrawal', customer, amount, link, ...rest });
  }

  /** Fails a withdrawal: held and counted amounts are given back. */
  function fail(withdrawal: ModelWithdrawal, failureCode: string): void {
    const { customer, amount, day } = withdrawal;
    customer.pending -= amount;
    customer.available += amount;
    if (day !== null) count('withdrawal', customer, day, -amount);
    endTarget(withdrawal, 'failed', failureCode);
    customer.isNews = true;
  }

  return {
    end: fail,
    create(customer: ModelPerson, amount: number): string {
      if (amount < minimumCents) return 'parameter_invalid';
      if (customer.status !== 'active' || isHeldUp(customer, ledger)) return 'account_restricted';
      const link = workingLink(customer, 'withdrawal');
      if (!link) return 'linked_account_required';
      if (link.holdUntilMs !== null) return 'withdrawal_hold';
      const day = dayOf(clock.nowMs);
      if (!fitsLimits(ledger, 'withdrawal', customer, amount, day)) return 'limit_exceeded';
      if (customer.available < amount) return 'insufficient_funds';
      count('withdrawal', customer, day, amount);
      const status = 'requires_confirmation';
      make(customer, amount, link, {
        session: newSession(ledger),
        day,
        status,
        events: ['created'],
      });
      return 'done';
    },
    /** Pays out what remains of a closing account; it waits for a bank account that takes it, without a hold. */
    payOut(customer: ModelPerson): void {
      const link = workingLink(customer, 'withdrawal');
      const events = ['created', 'processing'];
      const rest = { session: null, day: null, status: 'processing', events } as const;
      if (link && link.holdUntilMs === null) make(customer, customer.available, link, rest);
    },
    confirm(withdrawal: ModelWithdrawal): string {
      // One whose bank account was removed meanwhile is paid nevertheless.
      if (hasFailed(withdrawal.link)) fail(withdrawal, 'linked_account_failed');
      else become(withdrawal, 'processing');
      return 'done';
    },
    /** A rejected payout is tried again the next day. */
    answer(withdrawal: ModelWithdrawal, pays: boolean): void {
      const { customer, amount, day } = withdrawal;
      if (pays) {
        customer.pending -= amount;
        become(withdrawal, 'settled');
        customer.isNews = true;
        return;
      }
      fail(withdrawal, 'account_closed');
      if (day === null) Object.assign(customer, { isNews: false, retryMs: clock.nowMs + dayMs });
    },
    *due(): Due {
      for (const person of people)
        yield [person.retryMs, () => Object.assign(person, { retryMs: null, isNews: true })];
    },
  };
}
