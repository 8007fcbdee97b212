import type { PortalEndpoint } from '@tenant-payments/contract/portal/endpoint.ts';
import { listDisputes } from '@tenant-payments/contract/portal/operate/disputes.ts';
import * as contract from '@tenant-payments/contract/portal/records/lists.ts';
import type { Page, Position } from '../../core/pages.ts';
import { type AnyTable, shown } from '../../core/table.ts';
import { accounts } from '../../resources/accounts/table.ts';
import { customers } from '../../resources/customers/table.ts';
import { caseView } from '../../resources/disputes/case_view.ts';
import { type DisputeRow, disputes } from '../../resources/disputes/table.ts';
import { linkedAccounts } from '../../resources/linked_accounts/table.ts';
import { loads } from '../../resources/loads/table.ts';
import { paymentRequests } from '../../resources/payment_requests/table.ts';
import { payments } from '../../resources/payments/table.ts';
import type { ReadContext } from '../../resources/read_context.ts';
import { refunds } from '../../resources/refunds/table.ts';
import { sessions } from '../../resources/sessions/table.ts';
import { withdrawals } from '../../resources/withdrawals/table.ts';
import { foundPage, type Listed, type ListQuery, namedIn } from './found_page.ts';

const holder = namedIn('customer_id');

/** Every list of records: its operation, with path and statuses, and its table. */
export const recordLists = [
  { endpoint: contract.listCustomers, table: customers },
  {
    endpoint: contract.listPayments,
    table: payments,
    ofCustomer: namedIn('payer_customer_id', 'payee_customer_id'),
  },
  { endpoint: contract.listLoads, table: loads, ofCustomer: holder },
  { endpoint: contract.listWithdrawals, table: withdrawals, ofCustomer: holder },
  {
    endpoint: contract.listRefunds,
    table: refunds,
    ofCustomer: namedIn('payer_customer_id', 'merchant_customer_id'),
  },
  {
    endpoint: contract.listPaymentRequests,
    table: paymentRequests,
    ofCustomer: namedIn('merchant_customer_id'),
  },
  { endpoint: contract.listSessions, table: sessions, ofCustomer: holder },
  { endpoint: contract.listAccounts, table: accounts, made: 'opened_at', ofCustomer: holder },
  { endpoint: contract.listLinkedAccounts, table: linkedAccounts, ofCustomer: holder },
  { endpoint: listDisputes, table: disputes, ofCustomer: holder },
] as const satisfies readonly (Partial<Listed> & { endpoint: PortalEndpoint; table: AnyTable })[];

/** Records that the portal shows with more fields than the API. */
export const recordViews: Readonly<Record<string, (row: object) => object>> = {
  disputes: (row) => caseView(row as DisputeRow),
};

/**
 * GET /portal/api/{customers,payments,…}: newest first, each record as the API shows it.
 * @throws ApiError parameter_invalid for a cursor of another list, filter or tenant
 */
export const listRecords =
  ({ table, made = 'created_at', ofCustomer }: Partial<Listed> & { readonly table: AnyTable }) =>
  (context: ReadContext, query: ListQuery): Promise<Page<object>> => {
    const view = recordViews[table.name] ?? ((row) => shown(table, row));
    const listed: Listed = { name: table.name, made, ...(ofCustomer && { ofCustomer }) };
    return foundPage<Position, object>(context, listed, query, view);
  };
