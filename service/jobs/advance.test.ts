import { setTimeout as sleep } from 'node:timers/promises';
import { deliveryOffsetsSeconds } from '@tenant-payments/contract/resources/webhook_events.ts';
import { longestAdvanceSeconds } from '@tenant-payments/contract/sandbox/clock.ts';
import { command } from '@tenant-payments/engine/command.ts';
import type { JobName } from '@tenant-payments/engine/job_names.ts';
import { addSeconds, epochMs } from '@tenant-payments/engine/time/instant.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestReceiver } from '../../test/kit/http/receiver.ts';
import { openServer, type TestTenant } from '../../test/kit/server.ts';
import { type Dispatcher, openDispatcher } from '../webhooks/dispatch/dispatcher.ts';
import { type Advance, openAdvance } from './advance.ts';
import { type JobLoop, openJobLoop } from './job_loop.ts';
import { staticJobs } from './registry.ts';

const hour = 3600;
const day = 24 * hour;
const week = 7 * day;
let tenant: TestTenant;
let jobs: JobLoop;
let dispatcher: Dispatcher;
let advance: Advance;
/** When each probe ran, on the tenant's clock. */
let ran: { ref: string; at: string }[] = [];
let slowMs = 0;

const server = await openServer({ workers: false, onLog: () => {} });
const receiver = await startTestReceiver();
beforeAll(async () => {
  const probe = command('test.probe', {
    prepare: () => sleep(slowMs),
    load: async () => null,
    decide: (work, _loaded, { ref }: { ref: string }) => {
      ran.push({ ref, at: work.now });
      work.cancelJob('test.probe', ref);
      return { value: null };
    },
  });
  /** Runs every hour, for ever. */
  const hourly = command('test.hourly', {
    load: async () => null,
    decide: (work, _loaded, { ref }: { ref: string }) => {
      ran.push({ ref: 'test.hourly', at: work.now });
      work.scheduleJob('test.hourly', ref, addSeconds(work.now, hour));
      return { value: null };
    },
  });
  const weekly = command('test.weekly', {
    load: async () => null,
    decide: (work, _loaded, { ref }: { ref: string }) => {
      ran.push({ ref: 'test.weekly', at: work.now });
      work.scheduleJob('test.weekly', ref, addSeconds(work.now, week));
      return { value: null };
    },
  });
  const broken = command('test.broken', {
    load: async () => null,
    decide: () => {
      throw new Error('a fault');
    },
  });
  jobs = openJobLoop(server.service, {
    ...staticJobs,
    'test.probe': probe,
    'test.hourly': hourly,
    'test.weekly': weekly,
    'test.broken': broken,
  });
  dispatcher = openDispatcher(server.service, { pollMs: 50 });
  advance = openAdvance(server.service, { jobs, dispatcher });
  jobs.start();
  dispatcher.start();
});

beforeEach(async () => {
  tenant = await server.anotherTenant({ calendar: false });
});

afterEach(async () => {
  ran = [];
  slowMs = 0;
  receiver.answer(200);
  receiver.received.length = 0;
  await server.service.pool.query(
    `delete from jobs where name in ('test.probe', 'test.hourly', 'test.weekly', 'test.broken', 'test.unknown')`,
  );
});

afterAll(async () => {
  await advance.stop();
  await jobs.stop();
  await dispatcher.drain();
  await receiver.close();
});

const stage = command('stage', {
  load: async () => null,
  decide: (work, _loaded, { name, inSeconds }: { name: JobName; inSeconds: readonly number[] }) => {
    const rows = inSeconds.map((seconds) => ({
      ref: work.newId(),
      at: addSeconds(work.now, seconds),
    }));
    for (const { ref, at } of rows) work.scheduleJob(name, ref, at);
    return { value: rows };
  },
});

async function staged(inSeconds: readonly number[], name: JobName = 'test.probe') {
  const { tenantId } = tenant;
  const reply = await server.service.engine.submit(stage, { tenantId, input: { name, inSeconds } });
  return JSON.parse(reply.body) as { ref: string; at: string }[];
}

