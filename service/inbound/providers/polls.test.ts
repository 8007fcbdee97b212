import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { answer } from '../../../test/kit/engine.ts';
import { uuid } from '../../../test/kit/ids.ts';
import type { Person } from '../../../test/kit/person.ts';
import { openServer } from '../../../test/kit/server.ts';
import { type BankEvent, receiptOf, signedProvider } from '../../../test/kit/signed_provider.ts';
import { createLoad } from '../../resources/loads/create.ts';
import { getLoad } from '../../resources/loads/read.ts';
import { openPolls } from './polls.ts';

const { provider, heard } = signedProvider();
const lines: string[] = [];
let nowMs = Date.parse('2026-01-20T15:00:00Z');
const server = await openServer({
  own: true,
  workers: false,
  realNow: () => nowMs,
  providers: [provider],
  onLog: (line) => lines.push(line),
});
const { api, engine, service } = server;
const { tenantId } = server.tenant;
const beside = await openServer({ beside: server, workers: false, providers: [provider] });
const { polls } = server.providers;

let ana: Person;
beforeAll(async () => {
  ana = await api.banked('individual');
});
beforeEach(async () => {
  lines.length = 0;
  heard.polls.length = 0;
  await service.control.query('delete from control.rail_polls');
});

async function ordered() {
  const load = await engine.run(createLoad, { customer_id: ana.customerId, amount: 100_00 });
  const loadId = uuid('load', load.id);
  await engine.run(answer('confirm'), { id: loadId });
  const [order] = await engine.query<{ id: string }>(
    'select id from instructions where tenant_id = $1 and source_id = $2',
    loadId,
  );
  const event: BankEvent = {
    id: crypto.randomUUID(),
    tenantId,
    orderId: order?.id ?? '',
    answer: { outcome: 'settled', amount: 100_00 },
  };
  return { wire: String(load.id), loadId, receipt: receiptOf(event) };
}
type Load = Awaited<ReturnType<typeof ordered>>;
const statusOf = async ({ wire }: Load) => (await getLoad(engine.context(), { id: wire })).status;
const alarms = () => lines.map((line) => JSON.parse(line).alarm).filter(Boolean);
const cursor = async () =>
  (await service.control.query('select cursor, failures from control.rail_polls')).rows[0];

test('a poll takes what it finds and goes on behind its cursor, in whichever process comes next', async () => {
  const [one, other] = [await ordered(), await ordered()];
  heard.poll = async (at) =>
    at === null
      ? { cursor: 'a', receipts: [one.receipt] }
      : { cursor: 'b', receipts: [one.receipt, other.receipt] };
  expect(await polls.pollNow('signed')).toBe('done');
  expect([await statusOf(one), await cursor()]).toEqual(['settled', { cursor: 'a', failures: 0 }]);
  expect(await polls.pollNow('signed')).toBe('not now');
  nowMs += 60_000;
  expect(await beside.providers.polls.pollNow('signed')).toBe('done');
  expect([await statusOf(other), await cursor()]).toMatchObject(['settled', { cursor: 'b' }]);
  expect(heard.polls).toEqual([null, 'a']);
  expect(await engine.events(one.loadId)).toHaveLength(3);
});

test('of two processes one polls at a time', async () => {
  heard.poll = async () => {
    await sleep(200);
    return { cursor: 'a', receipts: [] };
  };
  const both = [server, beside].map(({ providers }) => providers.polls.pollNow('signed'));
  expect((await Promise.all(both)).sort()).toEqual(['done', 'not now']);
  expect(heard.polls).toEqual([null]);
});

test('a poll that fails keeps its cursor, pauses longer each time, and is an alarm from the third on', async () => {
  heard.poll = async () => ({ cursor: 'a', receipts: [] });
  expect(await polls.pollNow('signed')).toBe('done');
  heard.poll = async () => {
    throw new Error('of the provider');
  };
  const pauses: number[] = [];
  for (let times = 0; times < 3; times += 1) {
    let pause = 0;
    do {
      nowMs += 60_000;
      pause += 1;
    } while ((await polls.pollNow('signed')) === 'not now');
    pauses.push(pause);
  }
  expect(pauses).toEqual([1, 2, 4]);
  expect([await cursor(), alarms()]).toEqual([{ cursor: 'a', failures: 3 }, ['rail_provider']]);
  const { values } = await service.meters.railPolls.get();
  expect(values.find(({ labels }) => labels.result === 'failed')?.value).toBe(3);
  heard.poll = async (at) => ({ cursor: at, receipts: [] });
  nowMs += 3_600_000;
  expect(await polls.pollNow('signed')).toBe('done');
  expect(await cursor()).toEqual({ cursor: 'a', failures: 0 });
});

test('a receipt that cannot be kept leaves the cursor where it was', async () => {
  const load = await ordered();
  const wrong = { ...load.receipt, id: '' };
  heard.poll = async () => ({ cursor: 'a', receipts: [load.receipt, wrong] });
  expect(await polls.pollNow('signed')).toBe('failed');
  expect([await statusOf(load), await cursor()]).toMatchObject(['processing', { cursor: null }]);
});

test('a poll that hears no signal ends with its process, and another process polls at once', async () => {
  heard.poll = () => new Promise(() => {});
  const others = openPolls([provider], { service, ...server.providers });
  others.start();
  while (heard.polls.length === 0) await sleep(10);
  expect(await polls.pollNow('signed')).toBe('not now');
  const begunMs = performance.now();
  await others.stop();
  expect(performance.now() - begunMs).toBeLessThan(2_000);
  heard.poll = async () => ({ cursor: 'c', receipts: [] });
  expect(await polls.pollNow('signed')).toBe('done');
});

test('what a provider remembers is found by its key and by its record, sealed, in every process', async () => {
  const [objects, others] = [server, beside].map(({ providers }) => providers.objectsOf('signed'));
  const record = crypto.randomUUID();
  const item = { kind: 'item', key: 'it_1', tenantId, record, value: { token: 'whose' } };
  await objects?.put(item);
  expect(await others?.get('item', 'it_1')).toEqual({ ...item, revision: expect.any(String) });
  await others?.put({ ...item, value: { token: 'another' } });
  expect(await objects?.byRecord(tenantId, record)).toEqual([
    { ...item, value: { token: 'another' }, revision: expect.any(String) },
  ]);
  expect(await server.providers.objectsOf('other').get('item', 'it_1')).toBeNull();
  const [row] = await engine.query<{ value_sealed: string }>(
    'select value_sealed from rail_objects where tenant_id = $1',
  );
  expect(row?.value_sealed).not.toContain('another');
});
