import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import { afterAll, describe, expect, test } from 'vitest';
import type { ReplyBody } from '../kit/http/http.ts';
import { startTestReceiver } from '../kit/http/receiver.ts';
import { openServer } from '../kit/server.ts';
import { until } from '../kit/wait.ts';
import { variantsOf } from './cases/bases.ts';
import { factsOf, inner } from './cases/fields.ts';
import { operations } from './run.ts';
import { playScenario } from './scenario.ts';

const rateLimit = 10_000_000;
const server = await openServer({ tenant: { rateLimit } });
const receiver = await startTestReceiver();
afterAll(() => receiver.close());
const { api } = server;
const scenario = await playScenario(server.baseUrl, server.token);
const stranger = await server.anotherTenant({ rateLimit });
await playScenario(server.baseUrl, stranger.token);
const { payer, shop } = scenario;

const daySeconds = 24 * 3_600;

const endpoint = (enabled: boolean) =>
  api.put('/portal/api/webhook-endpoint', { url: receiver.url, enabled });
const ask = () => api.request(shop, 1, { expires_in: 604_800 });
const pay = () => api.confirmed(api.pay(payer, shop, 1));

/** Resolves once the latest event has been attempted. */
async function attempted(): Promise<void> {
  const [{ id }] = (await api.get('/v1/webhook-events?limit=1')).data;
  const attempts = () => api.get(`/portal/api/events/${id}/attempts`);
  await until(async () => (await attempts()).data.length > 0, { what: 'an attempt' });
}

/** Events in each state that a delivery can be in. */
for (let count = 0; count < 5; count += 1) await pay();
await endpoint(true);
await ask();
await attempted();
receiver.answer(500);
await ask();
await attempted();
await api.advance(3 * daySeconds);
await ask();
await attempted();
await endpoint(false);
await ask();

type Query = Readonly<Record<string, string | number>>;

const get = (path: string, query: Query = {}, token = scenario.token) =>
  server.call('GET', `${path}?${new URLSearchParams(query as Record<string, string>)}`, { token });

async function page(path: string, query: Query): Promise<ReplyBody> {
  const { status, body } = await get(path, query);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.has_more).toBe(body.next_cursor !== null);
  return body;
}

/** All pages of a list, and what is done between two of them. */
async function walk(path: string, query: Query, between: () => Promise<unknown> = async () => {}) {
  const items: ReplyBody[] = [];
  let cursor: string | null = null;
  do {
    const found: ReplyBody = await page(path, cursor === null ? query : { ...query, cursor });
    expect(found.data.length).toBeLessThanOrEqual(Number(query.limit));
    items.push(...found.data);
    cursor = found.next_cursor;
    if (cursor !== null) {
      expect(found.data).toHaveLength(Number(query.limit));
      await between();
    }
  } while (cursor !== null);
  return items;
}

const ids = (items: readonly ReplyBody[]): string[] => items.map(({ id }) => id);

async function refusalOf(path: string, query: Query, token = scenario.token) {
  const { status, body } = await get(path, query, token);
  return [status, body.error?.code, body.error?.param];
}
const invalid = (param: string) => [400, 'parameter_invalid', param];

const paged = operations.filter(
  ({ query }) => query !== undefined && 'cursor' in query.properties && 'limit' in query.properties,
);

/** The path of a list, with an id that has many rows. */
async function pathOf(endpoint: EndpointDefinition): Promise<string> {
  const base = await variantsOf(endpoint)[0]?.make(scenario);
  return endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => base?.params?.[name] ?? '');
}

/** The filters of an operation; of an object one key is the filter. */
const filtersOf = ({ query }: EndpointDefinition) =>
  Object.entries(query?.properties ?? {})
    .filter(([name]) => name !== 'limit' && name !== 'cursor')
    .map(([name, schema]) =>
      factsOf(schema).type === 'object'
        ? ([`${name}[key]`, schema] as const)
        : ([name, schema] as const),
    );

const paramOf = (filter: string) => filter.replace('[key]', '.key');