async function makeEvent(): Promise<void> {
  const body = {
    type: 'individual',
    external_ref: 'ref',
    email: 'ana@example.com',
    mobile_number: '+12025550123',
  };
  const reply = await server.call('POST', '/v1/customers', { key: 'k', body, token: tenant.token });
  expect(reply.status).toBe(201);
}

async function enableEndpoint(): Promise<void> {
  const body = { url: receiver.url, enabled: true };
  const path = '/portal/api/webhook-endpoint';
  expect((await server.call('PUT', path, { body, token: tenant.token })).status).toBe(200);
}

/** The first event of the tenant; others follow when its customer's session ends. */
async function firstEvent() {
  const { body } = await server.call('GET', '/v1/webhook-events', { token: tenant.token });
  return body.data.at(-1);
}

async function eventWith(status: string) {
  for (let tries = 0; tries < 300; tries += 1) {
    const event = await firstEvent();
    if (event?.delivery.status === status) return event;
    await sleep(10);
  }
  throw new Error(`no event became ${status}`);
}

const clockRow = async () => {
  const { rows } = await server.service.pool.query(
    'select clock_offset_ms, clock_at, clock_target, clock_lease_until from tenants where tenant_id = $1',
    [tenant.tenantId],
  );
  return rows[0];
};

test('an advance stops at each due time in order, and ends at its target', async () => {
  const rows = await staged([3 * hour, hour, 2 * hour, 5 * hour]);
  const before = await advance.clock(tenant.tenantId);
  const after = await advance.advance(tenant.tenantId, { seconds: 4 * hour });
  expect(ran).toEqual(
    rows.filter((_, index) => index < 3).toSorted((a, b) => (a.at < b.at ? -1 : 1)),
  );
  expect(after).toMatchObject({ fired: 3, pending: 0 });
  const movedMs = epochMs(after.now) - epochMs(before.now);
  expect(movedMs).toBeGreaterThanOrEqual(4 * hour * 1000);
  expect(movedMs).toBeLessThan(4 * hour * 1000 + 5_000);
  expect(await clockRow()).toMatchObject({ clock_at: null, clock_target: null });
});

test('after an advance, a job due a second later runs a second later in real time', async () => {
  await staged([hour]);
  await advance.advance(tenant.tenantId, { seconds: hour - 1 });
  expect(ran).toEqual([]);
  await sleep(1_600);
  expect(ran).toHaveLength(1);
});

test('jobs that are scheduled during an advance run at their own time', async () => {
  const [first] = await staged([hour], 'test.hourly');
  await advance.advance(tenant.tenantId, { seconds: 5 * hour });
  expect(ran.map(({ at }) => at)).toEqual(
    [0, 1, 2, 3, 4].map((hours) => addSeconds(first?.at ?? '', hours * hour)),
  );
});

test('an advance goes to a time or by 0 seconds, and never back', async () => {
  const { now } = await advance.clock(tenant.tenantId);
  const to = addSeconds(now, day);
  const moved = await advance.advance(tenant.tenantId, { to });
  expect(moved.now >= to).toBe(true);
  expect(epochMs(moved.now) - epochMs(to)).toBeLessThan(5_000);
  await expect(advance.advance(tenant.tenantId, { to: now })).rejects.toMatchObject({
    code: 'parameter_invalid',
    param: 'to',
  });
  await expect(advance.advance(tenant.tenantId, { seconds: -1 })).rejects.toMatchObject({
    code: 'parameter_invalid',
    param: 'seconds',
  });
  expect(await advance.advance(tenant.tenantId, { seconds: 0 })).toMatchObject({ pending: 0 });
});

test('a second advance meanwhile is refused, and the clock shows the current step', async () => {
  slowMs = 300;
  const [row] = await staged([hour]);
  const first = advance.advance(tenant.tenantId, { seconds: day });
  await sleep(150);
  await expect(advance.advance(tenant.tenantId, { seconds: 1 })).rejects.toMatchObject({
    code: 'invalid_state',
  });
  const during = await advance.clock(tenant.tenantId);
  expect(during.now).toBe(row?.at);
  expect(during.pending).toBe(1);
  await first;
});

