import { unavailable } from '@tenant-payments/engine/fail.ts';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { answer } from '../../../test/kit/engine.ts';
import { uuid } from '../../../test/kit/ids.ts';
import type { Person } from '../../../test/kit/person.ts';
import { openServer } from '../../../test/kit/server.ts';
import { type BankEvent, sendSigned, signedProvider } from '../../../test/kit/signed_provider.ts';
import type { BankOutcome } from '../../rails/facts.ts';
import { createLoad } from '../../resources/loads/create.ts';
import { getLoad } from '../../resources/loads/read.ts';

const { provider, heard } = signedProvider();
const lines: string[] = [];
const server = await openServer({
  own: true,
  manual: true,
  providers: [provider],
  onLog: (line) => lines.push(line),
});
const { api, engine, baseUrl, service } = server;
const { tenantId } = server.tenant;
const beside = await openServer({ beside: server, workers: false, providers: [provider] });

let ana: Person;
beforeAll(async () => {
  ana = await api.banked('individual');
});
beforeEach(() => {
  lines.length = 0;
  heard.fault = null;
});

const settled: BankOutcome = { outcome: 'settled', amount: 100_00 };
const newId = () => crypto.randomUUID();

/** A confirmed load, with the id of its order. */
async function ordered() {
  const load = await engine.run(createLoad, { customer_id: ana.customerId, amount: 100_00 });
  const loadId = uuid('load', load.id);
  await engine.run(answer('confirm'), { id: loadId });
  const [order] = await engine.query<{ id: string }>(
    'select id from instructions where tenant_id = $1 and source_id = $2',
    loadId,
  );
  return { wire: String(load.id), loadId, orderId: order?.id ?? '' };
}
type Load = Awaited<ReturnType<typeof ordered>>;

const eventOf = ({ orderId }: Load, outcome: BankOutcome = settled): BankEvent => ({
  id: newId(),
  tenantId,
  orderId,
  answer: outcome,
});
const statusOf = async ({ wire }: Load) => (await getLoad(engine.context(), { id: wire })).status;
const alarms = () => lines.map((line) => JSON.parse(line).alarm).filter(Boolean);

interface Row {
  readonly state: string;
  readonly result: string | null;
  readonly record: string | null;
  readonly said_sealed: string | null;
  readonly tenant_id: string;
}
const rowsOf = async ({ id }: { id: string }) => {
  const { rows } = await service.pool.query<Row>(
    'select state, result, record, said_sealed, tenant_id from rail_messages where message_id = $1',
    [id],
  );
  return rows;
};
const ends = async (event: { id: string }) =>
  (await rowsOf(event)).map(({ state, result }) => [state, result]);
/** The count of the whole process, which may serve more than one cell. */
const counted = async (state: string) => {
  const ofCells = service.peers.open.map(({ meters }) => meters.railMessages.get());
  const values = (await Promise.all(ofCells)).flatMap((count) => count.values);
  return values.reduce((sum, { labels, value }) => sum + (labels.state === state ? value : 0), 0);
};

test('a message is verified, kept sealed, acted on and then acknowledged', async () => {
  const load = await ordered();
  const event = eventOf(load);
  expect(await sendSigned(baseUrl, event)).toMatchObject({ status: 200, body: {} });
  expect(await statusOf(load)).toBe('settled');
  const [row] = await rowsOf(event);
  expect(row).toMatchObject({ state: 'taken', result: 'taken', record: load.orderId });
  expect(row?.said_sealed).not.toContain(load.orderId);
  const waiting = await engine.query(
    `select ref from jobs where tenant_id = $1 and name = 'rail_message'`,
  );
  expect(waiting).toEqual([]);
});

test('a message that is repeated is acknowledged, and moves nothing twice', async () => {
  const load = await ordered();
  const event = eventOf(load);
  const before = await counted('repeated');
  for (let times = 0; times < 3; times += 1)
    expect((await sendSigned(baseUrl, event)).status).toBe(200);
  expect(await ends(event)).toEqual([['taken', 'taken']]);
  expect(await engine.events(load.loadId)).toHaveLength(3);
  expect(await counted('repeated')).toBe(before + 2);
});

