import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildService, closeService } from '../../../service/app.ts';
import { openRails } from '../../../service/composition.ts';
import { epochMs } from '../../../service/core/instant.ts';
import type { ClockAnswer } from '../../../service/jobs/advance.ts';
import type { Service } from '../../../service/service.ts';
import { buildWorkers, type Workers } from '../../../service/workers.ts';
import { type TestDatabase, testDatabase } from '../../kit/database.ts';
import { startTestReceiver } from '../../kit/receiver.ts';
import { startTestServer, type TestServer, type TestTenant } from '../../kit/server.ts';
import { openPeople } from '../../ledger/customers.ts';
import { openSender, recordOf, type Sender } from '../../ledger/sender.ts';

const day = 24 * 3600;
const instants = 100;

let database: TestDatabase;
let server: TestServer;
let services: [Service, ...Service[]];
let workers: [Workers, Workers, Workers];

/** Three processes with workers, as far as the database can tell. */
beforeAll(async () => {
  database = await testDatabase();
  server = await startTestServer({ database });
  const another = async () => {
    const log = pino({ level: 'error' });
    const service = await buildService(server.service.config, { databaseUrl: database.url, log });
    return { service, workers: buildWorkers(service, await openRails(service)) };
  };
  const [second, third] = [await another(), await another()];
  services = [server.service, second.service, third.service];
  workers = [server.workers, second.workers, third.workers];
  second.workers.start();
  third.workers.start();
});

afterAll(async () => {
  await Promise.all(workers.slice(1).map((one) => one.stop()));
  await Promise.all(services.slice(1).map(closeService));
  await server.stop();
  await database.drop();
});

interface Stage {
  readonly tenant: TestTenant;
  readonly sender: Sender;
  readonly shop: string;
}

async function openStage(): Promise<Stage> {
  const tenant = await server.anotherTenant({ sample: true, calendar: false });
  const sender = openSender(services, tenant.tenantId);
  const [shop] = await openPeople(sender, 1, 'business', 0);
  return { tenant, sender, shop: shop?.customerId ?? '' };
}

const request = async ({ sender, shop }: Stage, expires_in: number, via = 0) =>
  recordOf(
    await sender.send(
      sender.commands.createPaymentRequest,
      { type: 'dynamic', merchant_customer_id: shop, amount: 100, expires_in },
      { via },
    ),
  );

/** The requests that have expired: when they were to, and when they did. */
const expired = ({ sender }: Stage) =>
  sender.query<{ expires_at: string; at: string[] }>(
    `select r.expires_at, array_agg(e.created_at) as at
     from payment_requests r join events e on e.tenant_id = r.tenant_id and e.object_id = r.id
     where r.tenant_id = $1 and e.type = 'payment_request.expired'
     group by r.tenant_id, r.id, r.expires_at order by r.expires_at`,
  );

const advance = ({ advance }: Workers, { tenant }: Stage, seconds: number): Promise<ClockAnswer> =>
  advance.advance(tenant.tenantId, { seconds });

test('several processes move clocks at once: each job at its instant, other tenants as they were', async () => {
  const [moved, alsoMoved, still] = [await openStage(), await openStage(), await openStage()];
  const soon = await request(still, 1);
  await request(still, day);
  const jobLater = () =>
    still.sender.query(
      `select * from jobs where tenant_id = $1 and due_at > $2 order by ref, name`,
      soon.expires_at,
    );
  const before = await jobLater();
  for (const stage of [moved, alsoMoved])
    await Promise.all(Array.from({ length: instants }, (_, at) => request(stage, 60 + 30 * at)));

  let isOver = false;
  /** A client that goes from process to process, while the clock of its tenant jumps. */
  async function client(stage: Stage, first: number): Promise<string[]> {
    const times: string[] = [];
    for (let turn = first; !isOver; turn += 1) {
      times.push((await request(stage, 7 * day, turn % services.length)).created_at);
      await sleep(5);
    }
    return times;
  }
  const clients = [moved, alsoMoved].flatMap((stage) => [client(stage, 0), client(stage, 1)]);
  const answers = await Promise.all([
    advance(workers[0], moved, day),
    advance(workers[1], alsoMoved, day),
  ]);
  isOver = true;

  for (const answer of answers) expect(answer).toMatchObject({ fired: instants, pending: 0 });
  for (const stage of [moved, alsoMoved]) {
    const rows = await expired(stage);
    expect(rows).toHaveLength(instants);
    expect(rows.map(({ at }) => at)).toEqual(rows.map(({ expires_at }) => [expires_at]));
  }
  // Time goes forward for whoever asks, wherever it asks.
  for (const times of await Promise.all(clients)) {
    expect(times.length).toBeGreaterThan(5);
    expect(times).toEqual(times.toSorted());
  }
  for (let tries = 0; (await expired(still)).length === 0 && tries < 300; tries += 1)
    await sleep(20);
  expect(await expired(still)).toHaveLength(1);
  expect(await jobLater()).toEqual(before);
  const { now, real_now } = await workers[2].advance.clock(still.tenant.tenantId);
  expect(Math.abs(epochMs(now) - epochMs(real_now))).toBeLessThan(1_000);
});