test('the call returns after its wait with what is pending, and the advance continues', async () => {
  const impatient = openAdvance(server.service, { jobs, dispatcher }, { waitMs: 100 });
  slowMs = 200;
  await staged([hour, 2 * hour, 3 * hour]);
  const answer = await impatient.advance(tenant.tenantId, { seconds: day });
  expect(answer.pending).toBeGreaterThan(0);
  for (let tries = 0; ran.length < 3 && tries < 200; tries += 1) await sleep(20);
  await impatient.stop();
  expect(ran).toHaveLength(3);
  expect(await advance.clock(tenant.tenantId)).toMatchObject({ pending: 0 });
});

test('another process completes an advance whose holder died', async () => {
  const rows = await staged([hour, 2 * hour]);
  const { now } = await advance.clock(tenant.tenantId);
  await server.service.pool.query(
    `update tenants set clock_target = $2, clock_at = $3, clock_lease_until = $4,
      revision = revision + 1 where tenant_id = $1`,
    [tenant.tenantId, addSeconds(now, day), now, addSeconds(now, -1)],
  );
  const other = openAdvance(server.service, { jobs, dispatcher });
  other.start();
  for (let tries = 0; (await clockRow()).clock_target !== null && tries < 200; tries += 1)
    await sleep(20);
  await other.stop();
  expect(ran).toEqual(rows);
  expect(epochMs((await advance.clock(tenant.tenantId)).now)).toBeGreaterThanOrEqual(
    epochMs(addSeconds(now, day)),
  );
});

test('a holder that is busy for longer than its lease renews it', async () => {
  const holder = openAdvance(server.service, { jobs, dispatcher }, { leaseMs: 200 });
  const leases = new Set<string>();
  slowMs = 900;
  await staged([hour]);
  let isOver = false;
  const advancing = holder.advance(tenant.tenantId, { seconds: day }).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const { clock_lease_until: lease } = await clockRow();
    if (lease !== null) leases.add(lease);
    await sleep(20);
  }
  expect(await advancing).toMatchObject({ fired: 1, pending: 0 });
  // One at the begin, one at the step, and those that renew the lease during the step.
  expect(leases.size).toBeGreaterThanOrEqual(4);
});

test('one of two holders steps: each job runs once', async () => {
  await staged(Array.from({ length: 30 }, (_, index) => (index + 1) * 60));
  const { now } = await advance.clock(tenant.tenantId);
  await server.service.pool.query(
    `update tenants set clock_target = $2, clock_at = $3, revision = revision + 1
     where tenant_id = $1`,
    [tenant.tenantId, addSeconds(now, day), now],
  );
  const others = [1, 2, 3].map(() => openAdvance(server.service, { jobs, dispatcher }));
  for (const other of others) other.start();
  for (let tries = 0; (await clockRow()).clock_target !== null && tries < 300; tries += 1)
    await sleep(20);
  await Promise.all(others.map((other) => other.stop()));
  expect(ran).toHaveLength(30);
});

test('in an advance of ten years, a weekly job runs each week at its time', async () => {
  const [first] = await staged([week], 'test.weekly');
  const after = await advance.advance(tenant.tenantId, { seconds: longestAdvanceSeconds });
  const weeks = Math.floor(longestAdvanceSeconds / week);
  expect(after).toMatchObject({ fired: weeks, pending: 0 });
  expect(ran.map(({ at }) => at)).toEqual(
    Array.from({ length: weeks }, (_, index) => addSeconds(first?.at ?? '', index * week)),
  );
});

test('a job that always fails, or has no command, does not hold the clock', async () => {
  await staged([hour], 'test.broken');
  await staged([2 * hour], 'test.unknown');
  await staged([5 * 365 * day]);
  const after = await advance.advance(tenant.tenantId, { seconds: longestAdvanceSeconds });
  expect(after.pending).toBe(0);
  expect(after.fired).toBeLessThan(80);
  expect(ran).toHaveLength(1);
  const { rows } = await server.service.pool.query(
    'select name from jobs where tenant_id = $1 order by name',
    [tenant.tenantId],
  );
  expect(rows.map(({ name }) => name)).toEqual(['test.broken', 'test.unknown']);
});

