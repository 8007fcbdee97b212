import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { unpackEvent } from '@tenant-payments/engine/packed_text/event_text.ts';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { openServer, startTestServer, type TestTenant } from '../../../test/kit/server.ts';
import {
  maximumStreams,
  maximumStreamsOfCaller,
  type StreamType,
} from '../../contract/traffic/stream.ts';
import { type Client, type Resume, resumeOf } from './client.ts';
import { openFeed } from './feed.ts';
import { openStreams } from './streams.ts';

const server = await openServer({ workers: false });
const times = { pollMs: 20, beatMs: 60, askMs: 30, stallMs: 200 };
let tenant: TestTenant;
let isReady = true;
const openAll = () =>
  openStreams(openFeed(server.service.db), pino({ level: 'silent' }), () => isReady, times);
let streams = openAll();
/** Requests from before the test, as for its token: whether a feed begins before them is not said. */
let earlier: readonly string[];
beforeEach(async () => {
  isReady = true;
  streams = openAll();
  tenant = await server.anotherTenant({ calendar: false });
  await server.service.requestLog.flush();
  earlier = await listed('requests');
  return () => streams.close();
});

let count = 0;
/** Makes an event. @returns the id of its record */
async function make(token = tenant.token): Promise<string> {
  count += 1;
  const body = {
    type: 'individual',
    external_ref: `ref-${count}`,
    email: 'ana@example.com',
    mobile_number: `+12025550${100 + (count % 100)}`,
  };
  const reply = await server.call('POST', '/v1/customers', { token, key: randomUUID(), body });
  expect(reply.status).toBe(201);
  return reply.body.id;
}

interface Seen {
  readonly id: string;
  readonly event: string | undefined;
  readonly row: { readonly id: string } | null;
}

/** Collects what a client has read, message by message. */
function reading(client: Client) {
  const seen: Seen[] = [];
  let text = '';
  client.stream.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const fields = Object.fromEntries(
        text
          .slice(0, end)
          .split('\n')
          .map((line) => [line.split(':', 1)[0], line.slice(line.indexOf(':') + 2)]),
      );
      seen.push({
        id: fields.id,
        event: fields.event,
        row: fields.data && JSON.parse(fields.data),
      });
      text = text.slice(end + 2);
    }
  });
  const rows = () => seen.filter(({ event }) => event);
  return {
    seen,
    rows,
    ids: () => rows().map(({ row }) => row?.id),
    async until(wanted: number): Promise<void> {
      await expect.poll(() => rows().length).toBe(wanted);
    },
    /** Waits for these; others may come too: each call of a test is a request of its own. */
    async untilIn(ids: readonly string[]): Promise<void> {
      const missing = () => ids.filter((id) => !rows().some(({ row }) => row?.id === id));
      await expect.poll(missing).toEqual([]);
    },
  };
}

const open = (
  types: readonly StreamType[],
  resume: Resume | null = null,
  { isAllowed = true, caller = `person ${randomUUID()}` } = {},
) =>
  streams.open({
    tenantId: tenant.tenantId,
    caller,
    types: new Set(types),
    resume,
    isAllowed: async () => isAllowed,
    show: (row) => row,
  });

/** Oldest first. */
const listed = async (name: string, token = tenant.token): Promise<string[]> => {
  const path = `/portal/api/${name}?limit=100`;
  const { body } = await server.call('GET', path, { token });
  return body.data.map(({ id }: { id: string }) => id).toReversed();
};

const requestsMade = async (): Promise<string[]> =>
  (await listed('requests')).filter((id) => !earlier.includes(id));

test('each reader gets the rows of its lists as they come, and only those', async () => {
  const events = reading(await open(['events']));
  const both = reading(await open(['records', 'requests']));
  const made = [await make(), await make()];
  await server.service.requestLog.flush();
  await events.until(2);
  expect(events.ids()).toEqual(await listed('events'));
  await server.service.requestLog.flush();
  const requests = await requestsMade();
  await both.untilIn([...made, ...requests]);
  const idsOf = (type: string) =>
    both
      .rows()
      .filter(({ event, row }) => event === type && !earlier.includes(String(row?.id)))
      .map(({ row }) => row?.id);
  expect(idsOf('records')).toEqual(made);
  expect(idsOf('requests').slice(0, requests.length)).toEqual(requests);
  expect(both.rows().filter(({ event }) => event === 'events')).toEqual([]);
});

