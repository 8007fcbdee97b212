import type { Page, Position } from '@tenant-payments/engine/pages.ts';
import { shown } from '@tenant-payments/engine/table.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { accounts } from '@tenant-payments/service/resources/accounts/table.ts';
import { customers } from '@tenant-payments/service/resources/customers/table.ts';
import { caseView } from '@tenant-payments/service/resources/disputes/case_view.ts';
import { type DisputeRow, disputes } from '@tenant-payments/service/resources/disputes/table.ts';
import {
  foundPage,
  type ListedTable,
  type ListQuery,
  namedIn,
} from '@tenant-payments/service/resources/found_page.ts';
import { linkedAccounts } from '@tenant-payments/service/resources/linked_accounts/table.ts';
import { loads } from '@tenant-payments/service/resources/loads/table.ts';
import { paymentRequests } from '@tenant-payments/service/resources/payment_requests/table.ts';
import { payments } from '@tenant-payments/service/resources/payments/table.ts';
import { refunds } from '@tenant-payments/service/resources/refunds/table.ts';
import { sessions } from '@tenant-payments/service/resources/sessions/table.ts';
import { withdrawals } from '@tenant-payments/service/resources/withdrawals/table.ts';
import type { PortalEndpoint } from '../../contract/endpoint.ts';
import { listDisputes } from '../../contract/operate/disputes.ts';
import * as contract from '../../contract/records/lists.ts';
import { alsoAsFile, type FileQuery } from '../../files/list_file.ts';
import { recordFile } from './list_file.ts';

const holder = namedIn('customer_id');

/** Every list of records: its operation, with path and statuses, and its table. */
export const recordLists = [
  { endpoint: contract.listCustomers, table: customers },
  {
    endpoint: contract.listPayments,
    table: payments,
    ofCustomer: namedIn('payer_customer_id', 'payee_customer_id'),
    indexed: true,
  },
  { endpoint: contract.listLoads, table: loads, ofCustomer: holder, indexed: true },
  { endpoint: contract.listWithdrawals, table: withdrawals, ofCustomer: holder, indexed: true },
  {
    endpoint: contract.listRefunds,
    table: refunds,
    ofCustomer: namedIn('payer_customer_id', 'merchant_customer_id'),
    indexed: true,
  },
  {
    endpoint: contract.listPaymentRequests,
    table: paymentRequests,
    ofCustomer: namedIn('merchant_customer_id'),
    indexed: true,
  },
  { endpoint: contract.listSessions, table: sessions, ofCustomer: holder },
  { endpoint: contract.listAccounts, table: accounts, made: 'opened_at', ofCustomer: holder },
  {
    endpoint: contract.listLinkedAccounts,
    table: linkedAccounts,
    ofCustomer: holder,
    indexed: true,
  },
  { endpoint: listDisputes, table: disputes, ofCustomer: holder },
] as const satisfies readonly (ListedTable & { endpoint: PortalEndpoint })[];

/** Records that the portal shows with more fields than the API. */
export const recordViews: Readonly<Record<string, (row: object) => object>> = {
  disputes: (row) => caseView(row as DisputeRow),
};

/**
 * GET /portal/api/{customers,payments,…}: newest first, each record as the API shows it; or all of them as a file.
 * @throws ApiError parameter_invalid for a cursor of another list, filter or tenant
 */
export function listRecords(listed: ListedTable) {
  const { name } = listed.table;
  const view = recordViews[name] ?? ((row: object) => shown(listed.table, row));
  const list = (context: ReadContext, query: ListQuery & FileQuery): Promise<Page<object>> =>
    foundPage<Position, object>(context, listed, query, view);
  return alsoAsFile(list, recordFile(name));
}