test('the clock is never set back behind real time, however long a step took', async () => {
  const aheadMs = async () => {
    const { now, real_now } = await advance.clock(tenant.tenantId);
    return epochMs(now) - epochMs(real_now);
  };
  const before = await aheadMs();
  slowMs = 500;
  await staged([0.1]);
  await advance.advance(tenant.tenantId, { seconds: 0.2 });
  expect(ran).toHaveLength(1);
  expect(await aheadMs()).toBeGreaterThanOrEqual(before - 50);
});

test('an invalid time, or one after the last year, is refused', async () => {
  const refused = (param: string, reason: string) => ({
    code: 'parameter_invalid',
    param,
    details: { reason },
  });
  const to = (text: string) => advance.advance(tenant.tenantId, { to: text });
  await expect(to('2100-12-31T23:59:60Z')).rejects.toMatchObject(refused('to', 'format'));
  await expect(to('2100-01-01T00:00:00Z')).rejects.toMatchObject(refused('to', 'too_far'));
  await expect(to('2000-01-01T00:00:00Z')).rejects.toMatchObject(refused('to', 'past'));
  await server.service.pool.query(
    `update tenants set clock_offset_ms = $2, revision = revision + 1 where tenant_id = $1`,
    [tenant.tenantId, Date.UTC(8999, 11, 30) - Date.now()],
  );
  await expect(
    advance.advance(tenant.tenantId, { seconds: longestAdvanceSeconds }),
  ).rejects.toMatchObject(refused('seconds', 'too_far'));
  expect(await advance.advance(tenant.tenantId, { seconds: day })).toMatchObject({ pending: 0 });
});

test('a receiver that hangs delays an advance, and each attempt is made at its offset', async () => {
  await enableEndpoint();
  receiver.answer(() => {});
  const impatient = openDispatcher(server.service, { timeoutMs: 100 });
  const hurried = openAdvance(server.service, { jobs, dispatcher: impatient }, { waitMs: 300 });
  await server.service.pool.query(
    `update tenants set clock_target = $2, clock_at = $2, clock_lease_until = $2,
      revision = revision + 1 where tenant_id = $1`,
    [tenant.tenantId, new Date(Date.now() + 60_000).toISOString()],
  );
  await makeEvent();
  await server.service.pool.query(
    `update tenants set clock_target = null, clock_at = null, clock_lease_until = null,
      revision = revision + 1 where tenant_id = $1`,
    [tenant.tenantId],
  );
  const answer = await hurried.advance(tenant.tenantId, { seconds: 80 * hour });
  expect(answer.pending).toBeGreaterThan(0);
  await expect(hurried.advance(tenant.tenantId, { seconds: 1 })).rejects.toMatchObject({
    code: 'invalid_state',
  });
  for (let tries = 0; (await clockRow()).clock_target !== null && tries < 500; tries += 1)
    await sleep(20);
  const { id } = await firstEvent();
  const { body } = await server.call('GET', `/portal/api/events/${id}/attempts`, {
    token: tenant.token,
  });
  const times = body.data.map(({ at }: { at: string }) => at);
  expect(times).toEqual(deliveryOffsetsSeconds.map((seconds) => addSeconds(times[0], seconds)));
  await hurried.stop();
  await impatient.drain();
});

test('an event to a receiver that is down has twelve attempts at the exact offsets, and then fails', async () => {
  await enableEndpoint();
  receiver.answer(503);
  await makeEvent();
  const { id, delivery } = await eventWith('retrying');
  const firstAt = delivery.last_attempt_at;
  const after = await advance.advance(tenant.tenantId, { seconds: 80 * hour });
  expect(after.pending).toBe(0);
  const { body } = await server.call('GET', `/portal/api/events/${id}/attempts`, {
    token: tenant.token,
  });
  expect(body.data.map(({ at }: { at: string }) => at)).toEqual(
    deliveryOffsetsSeconds.map((seconds) => addSeconds(firstAt, seconds)),
  );
  expect(receiver.received.filter(({ event }) => event.id === id)).toHaveLength(12);
  const end = await firstEvent();
  expect(end.delivery).toEqual({
    status: 'failed',
    attempts: 12,
    last_attempt_at: addSeconds(firstAt, 72 * hour),
    last_response_status: 503,
    next_attempt_at: null,
  });
});