test('what is dated follows the clock; tokens, rate limits and signatures follow real time', async () => {
  const { tenant } = await openStage();
  const receiver = await startTestReceiver();
  const call = (method: string, path: string, options: object = {}) =>
    server.call(method, path, { token: tenant.token, ...options });
  const endpoint = { url: receiver.url, enabled: true };
  await call('PUT', '/portal/api/webhook-endpoint', { body: endpoint });
  const body = { seconds: 40 * day };
  const clock = (await call('POST', '/portal/api/clock/advance', { body })).body;
  expect(epochMs(clock.now) - epochMs(clock.real_now)).toBeGreaterThan(39.9 * day * 1_000);
  const aheadMs = (at: string) => epochMs(at) - epochMs(clock.now);

  const applicant = {
    type: 'individual',
    external_ref: 'much later',
    email: 'someone@example.com',
    mobile_number: '+12025550177',
  };
  const made = await call('POST', '/v1/customers', { key: 'k', body: applicant });
  // The token is older than an hour of the tenant's clock, and younger than one of real time.
  expect(made.status).toBe(201);
  expect(Number(made.headers.get('ratelimit-reset'))).toBeLessThanOrEqual(60);
  const { id, created_at, onboarding_session } = made.body;
  expect(Math.abs(aheadMs(created_at))).toBeLessThan(10_000);
  expect(Math.abs(aheadMs(onboarding_session.expires_at) - day * 1_000)).toBeLessThan(10_000);
  const idMs = Number.parseInt(id.replace('cus_', '').slice(0, 12), 16);
  expect(Math.abs(idMs - epochMs(created_at))).toBeLessThan(1_000);

  await receiver.waitFor(1);
  const [delivered] = receiver.received;
  const signedAt = Number(/t=(\d+)/.exec(JSON.stringify(delivered?.headers))?.[1]);
  expect(Math.abs(signedAt * 1_000 - Date.now())).toBeLessThan(60_000);
  const event = (await call('GET', '/v1/webhook-events')).body.data[0];
  expect(Math.abs(aheadMs(event.created_at))).toBeLessThan(10_000);
  const path = `/portal/api/events/${delivered?.event.id}/attempts`;
  let attempts = (await call('GET', path)).body.data;
  for (let tries = 0; attempts.length === 0 && tries < 200; tries += 1) {
    await sleep(10);
    attempts = (await call('GET', path)).body.data;
  }
  expect(Math.abs(aheadMs(attempts[0].at))).toBeLessThan(10_000);
  await receiver.close();
});

test('what a caller may say of time: seconds or a time, forward, and not too far', async () => {
  const { tenant } = await openStage();
  const post = async (body: object) => {
    const path = '/portal/api/clock/advance';
    return (await server.call('POST', path, { token: tenant.token, body })).body;
  };
  const refused = (code: string, param: string) => ({ error: { code, param } });
  const { now } = await post({ seconds: 0 });
  const past = new Date(epochMs(now) - 1_000).toISOString();
  const far = new Date(epochMs(now) + 11 * 366 * day * 1_000).toISOString();
  expect(await post({})).toMatchObject(refused('parameter_missing', 'seconds'));
  expect(await post({ seconds: 1, to: far })).toMatchObject(refused('parameter_invalid', 'to'));
  expect(await post({ to: past })).toMatchObject(refused('parameter_invalid', 'to'));
  expect(await post({ to: far })).toMatchObject(refused('parameter_invalid', 'to'));
  expect(await post({ to: 'tomorrow' })).toMatchObject(refused('parameter_invalid', 'to'));
  const leap = '2036-12-31T23:59:60Z';
  expect(await post({ to: leap })).toMatchObject(refused('parameter_invalid', 'to'));
  for (const seconds of [-1, 0.5, 1e12, '60'])
    expect(await post({ seconds })).toMatchObject(refused('parameter_invalid', 'seconds'));
  const largest = await post({ seconds: 10 * 366 * day });
  expect(largest).toMatchObject({ pending: 0 });
  expect(epochMs(largest.now) - epochMs(now)).toBeGreaterThanOrEqual(10 * 366 * day * 1_000);
});