/** A value of a filter that the list takes. */
function filterValue(schema: Parameters<typeof inner>[0]): string {
  const { enum: words, format } = factsOf(inner(schema));
  if (words) return words[0] ?? '';
  return format === 'date-time' ? '2020-01-01T00:00:00Z' : 'unknown';
}

const lists = paged.map((list): [string, EndpointDefinition] => [list.id, list]);
const events = '/v1/webhook-events';
const transactions = `/v1/accounts/${payer.accountId}/transactions`;

test('the lists with pages are the transactions and the events at least', () => {
  expect(paged.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['listTransactions', 'listWebhookEvents']),
  );
});

describe('limit', () => {
  test.each(lists)('%s takes 1 to 100, whole numbers in digits alone', async (_, list) => {
    const path = await pathOf(list);
    const wrong = ['0', '-1', '101', '1.5', '1.0', '1e1', '0x10', ' 5', '5 ', '+5', 'abc', ''];
    for (const limit of [...wrong, 'null', 'Infinity', '1e400', '99999999999999999999'])
      expect([limit, ...(await refusalOf(path, { limit }))]).toEqual([limit, ...invalid('limit')]);
    for (const limit of ['1', '99', '100']) expect((await get(path, { limit })).status).toBe(200);
  });

  test('is 25 where none is given', async () => {
    const all = await page(events, { limit: 100 });
    expect(all.data.length).toBeGreaterThan(26);
    const [first, same] = [await page(events, {}), await page(events, { limit: 25 })];
    expect([first.data.length, first]).toEqual([25, same]);
  });

  test('may change from page to page', async () => {
    const all = ids((await page(events, { limit: 20 })).data);
    const first = await page(events, { limit: 3 });
    const then = await page(events, { limit: 17, cursor: first.next_cursor });
    expect(ids([...first.data, ...then.data])).toEqual(all);
  });
});

describe('pages', () => {
  test.each(lists)('%s comes whole and in order, however it is cut', async (_, list) => {
    const path = await pathOf(list);
    const whole = await walk(path, { limit: 100 });
    const times = whole.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort().reverse());
    expect(new Set(ids(whole)).size).toBe(whole.length);
    const sizes = new Set([1, 2, 7, Math.min(100, Math.max(1, whole.length))]);
    for (const limit of sizes) expect(ids(await walk(path, { limit }))).toEqual(ids(whole));
  });

  test.each([
    ['the events', events, ask],
    ['the transactions', transactions, pay],
  ])(
    '%s that were there are seen once each, whatever is written between',
    async (_, path, write) => {
      const before = ids(await walk(path, { limit: 100 }));
      const seen = ids(await walk(path, { limit: 4 }, () => write()));
      expect(seen).toEqual(before);
      const after = ids(await walk(path, { limit: 100 }));
      expect(after.length).toBeGreaterThan(before.length);
      expect(after.slice(-before.length)).toEqual(before);
    },
  );

  test('of events stay whole while four writers write', async () => {
    const before = ids(await walk(events, { limit: 100 }));
    let writing = true;
    const writers = Array.from({ length: 4 }, async () => {
      while (writing) await ask();
    });
    const seen = ids(await walk(events, { limit: 5 })).filter((id) => before.includes(id));
    writing = false;
    await Promise.all(writers);
    expect(seen).toEqual(before);
  });

  test('under a filter hold what the filter names, and all of it', async () => {
    const all = await walk(events, { limit: 100 });
    const type = 'payment_request.created';
    const wanted = all.filter((event) => event.type === type);
    expect(wanted.length).toBeGreaterThan(3);
    expect(ids(await walk(events, { limit: 2, type }))).toEqual(ids(wanted));
  });
});

