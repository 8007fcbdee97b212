import type { DisputeCase } from '@tenant-payments/contract/resources/dispute_cases.ts';

/** What must be done by each deadline of a dispute. */
export const deadlineWords: Readonly<Record<keyof DisputeCase['deadlines'], string>> = {
  provisional_credit: 'Determination or provisional credit',
  result: 'End of the investigation',
  credit_notice: 'Notice of the credit',
  correction: 'Award paid',
  result_notice: 'Notice of the result',
  reversal: 'Credit taken back',
};