test('of twenty copies of a message at two processes one moves the load, and one is kept', async () => {
  const load = await ordered();
  const event = eventOf(load);
  const copies = Array.from({ length: 20 }, (_, index) =>
    sendSigned(index % 2 === 0 ? baseUrl : beside.baseUrl, event),
  );
  const replies = await Promise.all(copies);
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await ends(event)).toEqual([['taken', 'taken']]);
  expect(await engine.events(load.loadId)).toHaveLength(3);
});

test('messages in the wrong order move a record once, and the one that contradicts is parked', async () => {
  const load = await ordered();
  const first = eventOf(load, { outcome: 'failed', reason: 'AC04' });
  const events = [eventOf(load), first];
  expect((await sendSigned(baseUrl, { events })).status).toBe(200);
  expect(await statusOf(load)).toBe('settled');
  expect(await Promise.all(events.map(ends))).toEqual([
    [['taken', 'taken']],
    [['parked', 'contradiction']],
  ]);
  expect(alarms()).toEqual(['contradiction']);
});

test.each([
  ['forged', { signature: 'f'.repeat(64) }],
  ['unsigned', { signature: '' }],
  ['stale', { ageSeconds: 3_600 }],
  ['from the future', { ageSeconds: -3_600 }],
])('a message that is %s is 401 and changes nothing', async (_, how) => {
  const load = await ordered();
  const event = eventOf(load);
  const before = await counted('unverified');
  const reply = await sendSigned(baseUrl, event, how);
  expect([reply.status, reply.body.error.code]).toEqual([401, 'authentication_required']);
  expect([await statusOf(load), await rowsOf(event)]).toEqual(['processing', []]);
  expect(await counted('unverified')).toBe(before + 1);
});

test.each([
  ['nonsense', Buffer.from('no JSON'), 'malformed', 'malformed_request'],
  ['larger than 1 MB', Buffer.alloc(1_048_577, 32), 'too_large', 'too_large'],
])('a message that is %s is 400 and counted', async (_, body, state, reason) => {
  const before = await counted(state);
  const reply = await sendSigned(baseUrl, body);
  expect([reply.status, reply.body.error]).toMatchObject([
    400,
    { code: 'parameter_invalid', details: { reason } },
  ]);
  expect(await counted(state)).toBe(before + 1);
});

test('a message of 1 MB is taken, as bytes of whatever type', async () => {
  const load = await ordered();
  const event = { ...eventOf(load), padding: 'x'.repeat(1_000_000) };
  expect((await sendSigned(baseUrl, event)).status).toBe(200);
  expect(await statusOf(load)).toBe('settled');
});

test('a provider that is not there is 404, also for what is no message', async () => {
  const reply = await sendSigned(baseUrl, {}, { name: 'another' });
  expect([reply.status, reply.body.error.code]).toEqual([404, 'not_found']);
  const huge = await sendSigned(baseUrl, Buffer.alloc(2_000_000), { name: 'another' });
  expect(huge.status).toBe(404);
});

test('a fault of the provider is 503 with an alarm, so that the message comes again', async () => {
  const load = await ordered();
  const event = eventOf(load);
  heard.fault = new TypeError('of the adapter');
  const reply = await sendSigned(baseUrl, event);
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1']);
  expect(alarms()).toEqual(['rail_provider']);
  heard.fault = null;
  expect((await sendSigned(baseUrl, event)).status).toBe(200);
  expect(await statusOf(load)).toBe('settled');
});