test('a reader that comes again goes on behind its last row, without missing or doubling', async () => {
  const first = reading(await open(['events']));
  for (let made = 0; made < 4; made += 1) await make();
  await first.until(4);
  const last = first.rows()[1]?.id;
  streams.close();
  for (let made = 0; made < 3; made += 1) await make();
  streams = openAll();
  const again = reading(await open(['events'], resumeOf(last)));
  await make();
  await again.until(6);
  expect([...first.ids().slice(0, 2), ...again.ids()]).toEqual(await listed('events'));
});

test('a reader that saw no row yet goes on where it began', async () => {
  const first = reading(await open(['events']));
  await expect.poll(() => first.seen.length).toBeGreaterThan(0);
  streams.close();
  await make();
  const again = reading(await open(['events'], resumeOf(first.seen[0]?.id)));
  await again.until(1);
});

test('readers that come while others read get the same rows', async () => {
  const first = reading(await open(['events']));
  await expect.poll(() => first.seen.length).toBeGreaterThan(0);
  const resume = () => resumeOf(first.seen[0]?.id);
  const readers = [first];
  for (let made = 0; made < 6; made += 1) {
    await make();
    readers.push(reading(await open(['events'], resume())));
    readers.push(reading(await open(['records'], resume())));
  }
  const ids = await listed('events');
  for (const reader of readers) await reader.until(6);
  for (const reader of readers.filter((one) => one.rows()[0]?.event === 'events'))
    expect(reader.ids()).toEqual(ids);
});

test('a feed of records misses none behind a page of test events', async () => {
  const made = await make();
  await server.owner.query(
    `insert into events (tenant_id, id, type, object_type, object_id, version, created_at, sample, body)
     select tenant_id, gen_random_uuid(), type, object_type, object_id, 1, created_at, true, body
     from events, generate_series(1, 200) where tenant_id = $1 and object_id = $2::uuid and not sample`,
    [tenant.tenantId, made.slice('cus_'.length)],
  );
  const last = await make();
  // Until both are read in one page: what was written a second ago is settled.
  await sleep(2_000);
  const reader = reading(await open(['records'], resumeOf('0')));
  await expect.poll(() => reader.ids()).toContain(last);
});

test('a slow reader is cut, comes again and gets all', async () => {
  const filled = await make();
  const id = filled.slice('cus_'.length);
  const made = 'tenant_id = $1 and object_id = $2::uuid and not sample';
  const { rows } = await server.owner.query(
    `select id, created_at, object_id, body from events where ${made}`,
    [tenant.tenantId, id],
  );
  const event = JSON.parse(unpackEvent(rows[0]));
  event.data.object.note = 'x'.repeat(40_000);
  // 8 MB of events, of which nothing is read.
  await server.owner.query(
    `insert into events (tenant_id, id, type, object_type, object_id, version, created_at, sample, body)
     select tenant_id, gen_random_uuid(), type, object_type, object_id, 1, created_at, true, $3
     from events, generate_series(1, 200) where ${made}`,
    [tenant.tenantId, id, JSON.stringify(event)],
  );
  const all = await server.owner.query('select 1 from events where tenant_id = $1', [
    tenant.tenantId,
  ]);
  const total = all.rowCount ?? 0;
  const seen: (string | undefined)[] = [];
  let last: string | undefined = '0';
  let cuts = 0;
  while (seen.length < total) {
    const client = await open(['events'], resumeOf(last));
    const reader = reading(client);
    // The client takes some and then nothing more, but for the last time.
    if (cuts < 3)
      client.stream.on('data', () => void (reader.rows().length > 40 && client.stream.pause()));
    await expect
      .poll(() => client.stream.destroyed || seen.length + reader.rows().length === total, {
        timeout: 20_000,
      })
      .toBe(true);
    if (client.stream.destroyed) cuts += 1;
    seen.push(...reader.rows().map(({ id }) => id));
    last = reader.rows().at(-1)?.id ?? last;
    client.end();
  }
  expect(cuts).toBe(3);
  expect(seen).toHaveLength(total);
  expect(new Set(seen).size).toBe(total);
});