test('however the clock is moved, each attempt is made once and at its offset', async () => {
  await enableEndpoint();
  receiver.answer(500);
  await makeEvent();
  const { id, delivery } = await eventWith('retrying');
  for (let step = 0, moved = 0; moved < 73 * hour; step += 1) {
    // Steps of a few seconds up to eight hours, the same in every run.
    const seconds = Math.floor((((step * 7919) % 997) / 997) ** 4 * 8 * hour) + 7;
    await advance.advance(tenant.tenantId, { seconds });
    moved += seconds;
  }
  const path = `/portal/api/events/${id}/attempts`;
  const { body } = await server.call('GET', path, { token: tenant.token });
  const lateMs = body.data.map(
    ({ at }: { at: string }, index: number) =>
      epochMs(at) - epochMs(delivery.last_attempt_at) - (deliveryOffsetsSeconds[index] ?? 0) * 1000,
  );
  expect(lateMs).toHaveLength(12);
  // A second of real time may pass between two steps.
  expect(Math.min(...lateMs)).toBe(0);
  expect(Math.max(...lateMs)).toBeLessThan(1_000);
  expect((await firstEvent()).delivery.status).toBe('failed');
});

test('a failed event that is resent begins a new schedule, and its attempts are counted on', async () => {
  await enableEndpoint();
  receiver.answer(503);
  await makeEvent();
  const { id } = await eventWith('retrying');
  await advance.advance(tenant.tenantId, { seconds: 73 * hour });
  const path = `/v1/webhook-events/${id}/resend`;
  const resent = await server.call('POST', path, { token: tenant.token });
  expect(resent.body.delivery).toMatchObject({ status: 'pending', attempts: 12 });
  const again = await eventWith('retrying');
  expect(again.delivery.attempts).toBe(13);
  receiver.answer(200);
  await advance.advance(tenant.tenantId, { seconds: 60 });
  expect((await firstEvent()).delivery).toMatchObject({ status: 'delivered', attempts: 14 });
});

test('moving the clock delivers the events to a receiver that is back', async () => {
  await enableEndpoint();
  receiver.answer(503);
  await makeEvent();
  await eventWith('retrying');
  await advance.advance(tenant.tenantId, { seconds: 600 });
  receiver.answer(200);
  await advance.advance(tenant.tenantId, { seconds: 2 * hour });
  expect((await firstEvent()).delivery).toMatchObject({ status: 'delivered', attempts: 4 });
});

test('72 hours without an endpoint end the schedule without an attempt', async () => {
  await enableEndpoint();
  receiver.answer(503);
  await makeEvent();
  await eventWith('retrying');
  const body = { url: receiver.url, enabled: false };
  await server.call('PUT', '/portal/api/webhook-endpoint', { body, token: tenant.token });
  await advance.advance(tenant.tenantId, { seconds: 73 * hour });
  expect((await firstEvent()).delivery).toMatchObject({ status: 'failed', attempts: 1 });
});

test('deliveries that never end at one instant do not hold the clock for ever', async () => {
  await enableEndpoint();
  receiver.answer(() => {});
  // Due deliveries never end, as when new events come faster than they are delivered.
  const busy = { ...openDispatcher(server.service, {}), deliverDue: async () => 1 };
  const patient = openAdvance(server.service, { jobs, dispatcher: busy }, { deliveriesWaitMs: 50 });
  await server.service.pool.query(
    'update tenants set clock_target = now(), clock_at = now(), revision = revision + 1 where tenant_id = $1',
    [tenant.tenantId],
  );
  await makeEvent();
  await server.service.pool.query(
    'update tenants set clock_target = null, clock_at = null, revision = revision + 1 where tenant_id = $1',
    [tenant.tenantId],
  );
  await staged([60]);
  const answer = await patient.advance(tenant.tenantId, { seconds: hour });
  expect(answer.pending).toBe(0);
  expect(ran).toHaveLength(1);
  await patient.stop();
});
