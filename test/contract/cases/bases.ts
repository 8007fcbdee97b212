import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import { application } from '../../kit/person.ts';
import { until } from '../../kit/wait.ts';
import { closeEmpty, type Scenario } from '../scenario.ts';

/** A request that its operation accepts, before anything is made wrong in it. */
export interface Base {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

export interface Variant {
  readonly name: string;
  readonly make: (scenario: Scenario) => Base | Promise<Base>;
  /** Each call makes a request of its own that is accepted, so text can be tried by sending it. */
  readonly again?: true;
  /** Its fields that are tried; absent: all. Another variant tries the rest. */
  readonly only?: readonly string[];
  /** The deployment may refuse it: what it names is not there yet. */
  readonly mayRefuse?: true;
}

type Make = Variant['make'];
const one = (make: Make, more: Partial<Variant> = {}) => [{ name: 'base', make, ...more }];
/** Accepted as often as it is sent. */
const again = (body: (s: Scenario) => object, params?: (s: Scenario) => string) =>
  one((s) => ({ ...(params && { params: { id: params(s) } }), body: { ...body(s) } }), {
    again: true,
  });
/** The id in the path alone. */
const path = (id: (s: Scenario) => string | Promise<string>, query?: Base['query']) =>
  one(async (s) => ({ params: { id: await id(s) }, ...(query && { query }) }));

const payer = (s: Scenario) => s.payer.customerId;
const account = (s: Scenario) => s.payer.accountId;
const approved = async (s: Scenario) => (await s.api.approved('individual')).customerId;

const payment = (s: Scenario) => ({
  payer_customer_id: payer(s),
  payee_customer_id: s.shop.customerId,
  amount: 1,
  source: 'balance',
  order_reference: 'order-1',
  invoice_reference: 'invoice-1',
  description: 'Two paperbacks',
});
const paymentRequest = (s: Scenario) => ({
  merchant_customer_id: s.shop.customerId,
  order_reference: 'order-1',
});
const money = (s: Scenario) => ({ customer_id: payer(s), amount: 1_00 });
const terms = (s: Scenario) => ({ flow: 'terms_acceptance', customer_id: payer(s) });

const ofPayer = one((s) => ({ query: { customer_id: payer(s), limit: '2' } }));
const transactionsOf = async (s: Scenario) =>
  (await s.api.get(`/v1/accounts/${account(s)}/transactions?limit=1`)).data;

/** A statement: the last one of a closed account is there at once. */
async function statement({ api }: Scenario): Promise<string> {
  const closed = await api.approved('business');
  await closeEmpty(api, closed);
  const first = async () =>
    (await api.get(`/v1/accounts/${closed.accountId}/statements`)).data[0]?.id;
  await until(
    async () => {
      await api.simulate('customer.pin_locked', closed.customerId).catch(() => null);
      return (await first()) !== undefined;
    },
    { what: 'a statement', withinMs: 5_000, everyMs: 50 },
  );
  return first();
}

const hourMs = 3_600_000;
const before = (s: Scenario, hours: number) =>
  new Date(Date.parse(s.now) - hours * hourMs).toISOString();

/** The accepted requests of every operation, by method and path. */
const bases: Readonly<Record<string, readonly Variant[]>> = {
  // Without the Tenant's credentials even a correct request is refused as invalid_client.
  'POST /oauth/token': one(
    ({ credentials }) => ({
      body: {
        grant_type: 'client_credentials',
        ...(credentials ?? { client_id: 'cl_unknown', client_secret: 'cs_none' }),
      },
    }),
    { mayRefuse: true },
  ),
  'POST /v1/customers': again(() => application('individual')),
  'GET /v1/customers': one(() => ({ query: { external_ref: 'contract-unknown' } })),
  'GET /v1/customers/:id': path(payer),
  'GET /v1/customers/:id/owners': path((s) => s.shop.customerId),
  'GET /v1/customers/:id/documents': path(payer),
  'POST /v1/customers/:id/close': one(async (s) => ({
    params: { id: await approved(s) },
    body: { reason: 'customer_request' },
  })),
  'POST /v1/sessions': again(terms),
  'GET /v1/sessions/:id': path(
    async ({ api, shop }) => (await api.session('terms_acceptance', shop)).id,
  ),
  // A session that has ended has given a result token. Somebody's own: a new one of the same person would cancel it.
  'POST /v1/sessions/exchange': one(async ({ api }) => {
    const { id } = await api.confirmed(
      api.session('terms_acceptance', await api.approved('business')),
    );
    return { body: { result_token: `rt_test_${id}` } };
  }),
  'POST /v1/customers/:id/link-tokens': again(() => ({ platform: 'ios' }), payer),
  'POST /v1/customers/:id/linked-accounts': one(async (s) => ({
    params: { id: await approved(s) },
    body: { public_token: 'public-sandbox-standard', aggregator_account_id: null },
  })),
  'GET /v1/customers/:id/linked-accounts': path(payer),
  'DELETE /v1/customers/:id/linked-accounts/:linked_account_id': one(async ({ api }) => {
    const { customerId, linkedAccountId } = await api.banked('individual');
    return { params: { id: customerId, linked_account_id: linkedAccountId ?? '' } };
  }),
  'GET /v1/linked-accounts': ofPayer,
  'GET /v1/linked-accounts/:id': path((s) => s.payer.linkedAccountId ?? ''),
  'GET /v1/accounts': one((s) => ({ query: { customer_id: payer(s) } })),
  'GET /v1/accounts/:id': path(account),
  'GET /v1/accounts/:id/balance': path(account),
  'GET /v1/accounts/:id/transactions': path(account, { limit: '2' }),
  'GET /v1/transactions/:id': path(async (s) => (await transactionsOf(s))[0].id),
  'GET /v1/accounts/:id/statements': path(account, { limit: '2' }),
  'GET /v1/statements/:id': path(statement),
  'POST /v1/loads': again(money),
  'GET /v1/loads/:id': path((s) => s.load.id),
  'GET /v1/loads': ofPayer,
  'POST /v1/payment-requests': [
    {
      name: 'dynamic',
      again: true,
      make: (s) => ({
        body: { type: 'dynamic', ...paymentRequest(s), amount: 5_00, expires_in: 60 },
      }),
    },
    {
      name: 'static',
      again: true,
      only: ['type', 'collection_point', 'expires_in'],
      make: (s) => ({
        body: {
          type: 'static',
          ...paymentRequest(s),
          collection_point: { reference: 'counter-1', name: 'Counter 1' },
        },
      }),
    },
  ],
  'GET /v1/payment-requests/:id': path((s) => s.request.id),
  'GET /v1/payment-requests': one((s) => ({
    query: { customer_id: s.shop.customerId, limit: '2' },
  })),
  'POST /v1/payment-requests/:id/cancel': path(
    async ({ api, shop }) => (await api.request(shop, 5_00)).id,
  ),
  'POST /v1/payments': [
    { name: 'to a merchant', again: true, make: (s) => ({ body: payment(s) }) },
    {
      name: 'by code',
      again: true,
      only: ['qr_payload', 'amount', 'payee_customer_id'],
      make: (s) => {
        const { payee_customer_id: _, ...body } = payment(s);
        return { body: { ...body, qr_payload: s.request.qr_payload } };
      },
    },
  ],
  'GET /v1/payments/:id': path((s) => s.payment.id),
  'GET /v1/payments': ofPayer,
  'POST /v1/payments/:id/cancel': path(async (s) => (await s.api.pay(s.payer, s.shop, 1)).id),
  'POST /v1/withdrawals': again(money),
  'GET /v1/withdrawals/:id': path(async (s) => (await s.api.withdraw(s.payer, 1_00)).id),
  'GET /v1/withdrawals': ofPayer,
  'POST /v1/refund-requests': again((s) => ({
    payment_id: s.completed.id,
    amount: 1,
    reason: 'other',
  })),
  'GET /v1/refund-requests/:id': path(async (s) => (await s.api.refund(s.completed, 1)).id),
  'GET /v1/refund-requests': ofPayer,
  'POST /v1/disputes': again((s) => ({
    customer_id: payer(s),
    type: 'error',
    payment_id: s.completed.id,
    description: 'I was charged twice',
    notice_received_at: before(s, 1),
  })),
  'GET /v1/disputes': one((s) => ({ query: { customer_id: payer(s), limit: '2' } })),
  'GET /v1/disputes/:id': path(
    async (s) => (await s.api.dispute(s.payer, { payment_id: s.completed.id })).id,
  ),
  'GET /v1/webhook-events': one((s) => ({ query: { limit: '2', from: s.now } })),
  'GET /v1/webhook-events/:id': path((s) => s.eventId),
  'POST /v1/webhook-events/:id/resend': path((s) => s.eventId).map((variant) => ({
    ...variant,
    again: true,
  })),
  // A count alone: what is sent again would keep the receiver of the other cases busy.
  'POST /v1/webhook-events/recover': one((s) => ({
    body: { since: before(s, 48), until: s.now, missed: 'never_sent', dry_run: true },
  })),
  // The last day that is over in every time zone has its report.
  'GET /v1/reports/reconciliation': one((s) => ({
    query: { date: before(s, 48).slice(0, 10) },
  })),
  'POST /v1/sandbox/simulate/:event': one(async ({ api, payer }) => ({
    params: { event: 'session.completed' },
    body: { object_id: (await api.session('terms_acceptance', payer)).id },
  })),
};

/** @throws when an operation of the catalog has no row here */
export function variantsOf({ method, path }: EndpointDefinition): readonly Variant[] {
  const variants = bases[`${method} ${path}`];
  if (!variants) throw new Error(`test/contract/cases/bases.ts has no row for ${method} ${path}`);
  return variants;
}
