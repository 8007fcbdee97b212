import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { epochMs } from '../../../engine/time/instant.ts';
import type { ClockAnswer } from '../../../service/jobs/advance.ts';
import type { Workers } from '../../../start/workers.ts';
import type { Api } from '../../kit/api.ts';
import { type Engine, openEngine } from '../../kit/engine.ts';
import { startTestReceiver } from '../../kit/http/receiver.ts';
import { application, type Person } from '../../kit/person.ts';
import { openServer, type TestTenant } from '../../kit/server.ts';
import { until } from '../../kit/wait.ts';

const day = 24 * 3600;
const instants = 100;

/** Three processes with workers, as far as the database can tell. */
const server = await openServer();
const servers = [
  server,
  await openServer({ beside: server }),
  await openServer({ beside: server }),
] as const;

interface Setup {
  readonly tenant: TestTenant;
  /** The tenant at each of the processes. */
  readonly apis: readonly Api[];
  readonly engine: Engine;
  readonly shop: Person;
}

async function openSetup(): Promise<Setup> {
  const tenant = await server.anotherTenant({ sample: true, calendar: false, rateLimit: 100_000 });
  const apis = servers.map((one) => one.apiOf(tenant));
  const engine = openEngine(server.service, tenant.tenantId);
  return { tenant, apis, engine, shop: await server.apiOf(tenant).approved('business') };
}

const request = ({ apis, shop }: Setup, expires_in: number, via = 0) =>
  (apis[via] as Api).request(shop, 100, { expires_in });

/** The requests that have expired: when they were to, and when they did. */
const expired = ({ engine }: Setup) =>
  engine.query<{ expires_at: string; at: string[] }>(
    `select r.expires_at, array_agg(e.created_at) as at
     from payment_requests r join events e on e.tenant_id = r.tenant_id and e.object_id = r.id
     where r.tenant_id = $1 and e.type = 'payment_request.expired'
     group by r.tenant_id, r.id, r.expires_at order by r.expires_at`,
  );

const advance = ({ advance }: Workers, { tenant }: Setup, seconds: number): Promise<ClockAnswer> =>
  advance.advance(tenant.tenantId, { seconds });

test('several processes move clocks at once: each job at its instant, other tenants as they were', async () => {
  const [moved, alsoMoved, still] = [await openSetup(), await openSetup(), await openSetup()];
  const soon = await request(still, 1);
  await request(still, day);
  const jobLater = () =>
    still.engine.query(
      `select * from jobs where tenant_id = $1 and due_at > $2 order by ref, name`,
      soon.expires_at,
    );
  const before = await jobLater();
  for (const setup of [moved, alsoMoved])
    await Promise.all(Array.from({ length: instants }, (_, at) => request(setup, 60 + 30 * at)));

  let isOver = false;
  /** A client that goes from process to process, while the clock of its tenant jumps. */
  async function client(setup: Setup, first: number): Promise<string[]> {
    const times: string[] = [];
    for (let turn = first; !isOver; turn += 1) {
      times.push((await request(setup, 7 * day, turn % servers.length)).created_at);
      await sleep(5);
    }
    return times;
  }
  const clients = [moved, alsoMoved].flatMap((setup) => [client(setup, 0), client(setup, 1)]);
  const answers = await Promise.all([
    advance(servers[0].workers, moved, day),
    advance(servers[1].workers, alsoMoved, day),
  ]);
  isOver = true;

  for (const answer of answers) expect(answer).toMatchObject({ fired: instants, pending: 0 });
  for (const setup of [moved, alsoMoved]) {
    const rows = await expired(setup);
    expect(rows).toHaveLength(instants);
    expect(rows.map(({ at }) => at)).toEqual(rows.map(({ expires_at }) => [expires_at]));
  }
  // Time goes forward for every client, at every process.
  for (const times of await Promise.all(clients)) {
    expect(times.length).toBeGreaterThan(5);
    expect(times).toEqual(times.toSorted());
  }
  await until(async () => (await expired(still)).length > 0);
  expect(await expired(still)).toHaveLength(1);
  expect(await jobLater()).toEqual(before);
  const { now, real_now } = await servers[2].workers.advance.clock(still.tenant.tenantId);
  expect(Math.abs(epochMs(now) - epochMs(real_now))).toBeLessThan(1_000);
});

test('what is dated follows the clock; tokens, rate limits and signatures follow real time', async () => {
  const { tenant } = await openSetup();
  const receiver = await startTestReceiver();
  const call = (method: string, path: string, options: object = {}) =>
    server.call(method, path, { token: tenant.token, ...options });
  const endpoint = { url: receiver.url, enabled: true };
  await call('PUT', '/portal/api/webhook-endpoint', { body: endpoint });
  const body = { seconds: 40 * day };
  const clock = (await call('POST', '/portal/api/clock/advance', { body })).body;
  expect(epochMs(clock.now) - epochMs(clock.real_now)).toBeGreaterThan(39.9 * day * 1_000);
  const aheadMs = (at: string) => epochMs(at) - epochMs(clock.now);

  const made = await call('POST', '/v1/customers', { key: 'k', body: application('individual') });
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
  const attempt = await until(async () => (await call('GET', path)).body.data[0]);
  expect(Math.abs(aheadMs(attempt.at))).toBeLessThan(10_000);
  await receiver.close();
});

test('what a caller may say of time: seconds or a time, forward, and not too far', async () => {
  const { tenant } = await openSetup();
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