test('a beat comes while nothing happens', async () => {
  const client = await open(['events']);
  const chunks: string[] = [];
  client.stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  const beats = () => chunks.filter((text) => text === ':\n\n').length;
  await expect.poll(beats).toBeGreaterThan(1);
});

test('a feed ends when its caller may no longer read, and when the process drains', async () => {
  const ended = (client: Client) =>
    new Promise<void>((resolve) => client.stream.once('end', resolve).resume());
  await ended(await open(['events'], null, { isAllowed: false }));
  const draining = await open(['events']);
  isReady = false;
  await ended(draining);
});

test('so many feeds of a tenant are open at a time, and one that ends makes room', async () => {
  const opened = await Promise.all(Array.from({ length: maximumStreams }, () => open(['events'])));
  await expect(open(['events'])).rejects.toMatchObject({ code: 'invalid_state' });
  opened[0]?.stream.destroy();
  await expect
    .poll(() =>
      open(['events']).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
});

test('one caller takes a few of the feeds of a tenant, and the refusal says so', async () => {
  const mine = { caller: `person ${randomUUID()}` as const };
  const opened = await Promise.all(
    Array.from({ length: maximumStreamsOfCaller }, () => open(['events'], null, mine)),
  );
  await expect(open(['events'], null, mine)).rejects.toMatchObject({
    code: 'invalid_state',
    message: `at most ${maximumStreamsOfCaller} feeds of one caller are open at a time`,
    details: { reason: 'too_many_streams', maximum: maximumStreamsOfCaller },
  });
  expect((await open(['events'])).isOpen()).toBe(true);
  opened[0]?.stream.destroy();
  await expect
    .poll(() =>
      open(['events'], null, mine).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
});

test("another tenant's rows are never sent", async () => {
  const reader = reading(await open(['events', 'records', 'requests', 'attempts']));
  const other = await server.anotherTenant({ calendar: false });
  const made = { own: [] as string[], others: [] as string[] };
  // In turns, so that a row of the other's would come before the last of the own.
  for (let turn = 0; turn < 3; turn += 1) {
    made.others.push(await make(other.token));
    made.own.push(await make());
  }
  await server.service.requestLog.flush();
  const others = [
    ...made.others,
    ...(await listed('events', other.token)),
    ...(await listed('requests', other.token)),
  ];
  await reader.untilIn([...made.own, ...(await listed('events')), ...(await requestsMade())]);
  const seen = reader.ids().map(String);
  expect(seen.filter((id) => others.includes(id))).toEqual([]);
  const own = [...made.own, ...(await listed('events')), ...(await listed('requests'))];
  expect(seen.filter((id) => !own.includes(id))).toEqual([]);
});

test('over HTTP it is an event stream, which ends with the token and when the server closes', async () => {
  const own = await startTestServer({ workers: false });
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${own.baseUrl}/portal/api/stream${path}`, {
      headers: { authorization: `Bearer ${own.token}`, ...headers },
    });
  for (const [path, headers, param] of [
    ['', {}, 'types'],
    ['?types=nonsense', {}, 'types'],
    ['?types=events,', {}, 'types'],
    ['?types=events', { 'last-event-id': 'x' }, 'Last-Event-ID'],
  ] as const) {
    const refused = await get(path, headers);
    expect([path, refused.status]).toEqual([path, 400]);
    expect(await refused.json()).toMatchObject({ error: { param } });
  }
  const read = async (reply: Response) => {
    expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    return reply.text();
  };
  const first = await get('?types=events');
  await own.service.pool.query('delete from access_tokens');
  expect(await read(first)).toMatch(/^:\n\nid: \d+\n\n/);
  const { status } = await get('?types=events');
  expect(status).toBe(401);
  await own.stop();
});
