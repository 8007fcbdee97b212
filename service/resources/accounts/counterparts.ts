import { publicId } from '@tenant-payments/contract/core/ids.ts';
import type { Counterparty } from '@tenant-payments/contract/resources/accounts.ts';
import type { Counterpart } from '@tenant-payments/engine/ledger.ts';

/** The shown facts of an account's holder. */
export interface ShownHolder {
  readonly type: 'consumer' | 'merchant';
  readonly customer_id: string;
  readonly holder_name: string | null;
}

/** The shown facts of a bank account. */
export interface ShownBankAccount {
  readonly institution_name: string;
  readonly account_mask: string;
}

/** A customer of the same Tenant as the other side of a Transaction (rules/accounts#17). */
export const holderView = (account: ShownHolder): Counterparty => ({
  type: account.type,
  customer_id: publicId('customer', account.customer_id),
  display_name: account.holder_name ?? '',
});

/** A bank account as the other side: institution and mask (rules/accounts#17). */
export const bankAccountView = (link: ShownBankAccount): Counterparty => ({
  type: 'bank_account',
  customer_id: null,
  display_name: `${link.institution_name} ${link.account_mask}`,
});

export const accountCounterpart = (
  account: ShownHolder & { readonly id: string },
): Counterpart => ({
  kind: 'account',
  id: account.id,
  shown: holderView(account),
});

export const bankCounterpart = (link: ShownBankAccount & { readonly id: string }): Counterpart => ({
  kind: 'linked_account',
  id: link.id,
  shown: bankAccountView(link),
});
