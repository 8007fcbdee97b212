import type { DisputeCase } from '@tenant-payments/contract/resources/dispute_cases.ts';

/** The act that each deadline of a dispute demands. */
export const deadlineWords: Readonly<Record<keyof DisputeCase['deadlines'], string>> = {
  provisional_credit: 'Determination or provisional credit',
  result: 'End of the investigation',
  credit_notice: 'Notice of the credit',
  correction: 'Award paid',
  result_notice: 'Notice of the result',
  reversal: 'Credit taken back',
};
