import type { RecipeName } from '@tenant-payments/contract/recipes.ts';
import { inWords } from '../../staff/parts/tell.ts';
import { capitalized } from '../desk/words.ts';

const words: Readonly<Partial<Record<RecipeName, string>>> = {
  pay_by_bank_completed: 'Payment by bank',
  refund_completed_bank: 'Refund to a bank',
  dispute_credited: 'Credit of a dispute',
  dispute_credit_ordered: 'Credit of a dispute, ordered to a bank',
  dispute_credit_settled: 'Credit of a dispute, paid by the bank',
  dispute_credit_sent: 'Credit of a dispute, to a bank',
  dispute_recovered: 'Recovered from a merchant',
  dispute_reversed: 'Credit of a dispute taken back',
  suspense_received: 'Unmatched money received',
  recall_ordered: 'Load that a bank asked back, ordered',
  unordered_received: 'Money without an order received',
  suspense_kept: 'Money that no bank has taken',
  suspense_return_ordered: 'Return of unmatched money, ordered',
  suspense_return_settled: 'Return of unmatched money, paid by the bank',
  suspense_returned: 'Unmatched money sent back',
  adjusted: 'Adjustment to an account',
  adjusted_back: 'Adjustment from an account',
  top_up_ordered: 'Funding, ordered',
  top_up_settled: 'Funding, paid by the bank',
  sent_after_failure: 'Transfer executed after failing, or beyond its amount',
  received_after_failure: 'Money of a transfer that had failed, or fell short',
  top_up_failed: 'Funding, refused by the bank',
  reserve_funded: 'Funding',
};

/** A recipe of the ledger in words. */
export const stepInWords = (step: string): string =>
  (words as Readonly<Record<string, string>>)[step] ?? capitalized(inWords(step));
