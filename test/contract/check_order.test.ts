import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import type { ErrorCode } from '@tenant-payments/contract/core/errors.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServer, startTestServer } from '../kit/server.ts';
import { bases } from './bases.ts';
import { playCast as playRefusals } from './cast.ts';
import { pairs } from './order_faults.ts';
import { checkOrders } from './orders.ts';
import { type Draft, draftOf, newKey, rawOf } from './requests.ts';
import { operations } from './run.ts';
import { type Person, playScenario, type Scenario } from './scenario.ts';
import { openSender } from './send.ts';
import { openWorld } from './world.ts';

/** The Tenant of the general pairs, with every flow on. */
let open: Scenario;
/** The same with every flow switched off after it was played. */
let shut: Scenario;
let spentToken: string;
const usedKey = newKey();

const rateLimit = 10_000_000;
const server = await openServer({ tenant: { rateLimit } });
const sender = openSender(server.baseUrl);
beforeAll(async () => {
  const [other, spent] = await Promise.all([
    server.anotherTenant({ rateLimit }),
    server.anotherTenant({ rateLimit: 1 }),
  ]);
  spentToken = spent.token;
  [open, shut] = await Promise.all([
    playScenario(server.baseUrl, server.token),
    playScenario(server.baseUrl, other.token),
  ]);
  const { body } = await server.call('GET', '/portal/api/settings', { token: other.token });
  const flows = Object.fromEntries(Object.keys(body.flows).map((flow) => [flow, false]));
  await server.call('PUT', '/portal/api/settings', { token: other.token, body: { flows } });
  const used = { type: 'dynamic', merchant_customer_id: open.shop.customerId, amount: 1 };
  await server.call('POST', '/v1/payment-requests', { key: usedKey, body: used });
});
afterAll(async () => {
  await sender.close();
});

/** Takes the one request that the window of the moment allows. */
const spend = () => server.call('GET', '/v1/payments/pay_x', { token: spentToken });

async function tell(draft: Draft) {
  const { status, body } = await sender.send(rawOf(draft));
  const { code, param, details } = body?.error ?? {};
  return { status, code, param, reason: details?.reason };
}

const authenticated = operations.filter((endpoint) => endpoint.authenticated !== false);

test.each(authenticated.map((endpoint): [string, EndpointDefinition] => [endpoint.id, endpoint]))(
  '%s tells the earlier of any two general faults',
  async (_, endpoint) => {
    const [variant] = bases[`${endpoint.method} ${endpoint.path}`] ?? [];
    if (!variant) throw new Error(`no base for ${endpoint.id}`);
    const draft = draftOf(endpoint, await variant.make(open), open.token);
    const means = { spentToken, usedKey };
    for (const [first, second] of pairs) {
      if (!first.applies(draft) || !second.applies(draft)) continue;
      if (first.name === 'a spent rate') await spend();
      const told = await tell(first.make(second.make(draft, means), means));
      const [code, param, reason] = first.told;
      const what = `${first.name} and ${second.name}`;
      expect({ what, ...told }).toMatchObject({ what, code, param, ...(reason && { reason }) });
    }
  },
);

/** People that the pairs of one operation need. */
interface Cast {
  readonly unverified: string;
  readonly suspended: Person;
  readonly unlinked: Person;
  readonly rtpOnly: Person;
  readonly suspendedShop: Person;
  readonly requests: Readonly<Record<'canceled' | 'paid' | 'expired' | 'large', string>>;
}
let cast: Cast;

const unknownCustomer = `cus_${'0'.repeat(32)}`;
const unknownLoad = `load_${'0'.repeat(32)}`;

const askFor = (s: Scenario, amount: number, expires_in = 600) =>
  s.post('/v1/payment-requests', {
    type: 'dynamic',
    merchant_customer_id: s.shop.customerId,
    amount,
    expires_in,
  });

const payFor = (s: Scenario, more: object) =>
  s.post('/v1/payments', { payer_customer_id: s.payer.customerId, source: 'balance', ...more });