test.each([
  ['no id', { id: '' }],
  ['an id that is too long', { id: 'x'.repeat(201) }],
  ['a Tenant that is no uuid', { tenantId: 'a tenant' }],
])('a receipt with %s is a fault of the provider, and nothing is kept', async (_, wrong) => {
  const load = await ordered();
  const good = eventOf(load);
  const reply = await sendSigned(baseUrl, { events: [good, { ...eventOf(load), ...wrong }] });
  expect(reply.status).toBe(503);
  expect(await rowsOf(good)).toEqual([]);
});

test('a message about an order that is not known is parked, also one of an id that is none of ours', async () => {
  const orders = [newId(), 'REF 4711'];
  for (const orderId of orders) {
    const event: BankEvent = { id: newId(), tenantId, orderId, answer: settled };
    expect((await sendSigned(baseUrl, event)).status).toBe(200);
    expect(await ends(event)).toEqual([['parked', 'unknown']]);
  }
  expect(alarms()).toEqual(['unknown', 'unknown']);
});

test('a message about a Tenant that is not known is parked in the name of the platform', async () => {
  const event = { ...eventOf(await ordered()), tenantId: newId() };
  expect((await sendSigned(baseUrl, event)).status).toBe(200);
  expect(await rowsOf(event)).toMatchObject([
    { state: 'parked', result: 'unknown', tenant_id: '00000000-0000-0000-0000-000000000000' },
  ]);
});

test('a message that the records refuse is kept as refused, with an alarm, and never 500', async () => {
  const load = await ordered();
  const words = { text: 'of account 123456789', sender: { name: 'Ana Reyes' } };
  const wrong = { outcome: 'settled', amount: 'much', ...words } as unknown as BankOutcome;
  const event = eventOf(load, wrong);
  expect((await sendSigned(baseUrl, event)).status).toBe(200);
  expect(await statusOf(load)).toBe('processing');
  expect((await ends(event))[0]?.[0]).toBe('refused');
  expect(alarms()).toContain('rail_message');
  expect(lines.join()).toContain('much');
  expect(lines.join()).not.toMatch(/123456789|Reyes/);
});

test('another message under an id that was used is left out, with an alarm', async () => {
  const [one, other] = [await ordered(), await ordered()];
  const event = eventOf(one);
  await sendSigned(baseUrl, event);
  expect((await sendSigned(baseUrl, { ...eventOf(other), id: event.id })).status).toBe(200);
  expect([await statusOf(other), alarms()]).toEqual(['processing', ['rail_message']]);
  expect(await ends(event)).toEqual([['taken', 'taken']]);
});

test('a message that was kept by a process that died before it acted is acted on by a job', async () => {
  const load = await ordered();
  const event = eventOf(load);
  const { engine: dying } = beside.service;
  const submit = dying.submit.bind(dying);
  const spy = vi
    .spyOn(dying, 'submit')
    .mockImplementation((command, submission) =>
      command.name === 'bank_fact'
        ? Promise.reject(unavailable('the process has died'))
        : submit(command, submission),
    );
  expect((await sendSigned(beside.baseUrl, event)).status).toBe(503);
  spy.mockRestore();
  expect(await ends(event)).toEqual([['received', null]]);
  await service.pool.query(
    `update jobs set due_at = '2020-01-01', wake_at = '2020-01-01'
     where tenant_id = $1 and name = 'rail_message'`,
    [tenantId],
  );
  server.workers.jobs.forget();
  await server.runJobs();
  expect([await statusOf(load), await ends(event)]).toEqual(['settled', [['taken', 'taken']]]);
  expect((await sendSigned(baseUrl, event)).status).toBe(200);
  expect(await engine.events(load.loadId)).toHaveLength(3);
});

test('an address whose messages are not verified is refused for a while', async () => {
  const replies: number[] = [];
  for (let times = 0; times < 61; times += 1)
    replies.push((await sendSigned(beside.baseUrl, {}, { signature: 'no' })).status);
  expect([replies[0], replies.at(-1)]).toEqual([401, 429]);
  expect((await sendSigned(beside.baseUrl, eventOf(await ordered()))).status).toBe(429);
});
