import { endpoints } from '@tenant-payments/contract/catalog.ts';
import { expect, it } from 'vitest';
import { fetchToken } from '../test/kit/http/http.ts';
import { openServer } from '../test/kit/server.ts';

const server = await openServer({ tenant: { sample: true } });

const post = (path: string, body: unknown, key = crypto.randomUUID()) =>
  server.call('POST', path, { body, key });
const simulate = (event: string, object_id: string) =>
  server.call('POST', `/v1/sandbox/simulate/${event}`, { body: { object_id } });

/** An approved customer of the type, made through the public API. */
async function approved(type: 'individual' | 'business', ref: string, mobile: string) {
  const made = await post('/v1/customers', {
    type,
    external_ref: ref,
    email: `${ref}@example.com`,
    mobile_number: mobile,
  });
  expect(made.status).toBe(201);
  const { id, onboarding_session } = made.body;
  expect((await simulate('session.completed', onboarding_session.id)).status).toBe(202);
  if (type === 'business') {
    const owners = await server.call('GET', `/v1/customers/${id}/owners`);
    await simulate('owner.approved', owners.body.data[0].id);
  }
  expect((await simulate('customer.approved', id)).status).toBe(202);
  return (await server.call('GET', `/v1/customers/${id}`)).body;
}

it('takes a customer from a token to a completed payment', async () => {
  const ana = await approved('individual', 'ana', '+12025550101');
  const cafe = await approved('business', 'cafe', '+12025550102');
  const link = await post(`/v1/customers/${ana.id}/linked-accounts`, {
    public_token: 'public-sandbox-standard',
  });
  expect(link.status).toBe(201);
  expect((await simulate('linked_account.verified', link.body.id)).status).toBe(202);
  const load = await post('/v1/loads', { customer_id: ana.id, amount: 10_000 });
  expect(load.status).toBe(201);
  await simulate('session.completed', load.body.id);
  await simulate('load.settled', load.body.id);
  const request = await post('/v1/payment-requests', {
    type: 'dynamic',
    merchant_customer_id: cafe.id,
    amount: 2_000,
  });
  expect(request.status).toBe(201);
  const key = crypto.randomUUID();
  const body = {
    payer_customer_id: ana.id,
    qr_payload: request.body.qr_payload,
    source: 'balance',
  };
  const payment = await post('/v1/payments', body, key);
  expect(payment.status).toBe(201);
  const again = await post('/v1/payments', body, key);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.body).toEqual(payment.body);
  expect(again.headers.get('service-request-id')).not.toBe(
    payment.headers.get('service-request-id'),
  );
  await simulate('session.completed', payment.body.confirmation_session.id);
  const done = await server.call('GET', `/v1/payments/${payment.body.id}`);
  expect(done.body).toMatchObject({ status: 'completed', net_amount: 1_990 });
  const late = await post('/v1/payments', body, key);
  expect(late.body).toEqual({ ...payment.body, confirmation_session: null });
  const balance = await server.call('GET', `/v1/accounts/${cafe.account_id}/balance`);
  expect(balance.body.available).toBe(1_990);
});

it('serves every operation of the contract', () => {
  const missing = Object.values(endpoints).filter(
    ({ method, path }) => !server.app.hasRoute({ method, url: path }),
  );
  expect(missing.map(({ id }) => id)).toEqual([]);
});

it('returns the secret of a live session in a replay, and none of a session that has ended', async () => {
  const body = {
    type: 'individual',
    external_ref: 'replayed',
    email: 'r@example.com',
    mobile_number: '+12025550103',
  };
  const key = crypto.randomUUID();
  const made = await post('/v1/customers', body, key);
  const token = made.body.onboarding_session.token;
  expect(token).toMatch(/^st_/);
  const alive = await post('/v1/customers', body, key);
  expect(alive.body.onboarding_session.token).toBe(token);
  expect(alive.headers.get('idempotent-replayed')).toBe('true');
  await simulate('session.canceled', made.body.onboarding_session.id);
  const dead = await post('/v1/customers', body, key);
  expect([dead.status, dead.body.onboarding_session]).toEqual([201, null]);
});

it('returns no secret in a replay once the session can no longer be opened', async () => {
  const tenant = await server.anotherTenant();
  const body = {
    type: 'individual',
    external_ref: 'late',
    email: 'l@example.com',
    mobile_number: '+12025550104',
  };
  const call = (options: object) =>
    server.call('POST', '/v1/customers', { token: tenant.token, ...options });
  const made = await call({ body, key: 'k' });
  expect(made.body.onboarding_session.token).toMatch(/^st_/);
  await server.call('POST', '/portal/api/clock/advance', {
    token: tenant.token,
    body: { seconds: 24 * 3600 },
  });
  expect((await call({ body, key: 'k' })).body.onboarding_session).toBeNull();
});

it('refuses a key that belongs to another request, also of another operation', async () => {
  const key = crypto.randomUUID();
  const body = {
    type: 'individual',
    external_ref: 'keyed',
    email: 'k@example.com',
    mobile_number: '+12025550105',
  };
  expect((await post('/v1/customers', body, key)).status).toBe(201);
  for (const reply of [
    await post('/v1/customers', { ...body, email: 'other@example.com' }, key),
    await post('/v1/loads', { customer_id: 'cus_x', amount: 100 }, key),
  ])
    expect(reply.body.error).toMatchObject({
      code: 'parameter_invalid',
      param: 'Idempotency-Key',
      details: { reason: 'idempotency_key_reused' },
    });
});

it('makes another tenant for the operator of the machine, and for no other caller', async () => {
  const make = (token: string | null) =>
    server.call('POST', '/portal/api/tenants', { token, body: { name: 'Another', rate_limit: 7 } });
  for (const token of [null, server.token, 'ok_wrong'])
    expect((await make(token)).status).toBe(401);
  const made = await make(server.operatorKey);
  expect(made.status).toBe(201);
  expect(Object.keys(made.body).sort()).toEqual([
    'base_url',
    'client_id',
    'client_secret',
    'docs_url',
    'portal_sign_in_url',
    'portal_url',
    'shop_url',
    'tenant_id',
    'webhook_secret',
  ]);
  const token = await fetchToken(server.baseUrl, made.body);
  const reply = await server.call('GET', '/v1/payments/pay_x', { token });
  expect(reply.headers.get('ratelimit-limit')).toBe('7');
});

it('refuses an unknown simulate name with similar names and a link to the list', async () => {
  const refused = async (event: string) => (await simulate(event, 'load_x')).body.error;
  const known = /\/docs\/reference\/simulate; of load: .*load\.settled/;
  expect(await refused('load.setled')).toMatchObject({
    code: 'not_found',
    param: 'event',
    message: expect.stringMatching(known),
  });
  for (const event of ['nothing', 'constructor', 'nobody.settled'])
    expect((await refused(event)).message).toMatch(/simulate$/);
  expect(await refused('payment.completed')).toMatchObject({
    param: 'object_id',
    message: expect.stringContaining('pay_'),
  });
});
