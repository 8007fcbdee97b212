import type { BankView } from '@tenant-payments/contract/hosted/bank.ts';

export type Bank = BankView['banks'][number];

/**
 * The token that the business exchanges for a linked account; the account id where the bank has
 * several.
 */
export interface Result {
  readonly public_token: string;
  readonly aggregator_account_id: string | null;
}
