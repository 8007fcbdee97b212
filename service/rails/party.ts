import type { bankAccountTypes } from '@tenant-payments/contract/resources/linked_accounts.ts';
import type { Address } from './identity.ts';

/** A bank account by the numbers that the networks carry. They are in orders alone: never logged, never shown. */
export interface AccountRef {
  /** Nine digits with the right check digit. */
  readonly routing: string;
  readonly account: string;
  readonly type: (typeof bankAccountTypes)[number];
  /** The bank gave a number for this consent alone: it pays and is paid like the account's own, until that ends. */
  readonly tokenized: boolean;
}

/** The customer whose bank account pays or is paid. */
export interface Counterparty {
  /** In full, as the identity provider has proven it. */
  readonly name: string;
  readonly kind: 'individual' | 'business';
  /** Null: the service does not keep it; under `IDENTITY=manual` it does (rules/identity#11). */
  readonly address: Address | null;
  /** Null: the aggregator gives no numbers, and the bank knows the account by the order's `reference`. */
  readonly account: AccountRef | null;
}