describe('a cursor', () => {
  const cursorOf = async (path: string, query: Query = {}) =>
    String((await page(path, { ...query, limit: 1 })).next_cursor);

  test('that was cut short is refused, wherever it was cut', async () => {
    const cursor = await cursorOf(events);
    for (let length = 1; length < cursor.length; length += 5)
      expect(await refusalOf(events, { cursor: cursor.slice(0, length) })).toEqual(
        invalid('cursor'),
      );
  });

  test('that was changed in any place is refused', async () => {
    const cursor = await cursorOf(events);
    for (let place = 0; place < cursor.length; place += 3) {
      const letter = cursor[place] === 'A' ? 'B' : 'A';
      const forged = cursor.slice(0, place) + letter + cursor.slice(place + 1);
      expect([place, ...(await refusalOf(events, { cursor: forged }))]).toEqual([
        place,
        ...invalid('cursor'),
      ]);
    }
  });

  test('that reads the same but was not given is refused', async () => {
    const cursor = await cursorOf(events);
    for (const other of [`${cursor}=`, `${cursor}A`, `${cursor}!`, ` ${cursor}`, `${cursor}\n`])
      expect(await refusalOf(events, { cursor: other })).toEqual(invalid('cursor'));
    const text = `${Buffer.from(cursor, 'base64url').toString()} more`;
    const longer = Buffer.from(text).toString('base64url');
    expect(await refusalOf(events, { cursor: longer })).toEqual(invalid('cursor'));
  });

  test('that was never given is refused', async () => {
    const [{ id, created_at }] = (await page(events, { limit: 1 })).data;
    const made = Buffer.from(`${created_at} ${id} ${'0'.repeat(32)}`).toString('base64url');
    for (const cursor of [
      '',
      'x',
      '%',
      '0',
      'null',
      'é',
      '\0',
      'A'.repeat(512),
      'A'.repeat(513),
      id,
      made,
    ])
      expect([cursor, ...(await refusalOf(events, { cursor }))]).toEqual([
        cursor,
        ...invalid('cursor'),
      ]);
  });

  test('of another Tenant is refused, from either side', async () => {
    const [ours, theirs] = [
      await cursorOf(events),
      (await get(events, { limit: 1 }, stranger.token)).body.next_cursor,
    ];
    expect(await refusalOf(events, { cursor: theirs })).toEqual(invalid('cursor'));
    expect(await refusalOf(events, { cursor: ours }, stranger.token)).toEqual(invalid('cursor'));
  });

  test('of another list is refused, and of the same list of another record', async () => {
    const ofShop = `/v1/accounts/${shop.accountId}/transactions`;
    const [event, transaction] = [await cursorOf(events), await cursorOf(transactions)];
    expect(await refusalOf(transactions, { cursor: event })).toEqual(invalid('cursor'));
    expect(await refusalOf(events, { cursor: transaction })).toEqual(invalid('cursor'));
    expect(await refusalOf(ofShop, { cursor: transaction })).toEqual(invalid('cursor'));
  });

  test.each(lists)('of %s is refused under another filter', async (_, list) => {
    const path = await pathOf(list);
    const { next_cursor } = await page(path, { limit: 1 });
    if (next_cursor === null) return;
    for (const [name, schema] of filtersOf(list)) {
      const query = { cursor: next_cursor, [name]: filterValue(schema) };
      expect([name, ...(await refusalOf(path, query))]).toEqual([name, ...invalid('cursor')]);
    }
  });

  test('of a filtered list is refused without its filter and under another value', async () => {
    const cursor = await cursorOf(events, { type: 'payment_request.created' });
    const others: Query[] = [{}, { type: 'payment.created' }];
    for (const more of others)
      expect(await refusalOf(events, { ...more, cursor })).toEqual(invalid('cursor'));
  });
});

