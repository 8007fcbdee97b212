import type { ReplyBody } from '../kit/http.ts';
import type { Tabled } from './states.ts';
import type { Held, World } from './world.ts';

type Reader = (w: World, record: Held) => Promise<ReplyBody>;

const at =
  (path: string): Reader =>
  (w, { id }) =>
    w.get(`${path}/${id}`);

const listed =
  (path: (record: Held) => string): Reader =>
  async (w, record) =>
    (await w.get(path(record))).data.find(({ id }: ReplyBody) => id === record.id);

const ofCustomer = (what: string) =>
  listed(({ customerId }) => `/v1/customers/${customerId}/${what}`);

/** How a Tenant sees a record; null: it cannot, and only its events tell. */
const readers: Readonly<Record<Tabled, Reader | null>> = {
  customer: at('/v1/customers'),
  owner: ofCustomer('owners'),
  document_acceptance: ofCustomer('documents'),
  session: null,
  linked_account: ofCustomer('linked-accounts'),
  account: listed(({ customerId }) => `/v1/accounts?customer_id=${customerId}`),
  transaction: null,
  load: at('/v1/loads'),
  payment_request: at('/v1/payment-requests'),
  payment: at('/v1/payments'),
  withdrawal: at('/v1/withdrawals'),
  refund: at('/v1/refund-requests'),
  statement: null,
  reconciliation_report: null,
  dispute: listed(({ customerId }) => `/v1/disputes?limit=100&customer_id=${customerId}`),
  adjustment: null,
  bank_message: null,
};

/** The record as it is now; null where no operation shows it. */
export const shown = async (w: World, table: Tabled, record: Held): Promise<ReplyBody> =>
  readers[table] === null ? null : readers[table](w, record);

/** Where a record stands, whatever its status is called; null where nothing shows it. */
export const stateOf = (record: ReplyBody): string | null =>
  record?.status ?? record?.verification_status ?? record?.verification?.status ?? null;
