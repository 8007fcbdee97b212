import type { IdKind } from '@tenant-payments/contract/core/ids.ts';
import { lifecycles, type Resource } from '@tenant-payments/contract/lifecycles.ts';
import type { AnyTable } from '@tenant-payments/engine/table.ts';
import { accounts } from '@tenant-payments/service/resources/accounts/table.ts';
import { documents } from '@tenant-payments/service/resources/customers/documents/table.ts';
import { owners } from '@tenant-payments/service/resources/customers/owners/table.ts';
import { customers } from '@tenant-payments/service/resources/customers/table.ts';
import { disputes } from '@tenant-payments/service/resources/disputes/table.ts';
import { linkedAccounts } from '@tenant-payments/service/resources/linked_accounts/table.ts';
import { loads } from '@tenant-payments/service/resources/loads/table.ts';
import { paymentRequests } from '@tenant-payments/service/resources/payment_requests/table.ts';
import { payments } from '@tenant-payments/service/resources/payments/table.ts';
import { refunds } from '@tenant-payments/service/resources/refunds/table.ts';
import { sessions } from '@tenant-payments/service/resources/sessions/table.ts';
import { statements } from '@tenant-payments/service/resources/statements/table.ts';
import { withdrawals } from '@tenant-payments/service/resources/withdrawals/table.ts';

/** The tables of the records that have a wire id. A transaction has none: its events hold it. */
export const tableOf = {
  customer: customers,
  account: accounts,
  session: sessions,
  linked_account: linkedAccounts,
  load: loads,
  payment_request: paymentRequests,
  payment: payments,
  withdrawal: withdrawals,
  refund: refunds,
  dispute: disputes,
  statement: statements,
  owner: owners,
  document_acceptance: documents,
} as const satisfies Partial<Record<IdKind & Resource, AnyTable>>;

export type TableKind = keyof typeof tableOf;
export const isTableKind = (kind: string): kind is TableKind => kind in tableOf;
export const hasLifecycle = (kind: string): kind is Resource => kind in lifecycles;

/** Columns that name another record, by the kind that they name. */
export const namingColumns: Readonly<Record<string, IdKind>> = {
  customer_id: 'customer',
  payer_customer_id: 'customer',
  payee_customer_id: 'customer',
  merchant_customer_id: 'customer',
  account_id: 'account',
  payer_account_id: 'account',
  payee_account_id: 'account',
  merchant_account_id: 'account',
  linked_account_id: 'linked_account',
  credit_link_id: 'linked_account',
  session_id: 'session',
  onboarding_session_id: 'session',
  pin_reset_session_id: 'session',
  contact_change_session_id: 'session',
  terms_session_id: 'session',
  payment_request_id: 'payment_request',
  paid_payment_id: 'payment',
  payment_id: 'payment',
  counted_payment_id: 'payment',
  dispute_id: 'dispute',
  linked_to: 'dispute',
  transaction_id: 'transaction',
};

interface Naming {
  readonly kind: TableKind;
  readonly column: string;
}

/** The columns that name a record, by its kind: each has an index. */
export const namedBy: { readonly [K in IdKind]?: readonly Naming[] } = {
  customer: [
    { kind: 'linked_account', column: 'customer_id' },
    { kind: 'owner', column: 'customer_id' },
    { kind: 'document_acceptance', column: 'customer_id' },
    { kind: 'dispute', column: 'customer_id' },
  ],
  account: [
    { kind: 'load', column: 'account_id' },
    { kind: 'statement', column: 'account_id' },
  ],
  payment_request: [{ kind: 'payment', column: 'payment_request_id' }],
  payment: [
    { kind: 'refund', column: 'payment_id' },
    { kind: 'dispute', column: 'movement_id' },
  ],
  load: [{ kind: 'dispute', column: 'movement_id' }],
  withdrawal: [{ kind: 'dispute', column: 'movement_id' }],
  dispute: [{ kind: 'dispute', column: 'linked_to' }],
};
