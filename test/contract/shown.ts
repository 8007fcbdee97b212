import type { ReplyBody } from '../kit/http/http.ts';
import type { Held, Table } from './moves/attempts.ts';
import type { Scenario } from './scenario.ts';

/** The path where a Tenant reads a record: by its id, or in a list. The others show in their events alone. */
const readAt: Readonly<Partial<Record<Table, string>>> = {
  customer: '/v1/customers/:id',
  owner: '/v1/customers/:customer/owners',
  document_acceptance: '/portal/api/customers/:customer/documents?include=superseded',
  linked_account: '/v1/customers/:customer/linked-accounts',
  account: '/v1/accounts?customer_id=:customer',
  load: '/v1/loads/:id',
  payment_request: '/v1/payment-requests/:id',
  payment: '/v1/payments/:id',
  withdrawal: '/v1/withdrawals/:id',
  refund: '/v1/refund-requests/:id',
  dispute: '/v1/disputes?limit=100&customer_id=:customer',
};

/** The record as it is now; null where no operation shows it. */
export async function shown({ api }: Scenario, table: Table, { id, customerId = '' }: Held) {
  const path = readAt[table];
  if (!path) return null;
  const found = await api.get(path.replace(':id', id).replace(':customer', customerId));
  return found.object === 'list' ? found.data.find((one: ReplyBody) => one.id === id) : found;
}

/** The state of a record, whatever its status is called; null where nothing shows it. */
export const stateOf = (record: ReplyBody): string | null =>
  record?.status ?? record?.verification_status ?? record?.verification?.status ?? null;
