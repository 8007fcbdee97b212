import {
  type RequestRow,
  requestColumns,
  requestJoin,
  requestView,
} from '@tenant-payments/backoffice/portal/activity/requests.ts';
import { endpoints, secretFields } from '@tenant-payments/contract/catalog.ts';
import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import { openPool } from '@tenant-payments/engine/database/pool.ts';
import { openClocks } from '@tenant-payments/engine/time/clock.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { sinceMorning } from '../../../test/kit/clock.ts';
import { type CallOptions, fetchToken, type Reply } from '../../../test/kit/http/http.ts';
import { openServer } from '../../../test/kit/server.ts';
import { openMeters } from '../../operations/meters.ts';
import { openRequestLog } from './request_log.ts';
import type { AnsweredRequest } from './request_rows.ts';

const logged: string[] = [];
const realNow = sinceMorning();
const server = await openServer({
  tenant: { sample: true },
  realNow,
  onLog: (line) => logged.push(line),
});

interface Row {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string | null;
  readonly param: string | null;
  readonly replayed: boolean;
  readonly duration_ms: number;
  readonly request_body: string | null;
  readonly response_body: string | null;
  /** The text that the log holds of it. */
  readonly stored: string | null;
}

async function rows(tenantId = server.tenant.tenantId): Promise<Row[]> {
  await server.service.requestLog.flush();
  const found = await sql<RequestRow>`select ${requestColumns} from requests r ${requestJoin}
    where r.tenant_id = ${tenantId} order by r.id`.execute(server.service.db);
  return found.rows.map((row) => ({ ...requestView(row), id: row.id, stored: row.response_body }));
}

/** The row of the request that got this reply. */
async function rowOf({ headers }: Reply, tenantId?: string): Promise<Row | undefined> {
  const digits = headers.get('service-request-id')?.slice('req_'.length);
  return (await rows(tenantId)).find(({ id }) => id.replaceAll('-', '') === digits);
}

const post = (path: string, body: unknown, options: CallOptions = {}) =>
  server.call('POST', path, { body, key: crypto.randomUUID(), ...options });

it('keeps request and reply', async () => {
  const reply = await server.call('GET', '/v1/accounts?customer_id=cus_x');
  const row = await rowOf(reply);
  expect(row).toMatchObject({
    method: 'GET',
    path: '/v1/accounts?customer_id=cus_x',
    status: 200,
    code: null,
    param: null,
    replayed: false,
    request_body: null,
  });
  expect(JSON.parse(row?.response_body ?? '')).toEqual(reply.body);
  expect(row?.duration_ms).toBeGreaterThanOrEqual(0);
});

it('keeps a HEAD as such', async () => {
  const row = await rowOf(await server.call('HEAD', '/v1/accounts?customer_id=cus_x'));
  expect([row?.method, row?.status]).toEqual(['HEAD', 200]);
});

it('keeps a reply that shows a record as the event that shows it, and shows it as it was sent', async () => {
  const { api } = server;
  const ana = await api.banked('individual');
  const made = await post('/v1/loads', { customer_id: ana.customerId, amount: 500 });
  expect(made.body.confirmation_session.token).toMatch(/^st_/);
  await api.simulate('session.canceled', made.body.confirmation_session.id);
  const row = await rowOf(made);
  expect(row?.stored).toBe(null);
  const confirmation_session = { ...made.body.confirmation_session, token: '[redacted]' };
  expect(row?.response_body).toBe(JSON.stringify({ ...made.body, confirmation_session }));
});

it.each([
  ['a wrong field', { flow: 'nonsense', customer_id: 'x' }, 400, 'parameter_invalid', 'flow'],
  ['a missing field', { flow: 'onboarding' }, 400, 'parameter_missing', 'customer_id'],
  ['a refusal', { flow: 'onboarding', customer_id: 'x' }, 422, 'session_invalid', 'customer_id'],
])('keeps the code and the field of %s, and the body that caused it', async (_, body, ...is) => {
  const row = await rowOf(await post('/v1/sessions', body));
  expect([row?.status, row?.code, row?.param]).toEqual(is);
  expect(JSON.parse(row?.request_body ?? '')).toEqual(body);
});