async function playRequests(s: Scenario): Promise<Cast['requests']> {
  const canceled = await askFor(s, 100);
  await s.post(`/v1/payment-requests/${canceled.id}/cancel`);
  const paid = await askFor(s, 100);
  await s.simulate('session.completed', (await payFor(s, { qr_payload: paid.qr_payload })).id);
  const expired = await askFor(s, 100);
  await s.simulate('payment_request.expired', expired.id);
  const large = await askFor(s, 6_000_00);
  const payloads = { canceled, paid, expired, large };
  const entries = Object.entries(payloads).map(([name, { qr_payload }]) => [name, qr_payload]);
  return Object.fromEntries(entries) as Cast['requests'];
}

async function playCast(s: Scenario): Promise<Cast> {
  const [unverified, suspended, unlinked, rtpOnly, suspendedShop] = await Promise.all([
    s.post('/v1/customers', { ...s.application('individual') }),
    s.approve('individual'),
    s.approve('individual'),
    s.approve('individual'),
    s.approve('business'),
  ]);
  await s.simulate('account.suspended', suspended.accountId);
  await s.simulate('account.suspended', suspendedShop.accountId);
  const link = await s.post(`/v1/customers/${rtpOnly.customerId}/linked-accounts`, {
    public_token: 'public-sandbox-rtp_only',
  });
  await s.simulate('linked_account.verified', link.id);
  const requests = await playRequests(s);
  return { unverified: unverified.id, suspended, unlinked, rtpOnly, suspendedShop, requests };
}

const tooMuch = 5_000_01;
const taken = async (s: Scenario, of: 'ref' | 'both') => {
  const first = s.application('individual');
  await s.post('/v1/customers', { ...first });
  const { external_ref, mobile_number } = first;
  const again = { ...s.application('individual'), external_ref };
  return of === 'both' ? { ...again, mobile_number } : again;
};
const payment = (s: Scenario, more: object) => ({
  payer_customer_id: s.payer.customerId,
  source: 'balance',
  ...more,
});

type Row = readonly [
  what: string,
  path: (s: Scenario) => string,
  body: (s: Scenario) => object | Promise<object>,
  told: readonly [code: ErrorCode, param?: string],
];

const customersPath = () => '/v1/customers';
const loadsPath = () => '/v1/loads';
const requestsPath = () => '/v1/payment-requests';
const paymentsPath = () => '/v1/payments';
const sessionsPath = () => '/v1/sessions';
const linksOf =
  (id: (s: Scenario) => string, what: 'linked-accounts' | 'link-tokens') => (s: Scenario) =>
    `/v1/customers/${id(s)}/${what}`;
const nobody = () => unknownCustomer;

/** Of a Tenant whose flows are all switched off. */
const flowRows: readonly Row[] = [
  [
    'prefill of the other type before flow_not_enabled',
    customersPath,
    (s) => ({ ...s.application('individual'), prefill: { legal_name: 'x' } }),
    ['parameter_invalid', 'prefill.legal_name'],
  ],
  [
    'a number of another country before flow_not_enabled',
    customersPath,
    (s) => ({ ...s.application('individual'), mobile_number: '+14165550123' }),
    ['parameter_invalid', 'mobile_number'],
  ],
  [
    'flow_not_enabled before duplicate_external_ref',
    customersPath,
    async (s) => {
      const { external_ref } = await s.get(`/v1/customers/${s.payer.customerId}`);
      return { ...s.application('individual'), external_ref };
    },
    ['flow_not_enabled'],
  ],
  [
    'an amount below the minimum before flow_not_enabled',
    loadsPath,
    (s) => ({ customer_id: s.payer.customerId, amount: 99 }),
    ['parameter_invalid', 'amount'],
  ],
  [
    'flow_not_enabled before customer_not_verified',
    loadsPath,
    () => ({ customer_id: unknownCustomer, amount: 100 }),
    ['flow_not_enabled'],
  ],
  [
    'a missing amount before flow_not_enabled',
    requestsPath,
    (s) => ({ type: 'dynamic', merchant_customer_id: s.shop.customerId }),
    ['parameter_missing', 'amount'],
  ],
  [
    'flow_not_enabled before an amount above the maximum',
    requestsPath,
    (s) => ({ type: 'dynamic', merchant_customer_id: s.shop.customerId, amount: 100_000_00 }),
    ['flow_not_enabled'],
  ],
  [
    'flow_not_enabled before payee_not_eligible',
    requestsPath,
    () => ({ type: 'dynamic', merchant_customer_id: unknownCustomer, amount: 100 }),
    ['flow_not_enabled'],
  ],
  [
    'two ways to name the payee before flow_not_enabled',
    paymentsPath,
    (s) => payment(s, { payee_customer_id: s.shop.customerId, qr_payload: s.request.qr }),
    ['parameter_invalid', 'payee_customer_id'],
  ],
  [
    'flow_not_enabled before a missing invoice_reference',
    paymentsPath,
    (s) => ({
      ...payment(s, { payee_customer_id: s.shop.customerId, amount: 1 }),
      payer_customer_id: s.shop.customerId,
    }),
    ['flow_not_enabled'],
  ],
  [
    'flow_not_enabled before customer_not_verified',
    paymentsPath,
    (s) => payment(s, { payer_customer_id: unknownCustomer, payee_customer_id: 'x', amount: 1 }),
    ['flow_not_enabled'],
  ],
];

