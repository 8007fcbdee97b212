import { setTimeout as sleep } from 'node:timers/promises';
import { command } from '@tenant-payments/engine/command.ts';
import { expect, it, vi } from 'vitest';
import type { Reply } from '../../../test/kit/http/http.ts';
import { openServer } from '../../../test/kit/server.ts';
import { customers } from '../../resources/customers/table.ts';

/** The engine's limits of waiting commands (rules/engine#13). */
const maximumQueued = 4_096;
const maximumWaitMs = 2_000;
const server = await openServer({ own: true, workers: false });

const create = (index: number) =>
  server.call('POST', '/v1/customers', {
    key: `overload-${index}`,
    body: {
      type: 'individual',
      external_ref: `overload-${index}`,
      email: 'someone@example.com',
      mobile_number: `+1202${5_550_000 + index}`,
    },
  });

const several = <T>(count: number, make: (index: number) => Promise<T>, from = 0): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(from + index)));

/** Takes a place in the queue, but no socket and no row. */
const wait = command('wait', {
  load: (read, { id }: { id: string }) => read.maybe(customers, id),
  decide: () => ({ value: null }),
});
const takePlace = () =>
  server.service.engine
    .submit(wait, { tenantId: server.tenant.tenantId, input: { id: server.tenant.tenantId } })
    .then(
      () => 'served',
      () => 'refused',
    );

async function count(sql: string): Promise<number> {
  const { rows } = await server.service.pool.query<{ count: number }>(
    `select count(*)::int as count from ${sql}`,
  );
  return rows[0]?.count ?? 0;
}

/** While it runs customers are locked, so a batch that reads one does not end. */
async function whileStill<T>(run: () => Promise<T>): Promise<T> {
  const blocker = await server.service.pool.connect();
  try {
    await blocker.query('begin; lock table customers in access exclusive mode');
    return await run();
  } finally {
    await blocker.query('rollback');
    blocker.release();
  }
}

const expectRefused = ({ status, body, headers }: Reply) => {
  expect([status, body.error.code]).toEqual([503, 'internal_error']);
  expect(headers.get('retry-after')).toBe('1');
  expect(headers.has('ratelimit-limit')).toBe(true);
};

const waiting = `pg_locks l join pg_database d on d.oid = l.database
  where d.datname = current_database() and not l.granted`;
const inQueue = 40;
const tooMany = 40;

it('refuses with 503 commands that find no room or waited too long, and applies none of them', async () => {
  const { first, queued, places } = await whileStill(async () => {
    const first = create(0);
    await vi.waitFor(async () => expect(await count(waiting)).toBe(1), 5_000);
    const beganMs = performance.now();
    const queued = several(inQueue, create, 1);
    await vi.waitFor(() => expect(server.service.engine.queued()).toBe(inQueue), 5_000);
    const places = several(maximumQueued - inQueue, takePlace);
    await vi.waitFor(() => expect(server.service.engine.queued()).toBe(maximumQueued), 5_000);
    const calledMs = performance.now();
    const refused = several(tooMany, create, 1 + inQueue);
    await sleep(maximumWaitMs / 10);
    // On a busy machine the first may have waited too long by now, and left the queue.
    if (performance.now() - beganMs < maximumWaitMs)
      expect(server.service.engine.queued()).toBe(maximumQueued);
    for (const reply of await refused) expectRefused(reply);
    // Not at once: whoever calls again as soon as it is refused would keep the service busy.
    expect(performance.now() - calledMs).toBeGreaterThan(maximumWaitMs * 0.9);
    expect(server.service.engine.queued()).toBeLessThanOrEqual(maximumQueued);
    // Requests that need no customer are served meanwhile.
    expect((await server.call('GET', '/v1/payments/pay_x')).status).toBe(404);
    await sleep(100);
    return { first, queued, places };
  });
  expect((await first).status).toBe(201);
  for (const reply of await queued) expectRefused(reply);
  expect(new Set(await places)).toEqual(new Set(['refused']));
  for (const table of ['customers', 'sessions', 'events', 'idempotency'])
    expect(await count(table), table).toBe(1);
});

it('serves all again afterwards, also those it refused', async () => {
  expect(server.service.engine.queued()).toBe(0);
  const replies = await several(1 + inQueue + tooMany, create);
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
  const replayed = replies.filter(({ headers }) => headers.has('idempotent-replayed'));
  expect(replayed).toHaveLength(1);
  expect(await count('customers')).toBe(replies.length);
});

it('keeps every refusal in the request log, and no refusal waits for it', async () => {
  await server.service.requestLog.flush();
  expect(await count('requests where status = 503')).toBe(inQueue + tooMany);
});
