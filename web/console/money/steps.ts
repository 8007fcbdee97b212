import type { RecipeName } from '@tenant-payments/contract/recipes.ts';
import { inWords } from '../../staff/parts/tell.ts';
import { capitalized } from '../desk/words.ts';

const words: Readonly<Partial<Record<RecipeName, string>>> = {
  pay_by_bank_completed: 'Payment by bank',
  refund_completed_bank: 'Refund to a bank',
  dispute_credited: 'Credit of a dispute',
  dispute_credit_sent: 'Credit of a dispute, to a bank',
  dispute_recovered: 'Recovered from a merchant',
  dispute_reversed: 'Credit of a dispute taken back',
  suspense_received: 'Unmatched money received',
  suspense_returned: 'Unmatched money sent back',
  adjusted: 'Adjustment to an account',
  adjusted_back: 'Adjustment from an account',
  reserve_funded: 'Funding',
};

/** A recipe of the ledger in words. */
export const stepInWords = (step: string): string =>
  (words as Readonly<Record<string, string>>)[step] ?? capitalized(inWords(step));