const rows: readonly Row[] = [
  [
    'duplicate_external_ref before duplicate_mobile_number',
    customersPath,
    (s) => taken(s, 'both'),
    ['duplicate_external_ref', 'external_ref'],
  ],
  [
    'a missing redirect_uri before not_found',
    linksOf(nobody, 'link-tokens'),
    () => ({ platform: 'web' }),
    ['parameter_missing', 'redirect_uri'],
  ],
  [
    'an unregistered redirect_uri before not_found',
    linksOf(nobody, 'link-tokens'),
    () => ({ platform: 'web', redirect_uri: 'https://unknown.example' }),
    ['parameter_invalid', 'redirect_uri'],
  ],
  [
    'not_found before link_token_mismatch',
    linksOf(nobody, 'linked-accounts'),
    () => ({ public_token: 'nonsense' }),
    ['not_found'],
  ],
  [
    'linked_account_exists before link_token_mismatch',
    linksOf((s) => s.payer.customerId, 'linked-accounts'),
    () => ({ public_token: 'nonsense' }),
    ['linked_account_exists'],
  ],
  [
    'customer_not_verified before link_token_mismatch',
    linksOf(() => cast.unverified, 'linked-accounts'),
    () => ({ public_token: 'nonsense' }),
    ['customer_not_verified'],
  ],
  [
    'a missing target before session_invalid',
    sessionsPath,
    () => ({ flow: 'payment_confirm', customer_id: unknownCustomer }),
    ['parameter_missing', 'target'],
  ],
  [
    'session_invalid before invalid_state of the target',
    sessionsPath,
    (s) => ({
      flow: 'payment_confirm',
      customer_id: s.payer.customerId,
      target: { type: 'payment', id: s.completedPaymentId },
      return_url: 'https://unknown.example',
    }),
    ['session_invalid', 'return_url'],
  ],
  [
    'session_invalid before invalid_state of the customer',
    sessionsPath,
    (s) => ({
      flow: 'onboarding',
      customer_id: s.payer.customerId,
      target: { type: 'payment', id: s.paymentId },
    }),
    ['session_invalid', 'target'],
  ],
  [
    'customer_not_verified before limit_exceeded',
    loadsPath,
    () => ({ customer_id: cast.unverified, amount: tooMuch }),
    ['customer_not_verified'],
  ],
  [
    'account_restricted before linked_account_required',
    loadsPath,
    () => ({ customer_id: cast.suspended.customerId, amount: tooMuch }),
    ['account_restricted'],
  ],
  [
    'linked_account_required before limit_exceeded',
    loadsPath,
    () => ({ customer_id: cast.unlinked.customerId, amount: tooMuch }),
    ['linked_account_required'],
  ],
  [
    'capability_unavailable before limit_exceeded',
    loadsPath,
    () => ({ customer_id: cast.rtpOnly.customerId, amount: tooMuch }),
    ['capability_unavailable'],
  ],
  [
    'an amount above the maximum before payee_not_eligible',
    requestsPath,
    () => ({ type: 'dynamic', merchant_customer_id: unknownCustomer, amount: 100_000_00 }),
    ['parameter_invalid', 'amount'],
  ],
  [
    'a missing invoice_reference before account_restricted',
    paymentsPath,
    (s) =>
      payment(s, {
        payer_customer_id: cast.suspendedShop.customerId,
        payee_customer_id: unknownCustomer,
        amount: 1,
      }),
    ['parameter_missing', 'invoice_reference'],
  ],
  [
    'customer_not_verified before payee_not_eligible',
    paymentsPath,
    (s) => payment(s, { payer_customer_id: cast.unverified, payee_customer_id: 'x', amount: 1 }),
    ['customer_not_verified'],
  ],
  [
    'customer_not_verified before payment_request_invalid',
    paymentsPath,
    (s) => payment(s, { payer_customer_id: cast.unverified, qr_payload: 'nonsense' }),
    ['customer_not_verified'],
  ],
  [
    'account_restricted before payee_not_eligible',
    paymentsPath,
    (s) =>
      payment(s, {
        payer_customer_id: cast.suspended.customerId,
        payee_customer_id: 'x',
        amount: 1,
      }),
    ['account_restricted'],
  ],
  [
    'payee_not_eligible before limit_exceeded',
    paymentsPath,
    (s) => payment(s, { payee_customer_id: cast.suspendedShop.customerId, amount: tooMuch }),
    ['payee_not_eligible'],
  ],
  ...(['canceled', 'paid', 'expired'] as const).map((state): Row => {
    const code = state === 'canceled' ? 'payment_request_invalid' : `payment_request_${state}`;
    return [
      `${code} before amount_mismatch`,
      paymentsPath,
      (s) => payment(s, { qr_payload: cast.requests[state], amount: 101 }),
      [code as ErrorCode],
    ];
  }),
  [
    'amount_mismatch before limit_exceeded',
    paymentsPath,
    (s) => payment(s, { qr_payload: cast.requests.large, amount: 6_000_01 }),
    ['amount_mismatch', 'amount'],
  ],
  [
    'limit_exceeded before insufficient_funds',
    paymentsPath,
    (s) => payment(s, { payee_customer_id: s.shop.customerId, amount: tooMuch }),
    ['limit_exceeded'],
  ],
  [
    'a failure_code of another event before not_found',
    () => '/v1/sandbox/simulate/load.failed',
    () => ({ object_id: unknownLoad, failure_code: 'owner_mismatch' }),
    ['parameter_invalid', 'failure_code'],
  ],
  [
    'a failure_code of another event before invalid_state',
    () => '/v1/sandbox/simulate/load.failed',
    (s) => ({ object_id: s.loadId, failure_code: 'owner_mismatch' }),
    ['parameter_invalid', 'failure_code'],
  ],
];