describe('a filter', () => {
  test.each(lists)('of %s refuses what it does not know, and comes once', async (_, list) => {
    const path = await pathOf(list);
    for (const [name, schema] of filtersOf(list)) {
      const { enum: words, format } = factsOf(inner(schema));
      const wrong = words ? ['nonsense', `${words[0]} `, words[0]?.toUpperCase() ?? ''] : [];
      const dates =
        format === 'date-time' ? ['2026-11-20', 'now', '2026-13-01T00:00:00Z', '1'] : [];
      for (const value of [...wrong, ...dates, ''])
        expect([name, value, ...(await refusalOf(path, { [name]: value }))]).toEqual([
          name,
          value,
          ...invalid(paramOf(name)),
        ]);
      const twice = `${path}?${name}=${filterValue(schema)}&${name}=${filterValue(schema)}`;
      expect((await server.call('GET', twice)).body.error).toMatchObject({
        param: paramOf(name),
      });
    }
  });

  test('by type of a transaction gives those of that type', async () => {
    const all = await walk(transactions, { limit: 100 });
    const types = new Set(all.map(({ type }) => type));
    expect(types).toEqual(new Set(['load', 'payment_sent']));
    for (const type of [...types, 'withdrawal']) {
      const wanted = all.filter((one) => one.type === type);
      expect(ids(await walk(transactions, { limit: 3, type }))).toEqual(ids(wanted));
    }
  });

  test('by time of a transaction gives both bounds and all between', async () => {
    const all = await walk(transactions, { limit: 100 });
    const [newest, oldest] = [all[1]?.created_at, all.at(-2)?.created_at];
    const within = all.filter(({ created_at: at }) => at >= oldest && at <= newest);
    const found = await walk(transactions, { limit: 2, from: oldest, to: newest });
    expect(within.length).toBeGreaterThan(2);
    expect(ids(found)).toEqual(ids(within));
    const other = oldest.replace('Z', '+00:00');
    expect(ids(await walk(transactions, { limit: 100, from: other, to: newest }))).toEqual(
      ids(within),
    );
    const empty: Query[] = [{ from: '9999-01-01T00:00:00Z' }, { to: '0001-01-01T00:00:00Z' }];
    for (const query of empty) expect(await walk(transactions, { limit: 5, ...query })).toEqual([]);
    expect(await walk(transactions, { limit: 5, from: newest, to: oldest })).toEqual([]);
  });

  test('by type of an event gives those of that type', async () => {
    const all = await walk(events, { limit: 100 });
    for (const type of new Set<string>(all.map((event) => event.type))) {
      const wanted = all.filter((event) => event.type === type);
      expect(ids(await walk(events, { limit: 100, type }))).toEqual(ids(wanted));
    }
  });

  test.each(['pending', 'delivered', 'retrying', 'failed'])(
    'by delivery_status %s gives the events whose delivery stands so',
    async (delivery_status) => {
      const all = await walk(events, { limit: 100 });
      const wanted = all.filter(({ delivery }) => delivery.status === delivery_status);
      expect(wanted.length).toBeGreaterThan(0);
      expect(ids(await walk(events, { limit: 3, delivery_status }))).toEqual(ids(wanted));
    },
  );

  test('by time of an event gives its bound and all after it', async () => {
    const all = await walk(events, { limit: 100 });
    const from = all[Math.floor(all.length / 2)]?.created_at;
    const wanted = all.filter(({ created_at }) => created_at >= from);
    expect(ids(await walk(events, { limit: 3, from }))).toEqual(ids(wanted));
    expect(await walk(events, { limit: 3, from: '9999-12-31T23:59:59Z' })).toEqual([]);
    const early = await walk(events, { limit: 100, from: '0000-01-01T00:00:00Z' });
    expect(ids(early)).toEqual(ids(all));
  });

  test('joins others: all of them hold', async () => {
    const all = await walk(events, { limit: 100 });
    const type = 'payment_request.created';
    const from = all.filter((event) => event.type === type).at(-2)?.created_at;
    const query = { type, delivery_status: 'pending', from };
    const wanted = all.filter(
      (event) =>
        event.type === type && event.delivery.status === 'pending' && event.created_at >= from,
    );
    expect(ids(await walk(events, { limit: 2, ...query }))).toEqual(ids(wanted));
  });
});

test.each(lists)('HEAD of %s is its page without the body, on every page', async (_, list) => {
  const path = await pathOf(list);
  const { next_cursor } = await page(path, { limit: 2 });
  const queries: Record<string, string>[] = [{ limit: '2' }];
  if (next_cursor) queries.push({ limit: '2', cursor: next_cursor });
  for (const query of [...queries, { limit: '0' }]) {
    const url = `${path}?${new URLSearchParams(query)}`;
    const [whole, head] = [await server.call('GET', url), await server.call('HEAD', url)];
    expect([head.status, head.body]).toEqual([whole.status, null]);
    // A refusal holds a request id, and is as long as any other.
    expect(head.headers.get('content-length')).toBe(whole.headers.get('content-length'));
  }
});
