import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { usualLimits } from '../../../service/webhooks/dispatch/lanes.ts';
import {
  type ReceivedWebhook,
  startTestReceiver,
  type TestReceiver,
} from '../../kit/http/receiver.ts';
import { until } from '../../kit/wait.ts';
import { type Deliveries, openDeliveries, type Subscriber } from './deliveries.ts';

/** One bad endpoint delays no other. Order and counts tell it, not the speed of the machine. */
let deliveries: Deliveries;
let receiver: TestReceiver;
let skewMs = 0;
/** Tenants whose receivers answer; each test gives them new addresses. */
let good: Subscriber[];

beforeAll(async () => {
  deliveries = await openDeliveries({ realNow: () => Date.now() + skewMs });
  good = await inTurns(180, () => deliveries.subscriber());
});
beforeEach(async () => {
  receiver = await startTestReceiver();
});
afterEach(async () => {
  // First, so that what hangs need not be waited for.
  await receiver.close();
  await deliveries.drain();
});
afterAll(() => deliveries.stop());

const pathOf = (name: string) => `/${name}`;
const at = (name: string) => new URL(pathOf(name), receiver.url).href;
const came = (name: string) => receiver.received.filter(({ path }) => path === pathOf(name));

const timesOver = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

/** Twenty at a time: the pool waits five seconds for a free connection, and no longer. */
async function inTurns<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  while (made.length < count)
    made.push(
      ...(await timesOver(Math.min(20, count - made.length), (n) => make(made.length + n))),
    );
  return made;
}

const giveAddresses = (tenants: readonly Subscriber[]) =>
  inTurns(tenants.length, async (index) => tenants[index]?.setEndpoint(at(`good-${index}`)));

const makeEvents = (tenant: Subscriber, count: number) =>
  timesOver(count, () => tenant.makeEvent());

/** Answers as `how` says and counts how many of each path wait for it at once. */
function counting(how: (request: ReceivedWebhook, done: () => void) => void) {
  const open = new Map<string, number>();
  const most = new Map<string, number>();
  receiver.answer((request, response: ServerResponse) => {
    const now = (open.get(request.path) ?? 0) + 1;
    open.set(request.path, now);
    most.set(request.path, Math.max(now, most.get(request.path) ?? 0));
    how(request, () => {
      open.set(request.path, (open.get(request.path) ?? 1) - 1);
      response.writeHead(200).end();
    });
  });
  return {
    open: (name: string) => open.get(pathOf(name)) ?? 0,
    most: (name: string) => most.get(pathOf(name)) ?? 0,
  };
}

/** Resolves when of this tenant nothing is claimed and nothing is due. */
async function settled({ tenant: { tenantId } }: Subscriber): Promise<void> {
  const { pool, clocks } = deliveries.server.service;
  for (;;) {
    const { rows } = await pool.query(
      `select 1 from deliveries where tenant_id = $1 and (lease_until is not null or wake_at <= $2)`,
      [tenantId, new Date(clocks.realNow()).toISOString()],
    );
    if (rows.length === 0) return;
    await sleep(10);
  }
}

async function attemptsMade(tenants: readonly Subscriber[]): Promise<number> {
  const { rows } = await deliveries.server.service.pool.query<{ count: number }>(
    'select count(*)::integer as count from attempts where tenant_id = any($1::uuid[])',
    [tenants.map(({ tenant }) => tenant.tenantId)],
  );
  return rows[0]?.count ?? 0;
}

const timeoutMs = 15_000;

