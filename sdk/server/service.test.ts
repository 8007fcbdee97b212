import { beforeAll, expect, test } from 'vitest';
import { signature } from '../../service/webhooks/send/sign.ts';
import { openServer } from '../../test/kit/server.ts';
import {
  type Client,
  createClient,
  createReceiver,
  isCode,
  type TenantPaymentsError,
  webhooks,
} from './index.ts';

let client: Client;

const server = await openServer();
beforeAll(async () => {
  client = clientOf(server.tenant);
});

const clientOf = (tenant: { client_id: string; client_secret: string }) =>
  createClient({
    baseUrl: server.baseUrl,
    clientId: tenant.client_id,
    clientSecret: tenant.client_secret,
  });

const caught = (call: Promise<unknown>): Promise<TenantPaymentsError> =>
  call.then(
    () => Promise.reject(new Error('the call succeeded')),
    (error) => error,
  );

const ana = {
  type: 'individual',
  external_ref: 'ana',
  email: 'ana@example.com',
  mobile_number: '+12125550101',
} as const;

test('a customer is created, found and read, with the facts of the reply', async () => {
  const made = await client.customers.create(ana).withResponse();
  expect(made.response).toMatchObject({ status: 201, replayed: false, attempts: 1 });
  expect(made.response.requestId).toMatch(/^req_/);
  expect(made.response.rateLimit?.limit).toBe(60_000);
  const { data: found } = await client.customers.list({ external_ref: 'ana' });
  expect(found.map(({ id }) => id)).toEqual([made.data.id]);
  expect(await client.customers.get(made.data.id)).toEqual({
    ...made.data,
    onboarding_session: null,
  });
});

test('credentials with a line end behind them are taken without it', async () => {
  const { client_id, client_secret } = server.tenant;
  const made = clientOf({ client_id: `${client_id}\n`, client_secret: `${client_secret}\r\n` });
  expect((await made.customers.list({ external_ref: 'nobody' })).data).toEqual([]);
});

test('the same key gives the same customer, marked as a replay', async () => {
  const ben = { ...ana, external_ref: 'ben', mobile_number: '+12125550102' };
  const options = { idempotencyKey: 'create-ben' };
  const first = await client.customers.create(ben, options).withResponse();
  const again = await client.customers.create(ben, options).withResponse();
  expect(again.data).toEqual(first.data);
  expect([first.response.replayed, again.response.replayed]).toEqual([false, true]);
});

test('refusals are typed by code, with their details', async () => {
  await client.customers.create({ ...ana, external_ref: 'cy', mobile_number: '+12125550103' });
  const twice = { ...ana, external_ref: 'cy', mobile_number: '+12125550104' };
  const error = await caught(client.customers.create(twice));
  expect(isCode(error, 'duplicate_external_ref') && error.details.customer_id).toMatch(/^cus_/);
  expect(error).toMatchObject({ status: 409, retryable: false, param: 'external_ref' });

  const unknown = await caught(client.payments.get('pay_nowhere'));
  expect(unknown).toMatchObject({ code: 'not_found', status: 404 });
  const wrong = await caught(client.loads.create({ customer_id: 'cus_nowhere', amount: -1 }));
  expect(wrong).toMatchObject({ code: 'parameter_invalid', param: 'amount' });
});

test('wrong credentials are invalid_client, and the message does not show the secret', async () => {
  const { client_id } = server.tenant;
  const stranger = clientOf({ client_id, client_secret: 'cs_not_the_secret' });
  const error = await caught(stranger.customers.list({ external_ref: 'ana' }));
  expect(error).toMatchObject({ code: 'invalid_client', status: 401 });
  expect(`${error.stack}${JSON.stringify(error)}`).not.toContain('cs_not_the_secret');
});

test('beyond its rate limit a tenant gets the time of the next window', async () => {
  const slow = clientOf(await server.anotherTenant({ rateLimit: 2 }));
  const ask = () => slow.customers.list({ external_ref: 'x' }, { maxRetries: 0 });
  const replies = await Promise.allSettled([ask(), ask(), ask()]);
  const refused = replies.flatMap((reply) => (reply.status === 'rejected' ? [reply.reason] : []));
  expect(refused).toHaveLength(1);
  const [error] = refused;
  expect(isCode(error, 'rate_limited') && error.details.retry_after).toBeGreaterThan(0);
  expect(error.retryable).toBe(true);
});

test('each reads the whole list of events, and a receiver accepts them', async () => {
  const tenant = clientOf(await server.anotherTenant());
  for (const n of [1, 2, 3, 4, 5]) {
    const mobile_number = `+1212555020${n}`;
    await tenant.customers.create({ ...ana, external_ref: `c${n}`, mobile_number });
  }
  const handled: string[] = [];
  const { accept } = createReceiver({
    secrets: 'unused',
    onEvent: ({ data }) =>
      handled.push('external_ref' in data.object ? data.object.external_ref : ''),
  });
  for await (const event of tenant.webhookEvents.list({
    limit: 2,
    type: 'customer.created',
  })) {
    expect(await accept(event)).toBe('handled');
    expect(await accept(event)).toBe('duplicate');
  }
  expect(handled).toEqual(['c5', 'c4', 'c3', 'c2', 'c1']);
});

test('unwrap accepts the service’s signature, and sign makes the same', () => {
  const body = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    data: { object: { name: 'Zoë ☕' } },
  });
  const at = new Date('2026-11-21T09:30:00Z');
  const header = signature(body, ['whsec_old', 'whsec_new'], at.getTime() / 1000);
  expect(webhooks.sign(body, ['whsec_old', 'whsec_new'], at)).toBe(header);
  const options = { secrets: 'whsec_new', now: () => at };
  expect(webhooks.unwrap(body, { 'service-signature': header }, options).id).toBe('evt_1');
});