async function toldOf(s: Scenario, [, path, body]: Row) {
  const reply = await server.call('POST', path(s), {
    token: s.token,
    key: newKey(),
    body: await body(s),
  });
  return reply.body.error;
}

describe('of two specific faults the earlier is told:', () => {
  beforeAll(async () => {
    cast = await playCast(open);
  });

  test.each(rows.map((row) => [row[0], row] as const))('%s', async (_, row) => {
    const [code, param = null] = row[3];
    expect(await toldOf(open, row)).toMatchObject({ code, ...(param && { param }) });
  });

  test.each(flowRows.map((row) => [row[0], row] as const))('%s', async (_, row) => {
    const [code, param = null] = row[3];
    expect(await toldOf(shut, row)).toMatchObject({ code, ...(param && { param }) });
  });
});

test('of two neighbours in the list of an operation the earlier is told, whatever the operation', async () => {
  const tenant = await server.anotherTenant({ rateLimit: 10_000_000 });
  const w = await openWorld(server.baseUrl, tenant.token);
  const production = await startTestServer({ environment: 'production', workers: false });
  const asked = openSender(production.baseUrl);
  const key = newKey();
  const body = { type: 'dynamic', merchant_customer_id: w.shop.customerId, amount: 1 };
  await server.call('POST', '/v1/payment-requests', { token: tenant.token, key, body });
  const figures = await checkOrders(
    {
      cast: await playRefusals(w),
      scenario: await playScenario(server.baseUrl, tenant.token),
      sender,
      spent: { token: spentToken, spend },
      production: { sender: asked, token: production.token, spend: async () => {} },
    },
    key,
  );
  await asked.close();
  await production.stop();
  expect(figures.violations, figures.violations.join('\n')).toEqual([]);
  expect(figures.pairs).toBeGreaterThan(450);
}, 120_000);
