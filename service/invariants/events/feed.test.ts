import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/kit/database/database.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { startTestServer, type TestServer } from '../../../test/kit/server.ts';

const lanes = 4;
const customersOfLane = 5;
const pageSize = 7;

let database: Awaited<ReturnType<typeof testDatabase>>;
let services: readonly [TestServer, TestServer];

beforeAll(async () => {
  database = await testDatabase();
  const one = await startTestServer({
    database,
    tenant: { settings: { rate_limit_per_minute: 1_000_000 } },
  });
  const secrets = one.service.config;
  services = [one, await startTestServer({ database, secrets })];
});
afterAll(async () => {
  await services[1].stop();
  await services[0].stop();
  await database.drop();
});

/** Calls as the tenant, at one of the services. */
const call = (via: number, method: string, path: string, body?: object, key?: string) =>
  services[via % 2 === 0 ? 0 : 1].call(method, path, {
    token: services[0].token,
    ...(body ? { body } : {}),
    ...(key ? { key } : {}),
  });

async function post(via: number, path: string, body: object, key: string): Promise<ReplyBody> {
  const { status, body: reply } = await call(via, 'POST', path, body, key);
  if (status >= 300) throw new Error(`${path}: ${JSON.stringify(reply)}`);
  return reply;
}

/** Creates and approves customers; `acked` counts the acknowledged versions of each. */
async function write(lane: number, acked: Map<string, number>): Promise<void> {
  for (let at = 0; at < customersOfLane; at += 1) {
    const number = lane * customersOfLane + at;
    const { id } = await post(
      number,
      '/v1/customers',
      {
        type: 'individual',
        external_ref: `ref-${number}`,
        email: 'ana@example.com',
        mobile_number: `+1202${5_550_100 + number}`,
      },
      `customer-${number}`,
    );
    acked.set(id, 1);
    for (const event of ['customer.pending', 'customer.approved']) {
      const path = `/v1/sandbox/simulate/${event}`;
      await post(number + at, path, { object_id: id }, `${event}-${number}`);
      acked.set(id, (acked.get(id) ?? 0) + 1);
    }
  }
}

/** The whole list by its cursors, newest first. */
async function walk(via: number): Promise<ReplyBody[]> {
  const found: ReplyBody[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await call(via, 'GET', `/v1/webhook-events?limit=${pageSize}${cursor}`);
    found.push(...body.data);
    if (!body.has_more) return found;
    cursor = `&cursor=${body.next_cursor}`;
  }
}

/** The versions of each record in the order in which the list has shown them. */
function versionsOf(events: readonly ReplyBody[]): Map<string, number[]> {
  const versions = new Map<string, number[]>();
  for (const { data } of events) {
    const { id, object, version } = data.object;
    if (typeof version !== 'number') continue;
    const known = versions.get(`${object} ${id}`) ?? [];
    versions.set(`${object} ${id}`, [version, ...known]);
  }
  return versions;
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('a reader of the list of events, while they are written, sees the versions of a record in order, every acknowledged one, and none twice', async () => {
  const acked = new Map<string, number>();
  let isOver = false;
  let walks = 0;

  async function read(via: number): Promise<void> {
    for (let known = new Set<string>(), isLast = false; !isLast; walks += 1) {
      isLast = isOver;
      const before = new Map(acked);
      const events = await walk(via + walks);
      const ids = new Set(events.map(({ id }) => id));
      expect(ids.size, 'events twice').toBe(events.length);
      expect(
        [...known].filter((id) => !ids.has(id)),
        'events lost',
      ).toEqual([]);
      const versions = versionsOf(events);
      for (const [record, shown] of versions) expect(shown, record).toEqual(upTo(shown.length));
      for (const [id, count] of before)
        expect(versions.get(`customer ${id}`)?.length ?? 0, id).toBeGreaterThanOrEqual(count);
      known = ids;
    }
  }
  const writing = Promise.all(upTo(lanes).map((lane) => write(lane - 1, acked))).finally(() => {
    isOver = true;
  });
  await Promise.all([writing, read(0), read(1)]);
  expect(walks).toBeGreaterThan(4);

  const { rows } = await services[0].service.pool.query<{ id: string }>(
    'select id from events where tenant_id = $1 order by id desc',
    [services[0].tenant.tenantId],
  );
  const listed = (await walk(0)).map(({ id }) => uuidOf('event', id));
  expect(listed).toEqual(rows.map(({ id }) => id));
});