it('keeps requests that reached no operation: without key, with a broken body, to an unknown path', async () => {
  const lacking = await rowOf(await server.call('POST', '/v1/sessions', { body: { a: 1 } }));
  expect([lacking?.code, lacking?.request_body]).toEqual(['idempotency_key_missing', null]);
  const broken = await rowOf(await post('/v1/sessions', '{"token":"canary'));
  expect([broken?.code, broken?.request_body]).toEqual(['parameter_invalid', null]);
  const unknown = await rowOf(await server.call('PATCH', '/v1/nowhere'));
  expect([unknown?.status, unknown?.path]).toEqual([404, '/v1/nowhere']);
  const odd = await rowOf(
    await post('/v1/sessions', { '\u0000\ud800': 1, flow: 'x', customer_id: 'x' }),
  );
  expect([odd?.code, odd?.status]).toEqual(['parameter_invalid', 400]);
});

it('keeps requests that the rate limit refused', async () => {
  const other = await server.anotherTenant({ rateLimit: 1 });
  const ask = () => server.call('GET', '/v1/payments/pay_x', { token: other.token });
  await ask();
  expect(await rowOf(await ask(), other.tenantId)).toMatchObject({ code: 'rate_limited' });
});

it('keeps no request of an unknown caller and none to the portal', async () => {
  const before = await server.service.pool.query('select count(*) from requests');
  const silent = [
    await server.call('GET', '/v1/payments/pay_x', { token: null }),
    await server.call('GET', '/v1/payments/pay_x', { token: 'tok_wrong' }),
    await server.call('GET', '/v1/nowhere', { token: null }),
    await server.call('GET', '/portal/api/settings'),
    await server.call('GET', '/livez'),
  ];
  await server.service.requestLog.flush();
  const ids = silent.map(({ headers }) => headers.get('service-request-id')?.slice(4));
  const found = await server.service.pool.query(
    `select 1 from requests where replace(id::text, '-', '') = any ($1)`,
    [ids],
  );
  expect([found.rowCount, before.rowCount]).toEqual([0, 1]);
});

/** Each value of a field with one of these names, however deep. */
function valuesOf(value: unknown, names: ReadonlySet<string>): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    names.has(name) && typeof inner === 'string' ? [inner] : valuesOf(inner, names),
  );
}

