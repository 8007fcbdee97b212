import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { startTestReceiver, type TestReceiver } from '../../../test/kit/http/receiver.ts';
import { openServer, type TestTenant } from '../../../test/kit/server.ts';
import { openDispatcher } from './dispatcher.ts';

const server = await openServer({ workers: false });
let receiver: TestReceiver;
let tenant: TestTenant;
let api: ReturnType<typeof server.apiOf>;

beforeEach(async () => {
  receiver = await startTestReceiver();
  tenant = await server.anotherTenant({ calendar: false });
  api = server.apiOf(tenant);
  await api.put('/portal/api/webhook-endpoint', { url: receiver.url, enabled: true });
  return () => receiver.close();
});

let count = 0;
async function makeEvent(): Promise<void> {
  count += 1;
  const mobile_number = `+1212555${String(2000 + count)}`;
  const person = { type: 'individual', external_ref: `h-${count}`, email: 'ana@example.com' };
  await api.post('/v1/customers', { ...person, mobile_number });
}

/** Runs what is due in a process of its own, which looks at once when something was accepted. */
async function dispatch(until: () => boolean | Promise<boolean>): Promise<void> {
  const dispatcher = openDispatcher(server.service, { pollMs: 20 });
  dispatcher.start();
  for (let tries = 0; tries < 500 && !(await until()); tries += 1) await sleep(20);
  await dispatcher.drain();
}

interface Row {
  readonly status: string;
  readonly attempts: number;
  readonly extra: boolean;
  readonly ahead: number;
}
const rows = async (): Promise<Row[]> => {
  const { rows } = await server.service.pool.query(
    `select status, attempts, extra, extract(epoch from wake_at - now())::float as ahead
     from deliveries where tenant_id = $1 order by event_id`,
    [tenant.tenantId],
  );
  return rows;
};
const areAll = (test: (row: Row) => boolean) => async () => (await rows()).every(test);

/** Makes events that fail, and has them wait for hours. */
async function outage(events: number): Promise<void> {
  for (let made = 0; made < events; made += 1) await makeEvent();
  receiver.answer(500);
  await dispatch(areAll(({ status }) => status === 'retrying'));
  await waitUntil('6 hours');
}
/** Has those that are retried wait for a later offset of their schedule. */
const waitUntil = (offset: string) =>
  server.service.pool.query(
    `update deliveries set next_attempt_at = first_attempt_at + $2::interval,
       due_at = first_attempt_at + $2::interval, wake_at = first_attempt_at + $2::interval
     where tenant_id = $1 and status = 'retrying'`,
    [tenant.tenantId, offset],
  );

test('an endpoint that answers again gets the retries that wait within a minute, not all at once', async () => {
  await outage(6);
  receiver.answer(200);
  await makeEvent();
  await dispatch(async () => (await rows()).some(({ extra }) => extra));
  const waiting = (await rows()).filter(({ status }) => status === 'retrying');
  // The first is due at once and may have arrived already.
  expect(waiting.length).toBeGreaterThanOrEqual(5);
  const aheads = waiting.filter(({ ahead }) => ahead > 1).map(({ ahead }) => ahead);
  expect(aheads).toHaveLength(5);
  for (const [index, ahead] of aheads.entries()) {
    expect(ahead).toBeLessThan(60);
    expect(ahead - (aheads[index - 1] ?? ahead - 10)).toBeCloseTo(10, 0);
  }
});

test('an event that is always refused is made early once before each attempt of its schedule', async () => {
  await outage(1);
  const refused = receiver.received[0]?.event.id;
  receiver.answer((request, response) =>
    response.writeHead(request.event.id === refused ? 500 : 200).end(),
  );
  for (const attempts of [2, 2]) {
    await makeEvent();
    await dispatch(areAll(({ status, attempts }) => status === 'delivered' || attempts === 2));
    expect((await rows())[0]).toMatchObject({ status: 'retrying', attempts, extra: false });
  }
  await waitUntil('12 hours');
  await makeEvent();
  await dispatch(areAll(({ status, attempts }) => status === 'delivered' || attempts === 3));
  expect((await rows())[0]).toMatchObject({ status: 'retrying', attempts: 3 });
});

test('without an answer that accepts, retries wait for their schedule', async () => {
  await outage(2);
  await makeEvent();
  await dispatch(areAll(({ status }) => status === 'retrying'));
  expect((await rows()).map(({ extra }) => extra)).toEqual([false, false, false]);
});
