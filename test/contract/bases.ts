import type { Scenario } from './scenario.ts';

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
  /** The deployment may refuse it: what it asks for is not there yet. */
  readonly mayRefuse?: true;
}

const one = (make: Variant['make'], more: Partial<Variant> = {}): readonly Variant[] => [
  { name: 'base', make, ...more },
];
const again = (make: Variant['make']): readonly Variant[] => one(make, { again: true });

const ofCustomer = (s: Scenario) => ({ params: { id: s.payer.customerId } });
const ofAccount = (s: Scenario) => ({ params: { id: s.payer.accountId } });
const pageOfAccount = (s: Scenario) => ({ ...ofAccount(s), query: { limit: '2' } });

const payment = (s: Scenario) => ({
  payer_customer_id: s.payer.customerId,
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

/** A session that has ended, and so gave a result token (surfaces: Tests without a browser). */
async function endedSession(s: Scenario): Promise<string> {
  const body = { flow: 'terms_acceptance', customer_id: s.payer.customerId };
  const { id } = await s.post('/v1/sessions', body);
  await s.simulate('session.completed', id);
  return id;
}

const hour = 3_600_000;
const dayMs = 24 * hour;

const strangers = { client_id: 'cl_unknown', client_secret: 'cs_none' };

/** The last day that is over wherever the Tenant is, and has its report (decisions 2.3, Report). */
const reported = (s: Scenario) =>
  new Date(Date.parse(s.now) - 2 * dayMs).toISOString().slice(0, 10);

/**
 * The accepted requests of every operation of the contract, served already or not, by method and
 * path. The loop takes the operations from the catalog: one without a row here is a fault.
 */
export const bases: Readonly<Record<string, readonly Variant[]>> = {
  // Without the Tenant's credentials what is right here is refused as invalid_client.
  'POST /oauth/token': one(
    ({ credentials }) => ({
      body: { grant_type: 'client_credentials', ...(credentials ?? strangers) },
    }),
    { mayRefuse: true },
  ),
  'POST /v1/customers': again((s) => ({ body: { ...s.application('individual') } })),
  'GET /v1/customers': one(() => ({ query: { external_ref: 'contract-nobody' } })),
  'GET /v1/customers/:id': one(ofCustomer),
  'GET /v1/customers/:id/owners': one((s) => ({ params: { id: s.shop.customerId } })),
  'GET /v1/customers/:id/documents': one(ofCustomer),
  'POST /v1/customers/:id/close': one(async (s) => ({
    params: { id: (await s.approve('individual')).customerId },
    body: { reason: 'customer_request' },
  })),
  'POST /v1/sessions': again((s) => ({
    body: { flow: 'terms_acceptance', customer_id: s.payer.customerId },
  })),
  'POST /v1/sessions/exchange': one(async (s) => ({
    body: { result_token: `rt_test_${await endedSession(s)}` },
  })),
  'POST /v1/customers/:id/link-tokens': again((s) => ({
    ...ofCustomer(s),
    body: { platform: 'ios' },
  })),
  'POST /v1/customers/:id/linked-accounts': one(async (s) => ({
    params: { id: (await s.approve('individual')).customerId },
    body: { public_token: 'public-sandbox-standard', aggregator_account_id: null },
  })),
  'GET /v1/customers/:id/linked-accounts': one(ofCustomer),
  'DELETE /v1/customers/:id/linked-accounts/:linked_account_id': one(async (s) => {
    const person = await s.approve('individual');
    return { params: { id: person.customerId, linked_account_id: await s.link(person) } };
  }),
  'GET /v1/accounts': one((s) => ({ query: { customer_id: s.payer.customerId } })),
  'GET /v1/accounts/:id/balance': one(ofAccount),
  'GET /v1/accounts/:id/transactions': one(pageOfAccount),
  'GET /v1/accounts/:id/statements': one(pageOfAccount),
  'POST /v1/loads': again((s) => ({ body: { customer_id: s.payer.customerId, amount: 1_00 } })),
  'GET /v1/loads/:id': one((s) => ({ params: { id: s.loadId } })),
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
  'GET /v1/payment-requests/:id': one((s) => ({ params: { id: s.request.id } })),
  'POST /v1/payment-requests/:id/cancel': one(async (s) => {
    const body = { type: 'dynamic', ...paymentRequest(s), amount: 5_00 };
    return { params: { id: (await s.post('/v1/payment-requests', body)).id } };
  }),
  'POST /v1/payments': [
    { name: 'to a merchant', again: true, make: (s) => ({ body: payment(s) }) },
    {
      name: 'by code',
      again: true,
      only: ['qr_payload', 'amount', 'payee_customer_id'],
      make: (s) => {
        const { payee_customer_id: _, ...body } = payment(s);
        return { body: { ...body, qr_payload: s.request.qr } };
      },
    },
  ],
  'GET /v1/payments/:id': one((s) => ({ params: { id: s.paymentId } })),
  'POST /v1/payments/:id/cancel': one(async (s) => ({
    params: { id: (await s.post('/v1/payments', payment(s))).id },
  })),
  'POST /v1/withdrawals': again((s) => ({
    body: { customer_id: s.payer.customerId, amount: 1_00 },
  })),
  'GET /v1/withdrawals/:id': one(async (s) => {
    const body = { customer_id: s.payer.customerId, amount: 1_00 };
    return { params: { id: (await s.post('/v1/withdrawals', body)).id } };
  }),
  'POST /v1/refund-requests': again((s) => ({
    body: { payment_id: s.completedPaymentId, amount: 1, reason: 'other' },
  })),
  'GET /v1/refund-requests/:id': one(async (s) => {
    const body = { payment_id: s.completedPaymentId, amount: 1, reason: 'other' };
    return { params: { id: (await s.post('/v1/refund-requests', body)).id } };
  }),
  'POST /v1/disputes': again((s) => ({
    body: {
      customer_id: s.payer.customerId,
      type: 'error',
      payment_id: s.completedPaymentId,
      description: 'I was charged twice',
      notice_received_at: new Date(Date.parse(s.now) - hour).toISOString(),
    },
  })),
  'GET /v1/disputes': one((s) => ({ query: { customer_id: s.payer.customerId, limit: '2' } })),
  'GET /v1/webhook-events': one((s) => ({ query: { limit: '2', from: s.now } })),
  'POST /v1/webhook-events/:id/resend': again((s) => ({ params: { id: s.eventId } })),
  'GET /v1/reports/reconciliation': one((s) => ({ query: { date: reported(s) } })),
  'POST /v1/sandbox/simulate/:event': one(async (s) => {
    const body = { flow: 'terms_acceptance', customer_id: s.payer.customerId };
    const { id } = await s.post('/v1/sessions', body);
    return { params: { event: 'session.completed' }, body: { object_id: id } };
  }),
};