it('holds no secret and no personal data, whatever the operation', async () => {
  const secrets = new Set(secretFields);
  const seen = new Set<string>();
  const canaries = new Set<string>();
  const note = (value: unknown) => {
    for (const name of secrets) {
      const found = valuesOf(value, new Set([name]));
      if (found.length > 0) seen.add(name);
      for (const canary of found) canaries.add(canary);
    }
  };
  const call = async (method: string, path: string, options: CallOptions = {}) => {
    note(options.body);
    const reply = await server.call(method, path, { key: crypto.randomUUID(), ...options });
    note(reply.body);
    return reply;
  };
  const send = (path: string, body: unknown, options: CallOptions = {}) =>
    call('POST', path, { body, ...options });

  // The client's tokens.
  const { client_id, client_secret } = server.tenant;
  canaries.add(server.token).add(await fetchToken(server.baseUrl, server.tenant));
  const form = (fields: Record<string, string>) =>
    send('/oauth/token', new URLSearchParams(fields).toString(), {
      token: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const grant = { grant_type: 'client_credentials', client_id };
  note({ client_secret });
  note((await form({ ...grant, client_secret })).body);
  const wrongSecret = `cs_${'wrong'.repeat(9)}`;
  canaries.add(wrongSecret);
  expect((await form({ ...grant, client_secret: wrongSecret })).status).toBe(401);

  // A customer, in every reply that shows it, and its tokens.
  const person = {
    email: 'canary@example.com',
    mobile_number: '+12025550142',
    prefill: { first_name: 'Canaria', last_name: 'Kanarienvogel' },
  };
  for (const canary of [person.email, person.mobile_number, 'Canaria', 'Kanarienvogel'])
    canaries.add(canary);
  const customer = { type: 'individual', external_ref: 'canary', ...person };
  const key = crypto.randomUUID();
  const made = await send('/v1/customers', customer, { key });
  expect(made.status).toBe(201);
  const replay = await send('/v1/customers', customer, { key });
  expect((await rowOf(replay))?.replayed).toBe(true);
  const { id } = made.body;
  const simulate = async (event: string, object_id: string) => {
    const reply = await send(`/v1/sandbox/simulate/${event}`, { object_id });
    expect(reply.body.error ?? null).toBeNull();
  };
  const onboarding = await send('/v1/sessions', { flow: 'onboarding', customer_id: id });
  await simulate('session.completed', onboarding.body.id);
  await simulate('customer.approved', id);
  await call('GET', `/v1/customers/${id}`);
  await call('GET', '/v1/customers?external_ref=canary');
  await call('GET', '/v1/webhook-events?limit=100');

  // A bank account, and money.
  await send(`/v1/customers/${id}/link-tokens`, { platform: 'ios', redirect_uri: null });
  const link = await send(`/v1/customers/${id}/linked-accounts`, {
    public_token: 'public-sandbox-standard',
  });
  canaries.add(link.body.institution_name);
  await simulate('linked_account.verified', link.body.id);
  await call('GET', `/v1/customers/${id}/linked-accounts`);
  const load = await send('/v1/loads', { customer_id: id, amount: 5_000 });
  expect(load.body.error ?? null).toBeNull();
  const session = load.body.confirmation_session;
  await simulate('session.completed', session.id);
  const result_token = `rt_test_${session.id}`;
  expect((await send('/v1/sessions/exchange', { result_token })).status).toBe(200);
  expect((await send('/v1/sessions/exchange', { result_token })).status).toBe(422);

  // A payment, whose session is shown to its payer's Tenant once.
  await simulate('load.settled', load.body.id);
  const shop = await send('/v1/customers', {
    type: 'business',
    external_ref: 'canary-shop',
    email: 'canary.shop@example.com',
    mobile_number: '+12025550143',
    prefill: { legal_name: 'Canary Shop LLC' },
  });
  for (const canary of ['canary.shop@example.com', '+12025550143', 'Canary Shop LLC'])
    canaries.add(canary);
  await simulate('session.completed', shop.body.onboarding_session.id);
  const owners = await call('GET', `/v1/customers/${shop.body.id}/owners`);
  await simulate('owner.approved', owners.body.data[0].id);
  await simulate('customer.approved', shop.body.id);
  const payment = await send('/v1/payments', {
    payer_customer_id: id,
    payee_customer_id: shop.body.id,
    amount: 1_000,
    source: 'balance',
    description: 'Canary Shop LLC thanks Canaria',
  });
  expect(payment.status).toBe(201);
  await call('GET', `/v1/payments/${payment.body.id}`);
  await call('GET', `/v1/loads/${load.body.id}`);
  await call('POST', `/v1/payments/${payment.body.id}/cancel`);
  const withdrawal = await send('/v1/withdrawals', { customer_id: id, amount: 1_000 });
  expect(withdrawal.status).toBe(201);
  await call('GET', `/v1/withdrawals/${withdrawal.body.id}`);
  const refund = { payment_id: payment.body.id, amount: 1, reason: 'other' };
  await send('/v1/refund-requests', refund);
  await call('GET', '/v1/refund-requests/rf_x');
  // A day later: a report has a download address.
  const date = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(realNow());
  await call('POST', '/portal/api/clock/advance', { body: { seconds: 2 * 24 * 3600 } });
  const accounts = await call('GET', `/v1/accounts?customer_id=${id}`);
  const account = accounts.body.data[0].id;
  await simulate('statement.available', account);
  const statements = await call('GET', `/v1/accounts/${account}/statements`);
  expect(statements.body.data).toHaveLength(1);
  expect((await call('GET', `/v1/reports/reconciliation?date=${date}`)).status).toBe(200);
  for (const list of ['loads', 'payments', 'payment-requests', 'withdrawals', 'refund-requests'])
    expect((await call('GET', `/v1/${list}`)).status).toBe(200);
  for (const path of ['sessions/ses_x', 'statements/stmt_x'])
    expect((await call('GET', `/v1/${path}`)).status).toBe(404);
  await send(`/v1/customers/${id}/close`, { reason: 'customer_request' });
  note({ pin: '284617284617' });
  expect((await send('/v1/sessions', { pin: '284617284617' })).status).toBe(400);

  // In wrong fields: all that has a known shape, which a name or PIN has not.
  const shapely = [...canaries].filter((canary) => /[_@+-]/.test(canary));
  expect(shapely.length).toBeGreaterThan(10);
  for (const canary of shapely) {
    const escaped = encodeURIComponent(canary);
    await call('GET', `/v1/payments/${escaped}?token=${escaped}&x=${escaped}`);
    await call('GET', `/v1/customers?external_ref=${escaped}`);
    await call('DELETE', `/v1/nowhere/${escaped}`);
    await send('/v1/sessions', { flow: canary, customer_id: canary, [canary]: [canary] });
    await send('/v1/sessions', { flow: 'onboarding', customer_id: 'x', target: { id: canary } });
  }

  const carried = Object.values<EndpointDefinition>(endpoints).filter(
    ({ params, query, body, success }) =>
      secretFields.some((name) =>
        JSON.stringify([params, query, body, success.schema]).includes(`"${name}"`),
      ),
  );
  expect(carried.length).toBeGreaterThan(5);
  expect([...seen].sort()).toEqual([...secretFields].sort());
  const kept = await rows();
  const paths = new Set(kept.map(({ method, path }) => `${method} ${path.split('?')[0]}`));
  for (const { method, path } of carried) {
    const route = new RegExp(`^${method} ${path.replaceAll(/:\w+/g, '[^/]+')}$`);
    expect(
      [...paths].some((text) => route.test(text)),
      `${method} ${path}`,
    ).toBe(true);
  }
  const text = JSON.stringify(kept);
  for (const canary of canaries) {
    expect(text.includes(canary), canary).toBe(false);
    expect(text.includes(encodeURIComponent(canary)), canary).toBe(false);
    expect(logged.join('\n').includes(canary), canary).toBe(false);
  }
});

it('keeps 16 kB of a body, after it was redacted', async () => {
  const texts = Array.from({ length: 1_000 }, (_, index) => `text number ${index} of many`);
  const row = await rowOf(await post('/v1/sessions', { flow: texts, customer_id: 'x' }));
  expect(row?.request_body).toHaveLength(16_384);
});

/** A second request log on the same tables, whose clock the test moves. */
function openOwnLog(url?: string) {
  let nowMs = Date.now();
  const lines: Record<string, unknown>[] = [];
  const pool = url ? openPool(url, { max: 1, statementTimeoutMs: 1_000 }) : server.service.pool;
  const meters = openMeters();
  const requestLog = openRequestLog({
    pool,
    clocks: openClocks(() => nowMs),
    log: pino({}, { write: (line) => lines.push(JSON.parse(line)) }),
    meters,
  });
  const tenantId = crypto.randomUUID();
  let ids = 0;
  const record = (more: Partial<AnsweredRequest> = {}) =>
    requestLog.record({
      keyHash: null,
      shownBy: null,
      refusedInProduction: null,
      userAgent: null,
      requestId: `req_${(ids++).toString(16).padStart(32, '0')}`,
      tenantId,
      atMs: nowMs,
      method: 'GET',
      target: '/v1/payments/pay_x',
      status: 200,
      replayed: false,
      durationMs: 1,
      requestBody: null,
      replyBody: '{}',
      weight: 2,
      ...more,
    });
  const times = (count: number, more?: Partial<AnsweredRequest>) => {
    for (let index = 0; index < count; index += 1) record(more);
  };
  const move = (ms: number) => {
    nowMs += ms;
  };
  return { requestLog, record, times, move, lines, pool, tenantId, meters };
}

it("keeps a tenant's burst, then fifty a second, and counts the others; it keeps all refusals", async () => {
  const { requestLog, times, move, tenantId, meters } = openOwnLog();
  times(600);
  expect(requestLog.counts.leftOut).toBe(100);
  move(2_000);
  times(150);
  expect(requestLog.counts.leftOut).toBe(150);
  times(300, { status: 404, replyBody: '{"error":{"code":"not_found","param":null}}' });
  expect(requestLog.counts.leftOut).toBe(150);
  times(1, { tenantId: crypto.randomUUID() });
  await requestLog.close();
  expect(requestLog.counts).toEqual({ written: 901, leftOut: 150, dropped: 0 });
  expect(await rows(tenantId)).toHaveLength(900);
  expect((await meters.requestLogDropped.get()).values[0]?.value).toBe(150);
});

it('takes no more than fits into memory, and logs that once a minute', async () => {
  const { requestLog, times, move, lines } = openOwnLog();
  times(5_000, { status: 500 });
  const { leftOut, dropped } = requestLog.counts;
  expect(5_000 - leftOut - dropped).toBeLessThanOrEqual(4_096);
  times(200, { tenantId: crypto.randomUUID(), weight: 1_000_000 });
  expect(requestLog.counts.dropped).toBeGreaterThan(100);
  expect(lines).toHaveLength(1);
  move(60_000);
  times(1, { tenantId: crypto.randomUUID(), weight: 1_000_000 });
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatchObject({
    msg: 'the request log drops requests; the API is not affected',
  });
  await requestLog.close();
  expect(requestLog.counts.written).toBeGreaterThan(2_000);
  times(1);
  expect(requestLog.counts.written + requestLog.counts.dropped + requestLog.counts.leftOut).toBe(
    5_202,
  );
});

it('deletes rows after seven days of real time', async () => {
  const { requestLog, record, move, tenantId } = openOwnLog();
  record({ atMs: Date.now() - 8 * 24 * 3_600_000 });
  record();
  await requestLog.flush();
  expect(await rows(tenantId)).toHaveLength(1);
  move(7 * 24 * 3_600_000 + 3_600_000);
  record();
  await requestLog.close();
  expect(await rows(tenantId)).toHaveLength(1);
});

it('drops only what it cannot write while the database is away', async () => {
  const { requestLog, record, times, pool, lines } = openOwnLog('postgres://nobody@127.0.0.1:1/x');
  record();
  await requestLog.flush();
  expect(requestLog.counts).toEqual({ written: 0, leftOut: 0, dropped: 0 });
  times(10);
  await requestLog.close();
  expect(requestLog.counts).toEqual({ written: 0, leftOut: 0, dropped: 11 });
  expect(lines).toHaveLength(1);
  await pool.end();
});

it('writes the rows it held once the database is back', async () => {
  const { requestLog, record, tenantId, pool } = openOwnLog();
  const away = vi.spyOn(pool, 'query').mockImplementationOnce(() => {
    throw Object.assign(new Error('terminating connection'), { code: '57P01' });
  });
  record();
  await requestLog.flush();
  expect(requestLog.counts.written).toBe(0);
  away.mockRestore();
  record();
  await requestLog.close();
  expect(await rows(tenantId)).toHaveLength(2);
});

it('writes within a second, and the rest when the service stops', async () => {
  const reply = await server.call('GET', '/v1/payments/pay_x');
  const id = reply.headers.get('service-request-id')?.slice(4);
  const isThere = async () => {
    const sql = `select 1 from requests where replace(id::text, '-', '') = $1`;
    expect((await server.service.pool.query(sql, [id])).rowCount).toBe(1);
  };
  await vi.waitFor(isThere, { timeout: 10_000, interval: 50 });
});
