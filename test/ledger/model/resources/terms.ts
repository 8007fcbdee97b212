import { effectiveFrom } from '../../../../service/resources/terms/effective.ts';
import type { Due, Ledger } from '../types.ts';
import { instant } from './dispute_rules.ts';

/** A limit that waits for its day. */
interface Waiting {
  readonly cents: number;
  readonly atMs: number;
}

/**
 * The limit of what individuals may pay in a day: it falls 21 days after the notice, and rises at once
 * (rules/documents#28).
 */
export function openTerms({ settings, people, clock }: Ledger) {
  let waiting: Waiting | null = null;
  const { payment_daily: limit } = settings.limits;
  const set = (cents: number) => Object.assign(limit, { individual: cents });
  const mustBeTold = () =>
    people.some(({ type, status }) => type === 'individual' && status !== 'closed');
  const isLower = (cents: number) => limit.individual === null || cents < limit.individual;

  return {
    limitPayments(cents: number, isForSecurity: boolean): string {
      if (cents === limit.individual) return 'done';
      waiting = null;
      if (!isLower(cents) || isForSecurity || !mustBeTold()) set(cents);
      // The day is found by the service's own calendar, which has its own test.
      else waiting = { cents, atMs: Date.parse(effectiveFrom(instant(clock.nowMs))) };
      return 'done';
    },
    *due(): Due {
      if (waiting === null) return;
      const { cents, atMs } = waiting;
      yield [
        atMs,
        () => {
          waiting = null;
          set(cents);
        },
      ];
    },
  };
}
