import { setTimeout as sleep } from 'node:timers/promises';
import { command } from '@tenant-payments/engine/command.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildService, closeService } from '../../../start/app.ts';
import { openRails } from '../../../start/composition.ts';
import { buildWorkers } from '../../../start/workers.ts';
import { type TestDatabase, testDatabase } from '../../../test/kit/database/database.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { startTestReceiver } from '../../../test/kit/http/receiver.ts';
import { uuid } from '../../../test/kit/ids.ts';
import { startTestServer, type TestServer, type TestTenant } from '../../../test/kit/server.ts';
import { loadOnboarding, submitOnboarding } from '../../resources/customers/onboarding.ts';
import type { NewOwner } from '../../resources/customers/owners/moves.ts';

let database: TestDatabase;
let server: TestServer;
let automatic: TestTenant;
/** The service's real time, which passes only when a test moves it. */
let nowMs = Date.now();
const realNow = () => nowMs;

beforeAll(async () => {
  database = await testDatabase();
  server = await startTestServer({ database, realNow });
  automatic = await server.anotherTenant({ settings: { sandbox_mode: 'automatic' } });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

let people = 0;
let tenant: TestTenant;
beforeEach(() => {
  tenant = automatic;
});

/** Runs the jobs that call the outside. */
const handedOver = () => server.workers.jobs.runDueJobs(tenant.tenantId);

/** Moves real time on and runs what is due then. */
async function passed(seconds: number): Promise<void> {
  await handedOver();
  nowMs += seconds * 1000;
  await handedOver();
}

async function call(method: string, path: string, body?: object): Promise<ReplyBody> {
  const key = method === 'POST' ? { key: crypto.randomUUID() } : {};
  const { token } = tenant;
  const reply = await server.call(method, path, { ...key, token, ...(body ? { body } : {}) });
  if (reply.status >= 300) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

const get = (path: string) => call('GET', path);
const simulate = (event: string, object_id: string) =>
  call('POST', `/v1/sandbox/simulate/${event}`, { object_id });

/** The listed events of a record, oldest first. */
async function eventsOf(id: string): Promise<string[]> {
  const types: string[] = [];
  for (let path: string | null = '/v1/webhook-events?limit=100'; path !== null; ) {
    const { data, next_cursor }: ReplyBody = await get(path);
    const mine = data.filter(({ data: { object } }: ReplyBody) => object.id === id);
    types.push(...mine.map(({ type }: ReplyBody) => type));
    const isOver = next_cursor === null || types.at(-1)?.endsWith('.created');
    path = isOver ? null : `/v1/webhook-events?limit=100&cursor=${encodeURIComponent(next_cursor)}`;
  }
  return types.reverse();
}

async function registered(prefill: Record<string, string>): Promise<ReplyBody> {
  people += 1;
  return call('POST', '/v1/customers', {
    type: prefill.legal_name === undefined ? 'individual' : 'business',
    external_ref: `ref-${people}`,
    email: `ref-${people}@example.com`,
    mobile_number: `+1202${5_550_100 + people}`,
    prefill,
  });
}

/** A customer who has applied and waits for the provider. */
async function applied(prefill: Record<string, string>): Promise<string> {
  const { id, onboarding_session } = await registered(prefill);
  await simulate('session.completed', onboarding_session.id);
  return id;
}

const statusOf = async (id: string) => (await get(`/v1/customers/${id}`)).verification.status;
const someone = { first_name: 'Ana', last_name: 'Reyes' };

async function approved(): Promise<string> {
  const id = await applied(someone);
  await simulate('customer.approved', id);
  return id;
}

async function linked(customerId: string, bank: string, account?: string): Promise<ReplyBody> {
  return call('POST', `/v1/customers/${customerId}/linked-accounts`, {
    public_token: `public-sandbox-${bank}`,
    ...(account ? { aggregator_account_id: account } : {}),
  });
}

async function linkOf(customerId: string): Promise<ReplyBody> {
  return (await get(`/v1/customers/${customerId}/linked-accounts`)).data[0];
}

/** A customer who can load. */
async function banked(): Promise<string> {
  const id = await approved();
  const link = await linked(id, 'standard');
  await simulate('linked_account.verified', link.id);
  return id;
}

/** A confirmed load, whose order the bank has. */
async function requested(customer_id: string, amount: number): Promise<string> {
  const load = await call('POST', '/v1/loads', { customer_id, amount });
  await simulate('session.completed', load.confirmation_session.id);
  return load.id;
}

const loadOf = (id: string) => get(`/v1/loads/${id}`);

async function waiting(): Promise<number> {
  const { rows } = await server.service.pool.query<{ waiting: number }>(
    'select count(*)::integer as waiting from jobs where tenant_id = $1 and real',
    [tenant.tenantId],
  );
  return rows[0]?.waiting ?? 0;
}

describe('the identity provider', () => {
  test('answers five seconds after the request, and not before', async () => {
    const id = await applied(someone);
    await passed(4.999);
    expect(await statusOf(id)).toBe('pending');
    await passed(0.001);
    expect(await statusOf(id)).toBe('approved');
    expect(await eventsOf(id)).toEqual([
      'customer.created',
      'customer.pending',
      'customer.approved',
    ]);
    expect((await get(`/v1/accounts?customer_id=${id}`)).data).toMatchObject([
      { status: 'active' },
    ]);
    expect(await waiting()).toBe(0);
  });

  test('holds Review for review until the reviewer decides', async () => {
    const id = await applied({ ...someone, last_name: 'Review' });
    await passed(5);
    expect(await statusOf(id)).toBe('in_review');
    await passed(60);
    expect(await statusOf(id)).toBe('in_review');
    await simulate('customer.approved', id);
    expect(await statusOf(id)).toBe('approved');
  });

  test('rejects Denied, and again at each new application', async () => {
    const id = await applied({ ...someone, last_name: 'Denied' });
    await passed(5);
    expect(await statusOf(id)).toBe('rejected');
    await call('POST', '/portal/api/clock/advance', { seconds: 24 * 3600 + 1 });
    const session = await call('POST', '/v1/sessions', { customer_id: id, flow: 'onboarding' });
    await simulate('session.completed', session.id);
    expect(await statusOf(id)).toBe('pending');
    await passed(5);
    expect(await statusOf(id)).toBe('rejected');
    expect(await eventsOf(id)).toEqual([
      'customer.created',
      'customer.pending',
      'customer.rejected',
      'customer.pending',
      'customer.rejected',
    ]);
  });

  test('gets no request while the reviewer waits for more, and a new one after the submission', async () => {
    const id = await applied({ ...someone, last_name: 'Review' });
    await passed(5);
    await simulate('customer.pending', id);
    await passed(60);
    expect(await statusOf(id)).toBe('pending');
    const session = await call('POST', '/v1/sessions', { customer_id: id, flow: 'onboarding' });
    await simulate('session.completed', session.id);
    await passed(5);
    expect(await statusOf(id)).toBe('in_review');
  });

  test('approves a business once its owners are approved, who are checked at the same time', async () => {
    const id = await applied({ legal_name: 'Corner Cafe LLC' });
    const { data } = await get(`/v1/customers/${id}/owners`);
    expect(data).toMatchObject([{ verification_status: 'pending' }]);
    await passed(5);
    expect(await get(`/v1/customers/${id}/owners`)).toMatchObject({
      data: [{ verification_status: 'approved' }],
    });
    await passed(5);
    expect(await statusOf(id)).toBe('approved');
    expect(await eventsOf(id)).toEqual([
      'customer.created',
      'customer.pending',
      'customer.updated',
      'customer.approved',
    ]);
    expect(await eventsOf(data[0].id)).toEqual(['owner.pending', 'owner.approved']);
    expect(await waiting()).toBe(0);
  });

  test.each([
    ['Review', 'in_review'],
    ['Denied', 'rejected'],
  ])('answers a business named %s at once: %s', async (legal_name, status) => {
    const id = await applied({ legal_name });
    await passed(5);
    expect(await statusOf(id)).toBe(status);
    await passed(60);
    expect(await statusOf(id)).toBe(status);
  });

  const owner = (name: string, more: Partial<NewOwner> = {}): NewOwner => ({
    name,
    role: 'owner',
    ownershipPercent: 30,
    ...more,
  });

  /** A business with several owners, which no simulation makes. */
  const submitWith = (owners: readonly NewOwner[]) =>
    command('submit', {
      load: (read, { id }: { id: string }) => loadOnboarding(read, id),
      decide: (work, rows) => {
        submitOnboarding(work, rows, { pinHash: 'a hash', names: {}, owners, read: null });
        return { record: rows.customer };
      },
    });

  test('decides on owners by their last name, and their business waits without a new request', async () => {
    const { id } = await registered({ legal_name: 'Harbor Books LLC' });
    const named = [
      owner('Olga Reyes', { role: 'control_person', ownershipPercent: null }),
      owner('Rita Review'),
      owner('Dan Denied', { ownershipPercent: 10 }),
    ];
    const { engine } = server.service;
    const { tenantId } = tenant;
    await engine.submit(submitWith(named), { tenantId, input: { id: uuid('customer', id) } });
    await passed(5);
    const { data } = await get(`/v1/customers/${id}/owners`);
    const statuses = data.map(({ name, verification_status }: ReplyBody) => [
      name,
      verification_status,
    ]);
    expect(Object.fromEntries(statuses)).toEqual({
      'Olga Reyes': 'approved',
      'Rita Review': 'in_review',
      'Dan Denied': 'rejected',
    });
    await passed(60);
    expect(await statusOf(id)).toBe('pending');
    expect(await waiting()).toBe(0);
    const rita = data.find(({ name }: ReplyBody) => name === 'Rita Review');
    await simulate('owner.approved', rita.id);
    expect(await statusOf(id)).toBe('pending');
    await passed(5);
    expect(await statusOf(id)).toBe('approved');
  });
});

describe('the aggregator', () => {
  const all = { withdrawal: true, load: true, pay_by_bank: true };
  const none = { withdrawal: false, load: false, pay_by_bank: false };

  const rows = [
    ['standard', '', 'verified', null, all],
    ['savings', '', 'verified', null, all],
    ['rtp_only', '', 'verified', null, { ...none, withdrawal: true }],
    ['no_rtp', '', 'failed', 'rtp_not_supported', none],
    ['owner_mismatch', '', 'failed', 'owner_mismatch', none],
    ['review', '', 'held_for_review', null, none],
    ['two_accounts', 'acc_checking', 'verified', null, all],
    ['two_accounts', 'acc_savings', 'verified', null, all],
  ] as const;

  test.each(rows)(
    'answers for bank %s %s: %s',
    async (bank, account, status, failure_code, capabilities) => {
      const id = await approved();
      const link = await linked(id, bank, account);
      await passed(4.999);
      expect(await linkOf(id)).toMatchObject({ status: 'pending', capabilities: none });
      await passed(0.001);
      expect(await linkOf(id)).toMatchObject({ id: link.id, status, failure_code, capabilities });
      expect(await eventsOf(link.id)).toEqual([
        'linked_account.created',
        `linked_account.${status}`,
      ]);
      await passed(60);
      expect(await linkOf(id)).toMatchObject({ status, version: 2 });
    },
  );

  test('answers for no bank in manual mode', async () => {
    tenant = server.tenant;
    const ids = await Promise.all(
      rows.map(async ([bank, account]) => {
        const id = await approved();
        await linked(id, bank, account);
        return id;
      }),
    );
    await passed(60);
    for (const id of ids) expect(await linkOf(id)).toMatchObject({ status: 'pending', version: 1 });
  });
});

describe('the bank', () => {
  let customerId: string;
  beforeAll(async () => {
    tenant = automatic;
    customerId = await banked();
  });

  test.each([
    [61, 'customer_refused', 'CUST'],
    [62, 'insufficient_funds_at_bank', 'AM04'],
    [63, 'account_closed', 'AC04'],
    [64, 'account_blocked', 'AC06'],
    [65, 'invalid_account_number', 'AC02'],
    [66, 'bank_timeout', 'DS24'],
    [67, 'request_expired', 'AEXR'],
  ])('fails a load that ends in %i: %s', async (cents, failure_code, reason) => {
    const id = await requested(customerId, 100 + cents);
    await passed(4.999);
    expect(await loadOf(id)).toMatchObject({ status: 'processing' });
    await passed(0.001);
    expect(await loadOf(id)).toMatchObject({ status: 'failed', failure_code });
    expect(await eventsOf(id)).toEqual(['load.created', 'load.processing', 'load.failed']);
    const { rows } = await server.service.pool.query(
      'select network_reason_code from loads where id = $1',
      [uuid('load', id)],
    );
    expect(rows).toEqual([{ network_reason_code: reason }]);
  });

  test('settles any other load, once, and credits it', async () => {
    const [account] = (await get(`/v1/accounts?customer_id=${customerId}`)).data;
    const { available } = await get(`/v1/accounts/${account.id}/balance`);
    const id = await requested(customerId, 269);
    await passed(5);
    expect(await loadOf(id)).toMatchObject({ status: 'settled', version: 3 });
    await passed(60);
    expect(await eventsOf(id)).toEqual(['load.created', 'load.processing', 'load.settled']);
    expect(await get(`/v1/accounts/${account.id}/balance`)).toMatchObject({
      available: available + 269,
    });
  });

  test('never answers a load that ends in 68, which expires after a day', async () => {
    const id = await requested(customerId, 168);
    await passed(60);
    expect(await loadOf(id)).toMatchObject({ status: 'processing' });
    expect(await waiting()).toBe(0);
    await call('POST', '/portal/api/clock/advance', { seconds: 24 * 3600 });
    expect(await loadOf(id)).toMatchObject({ status: 'failed', failure_code: 'request_expired' });
  });

  test('leaves a load that ends in 68 to simulate', async () => {
    const id = await requested(customerId, 168);
    await passed(60);
    await simulate('load.settled', id);
    expect(await loadOf(id)).toMatchObject({ status: 'settled' });
  });
});

test('in manual mode nothing answers by itself', async () => {
  tenant = server.tenant;
  const denied = await applied({ ...someone, last_name: 'Denied' });
  const cafe = await applied({ legal_name: 'Corner Cafe LLC' });
  const customerId = await banked();
  const loads = [await requested(customerId, 161), await requested(customerId, 100)];
  expect(await waiting()).toBe(0);
  await passed(60);
  expect([await statusOf(denied), await statusOf(cafe)]).toEqual(['pending', 'pending']);
  expect((await get(`/v1/customers/${cafe}/owners`)).data).toMatchObject([
    { verification_status: 'pending' },
  ]);
  for (const id of loads) expect(await loadOf(id)).toMatchObject({ status: 'processing' });
});

test('the mode at the time of the request counts, also when it changes before the answer', async () => {
  tenant = await server.anotherTenant({ settings: { sandbox_mode: 'automatic' } });
  const mode = (sandbox_mode: string) => call('PUT', '/portal/api/settings', { sandbox_mode });
  const inAutomatic = await applied(someone);
  await mode('manual');
  const inManual = await applied(someone);
  await mode('automatic');
  await passed(5);
  expect([await statusOf(inAutomatic), await statusOf(inManual)]).toEqual(['approved', 'pending']);
});

test('simulate before the answer wins, and the answer is dropped', async () => {
  const rejected = await applied(someone);
  const held = await applied(someone);
  const customerId = await banked();
  const load = await requested(customerId, 100);
  const other = await approved();
  const link = await linked(other, 'standard');
  await handedOver();
  expect(await waiting()).toBeGreaterThanOrEqual(4);
  await simulate('customer.rejected', rejected);
  await simulate('customer.in_review', held);
  await simulate('load.failed', load);
  await simulate('linked_account.held_for_review', link.id);
  await passed(60);
  expect(await statusOf(rejected)).toBe('rejected');
  expect(await statusOf(held)).toBe('in_review');
  expect(await loadOf(load)).toMatchObject({ status: 'failed', version: 3 });
  expect(await linkOf(other)).toMatchObject({ status: 'held_for_review', version: 2 });
  expect(await waiting()).toBe(0);
});

test('answers come by real time and not by a move of the clock', async () => {
  const customerId = await banked();
  const load = await requested(customerId, 100);
  const id = await applied(someone);
  await handedOver();
  await call('POST', '/portal/api/clock/advance', { seconds: 3600 });
  expect(await statusOf(id)).toBe('pending');
  expect(await loadOf(load)).toMatchObject({ status: 'processing' });
  await passed(5);
  expect(await statusOf(id)).toBe('approved');
  expect(await loadOf(load)).toMatchObject({ status: 'settled' });
});

test('requests and answers go on during a long advance of the clock', async () => {
  tenant = await server.anotherTenant({ settings: { sandbox_mode: 'automatic' } });
  const before = await applied(someone);
  await handedOver();
  const meanwhile = await registered(someone);
  const clock = (target: string | null, at: string | null) =>
    server.service.pool.query(
      `update tenants set clock_target = $2, clock_at = $3, clock_lease_until = $4,
        revision = revision + 1 where tenant_id = $1`,
      [tenant.tenantId, target, at, target && instantOf(realNow() + 3_600_000)],
    );
  const standing = instantOf(realNow() + 1_000);
  await clock(instantOf(realNow() + 86_400_000), standing);
  await simulate('session.completed', meanwhile.onboarding_session.id);
  // An advance runs the due jobs at its present time, and so calls the outside.
  await server.workers.jobs.runDueJobsOfStep(tenant.tenantId);
  await passed(5);
  expect([await statusOf(before), await statusOf(meanwhile.id)]).toEqual(['approved', 'approved']);
  expect((await get(`/v1/customers/${before}`)).verification.updated_at).toBe(standing);
  await clock(null, null);
});

test('each answer reaches the Tenant as a webhook', async () => {
  tenant = await server.anotherTenant({ settings: { sandbox_mode: 'automatic' } });
  const receiver = await startTestReceiver();
  await call('PUT', '/portal/api/webhook-endpoint', { url: receiver.url, enabled: true });
  const id = await applied(someone);
  await passed(5);
  await linked(id, 'standard');
  await passed(5);
  await requested(id, 100);
  await passed(5);
  const expected = ['customer.approved', 'linked_account.verified', 'load.settled'];
  const heard = () => receiver.received.map(({ event }) => event.type);
  for (let tries = 0; tries < 500; tries += 1) {
    if (expected.every((type) => heard().includes(type))) break;
    await sleep(10);
  }
  expect(heard().filter((type) => expected.includes(type))).toEqual(expected);
  await receiver.close();
});

test('with two processes each answer is given once', async () => {
  tenant = await server.anotherTenant({ settings: { sandbox_mode: 'automatic' } });
  const { config } = server.service;
  const log = pino({ level: 'error' });
  const { serviceUrl: databaseUrl, controlUrl = null } = database;
  const second = await buildService(config, { databaseUrl, controlUrl, log, realNow });
  const workers = buildWorkers(second, await openRails(second));
  workers.start();
  const customerId = await banked();
  const loads = await Promise.all(
    Array.from({ length: 10 }, (_, index) => requested(customerId, 100 + index)),
  );
  const applicants = await Promise.all(Array.from({ length: 10 }, () => applied(someone)));
  await Promise.all([handedOver(), workers.jobs.runDueJobs(tenant.tenantId)]);
  nowMs += 5_000;
  for (let tries = 0; (await waiting()) > 0 && tries < 500; tries += 1) await sleep(10);
  const settled = ['load.created', 'load.processing', 'load.settled'];
  for (const id of loads) expect(await eventsOf(id)).toEqual(settled);
  const decided = ['customer.created', 'customer.pending', 'customer.approved'];
  for (const id of applicants) expect(await eventsOf(id)).toEqual(decided);
  await workers.stop();
  await closeService(second);
});

test('an answer scheduled by a process that died is given by another', async () => {
  const place = await testDatabase();
  const first = await startTestServer({
    database: place,
    realNow,
    workers: false,
    tenant: { settings: { sandbox_mode: 'automatic' } },
  });
  const { config } = first.service;
  const { tenantId } = first.tenant;
  const created = await first.call('POST', '/v1/customers', {
    key: 'k-1',
    body: {
      type: 'individual',
      external_ref: 'ref-1',
      email: 'ref-1@example.com',
      mobile_number: '+12025550101',
    },
  });
  const object_id = created.body.onboarding_session.id;
  await first.call('POST', '/v1/sandbox/simulate/session.completed', { body: { object_id } });
  await first.stop();

  const log = pino({ level: 'error' });
  const { serviceUrl: databaseUrl, controlUrl = null } = place;
  const second = await buildService(config, { databaseUrl, controlUrl, log, realNow });
  const { jobs } = buildWorkers(second, await openRails(second));
  const statuses = async () => (await second.pool.query('select status from customers')).rows;
  await jobs.runDueJobs(tenantId);
  expect(await statuses()).toEqual([{ status: 'pending' }]);
  nowMs += 5_000;
  await jobs.runDueJobs(tenantId);
  expect(await statuses()).toEqual([{ status: 'approved' }]);
  await jobs.stop();
  await closeService(second);
  await place.drop();
});