test('while one receiver hangs, all events of fifty others arrive', async () => {
  const counted = counting((request, done) => {
    if (request.path !== pathOf('hanging')) done();
  });
  const hanging = await deliveries.subscriber(at('hanging'));
  const others = good.slice(0, 50);
  await giveAddresses(others);
  const owed = await makeEvents(hanging, 40);
  deliveries.dispatch({ timeoutMs });
  await until(() => counted.open('hanging') > 0, { what: 'an attempt that hangs' });
  await Promise.all(others.map((tenant) => makeEvents(tenant, 4)));
  await receiver.waitFor(200 + came('hanging').length);
  for (let index = 0; index < 50; index += 1) {
    const ids = came(`good-${index}`).map(({ event }) => event.id);
    expect([ids.length, new Set(ids).size]).toEqual([4, 4]);
  }
  // The others were through before the first of its attempts had ended.
  expect(await attemptsMade([hanging])).toBe(0);
  expect(counted.most('hanging')).toBe(usualLimits.slowEach);
  expect(came('hanging')).toHaveLength(usualLimits.slowEach);
  expect(owed).toHaveLength(40);
});

test('what was put off while a receiver hung arrives once it answers, each event once', async () => {
  let hangs = true;
  const waiting: (() => void)[] = [];
  counting((_request, done) => void (hangs ? waiting.push(done) : done()));
  const tenant = await deliveries.subscriber(at('one'));
  const owed = await makeEvents(tenant, 40);
  deliveries.dispatch({ timeoutMs, limits: { ...usualLimits, slowAfterMs: 100 } });
  await until(() => waiting.length === usualLimits.slowEach, { what: 'attempts that hang' });
  await sleep(400);
  hangs = false;
  for (const done of waiting.splice(0)) done();
  while (receiver.received.length < 40) {
    await settled(tenant);
    // Later than the longest turn that a slow receiver's event is put off for.
    skewMs += 61_000;
  }
  await settled(tenant);
  expect(receiver.received.map(({ event }) => event.id).sort()).toEqual(owed.sort());
});

test('a prompt receiver is asked by sixteen at once, and by no more', async () => {
  const counted = counting((_request, done) => void setTimeout(done, 100));
  const tenant = await deliveries.subscriber(at('prompt'));
  await makeEvents(tenant, 80);
  deliveries.dispatch({ timeoutMs });
  await receiver.waitFor(80);
  expect(counted.most('prompt')).toBe(usualLimits.each);
});

test('one that was prompt and begins to hang keeps two attempts when those under way have ended', async () => {
  let hangs = false;
  const counted = counting((_request, done) => void (hangs || done()));
  const tenant = await deliveries.subscriber(at('turned'));
  deliveries.dispatch({ timeoutMs: 800, limits: { ...usualLimits, slowAfterMs: 300 } });
  await tenant.makeEvent();
  await receiver.waitFor(1);
  hangs = true;
  await makeEvents(tenant, 60);
  await until(() => counted.open('turned') >= usualLimits.each, {
    what: 'as many attempts as a prompt one has',
  });
  const before = receiver.received.length;
  expect(before).toBe(1 + usualLimits.each);
  // The attempts under way end, then the first turns of what was put off have come.
  await settled(tenant);
  skewMs += 10_000;
  await until(() => receiver.received.length > before, { what: 'an attempt after the first ones' });
  await sleep(200);
  expect(receiver.received.length - before).toBeLessThanOrEqual(usualLimits.slowEach);
});

test('of two hundred receivers on one server twenty are dead, and no other is the later for it', async () => {
  const isDead = (path: string) => path.startsWith('/dead');
  const counted = counting((request, done) => void (isDead(request.path) || done()));
  const dead = await timesOver(20, (index) => deliveries.subscriber(at(`dead-${index}`)));
  await giveAddresses(good);
  await Promise.all([...dead, ...good].map((tenant) => makeEvents(tenant, 3)));
  deliveries.dispatch({ timeoutMs });
  const goodCame = () => receiver.received.filter(({ path }) => !isDead(path)).length;
  await until(() => goodCame() === 540, { what: 'all events of the others' });
  expect(await attemptsMade(dead)).toBe(0);
  for (let index = 0; index < 20; index += 1)
    expect(counted.most(`dead-${index}`)).toBe(usualLimits.slowEach);
  const ids = receiver.received.filter(({ path }) => !isDead(path)).map(({ event }) => event.id);
  expect(new Set(ids).size).toBe(540);
});
