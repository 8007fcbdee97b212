import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reachable } from '../../../test/kit/files/report_files.ts';
import { openServer, type TestTenant } from '../../../test/kit/server.ts';
import { until } from '../../../test/kit/wait.ts';

/** Some fourteen megabytes: more than stays between the service and a reader who does not read. */
const rows = 60_000;
const legOfThisTest = 900;
const server = await openServer({ own: true, manual: true });
const { owner, service, tenant } = server;
const other = await server.anotherTenant();
const slow: Socket[] = [];
let address: string;
let othersAddress: string;

async function fileOf({ token }: Pick<TestTenant, 'token'>): Promise<string> {
  await server.call('POST', '/portal/api/clock/advance', {
    token,
    body: { to: '2026-01-21T12:00:00Z' },
  });
  const found = await server.call('GET', '/v1/reports/reconciliation?date=2026-01-20', { token });
  return reachable(server, found.body.file.download_url);
}

const counted = (by: number) =>
  owner.query(
    'update reconciliation_reports set postings_count = postings_count + $2 where tenant_id = $1',
    [tenant.tenantId, by],
  );

beforeAll(async () => {
  [address, othersAddress] = await Promise.all([fileOf(tenant), fileOf(other)]);
  await owner.query(
    `insert into entries (tenant_id, id, account_id, pocket, delta, number, balance_after,
        ledger_after, source_type, source_id, step, leg, transaction_type, amount, fee_amount,
        created_at)
      select '${tenant.tenantId}', gen_random_uuid(), gen_random_uuid(), 'available', 100, 1, 100, 100,
        'load', gen_random_uuid(), 'load_settled', ${legOfThisTest}, 'load', 100, 0,
        timestamptz '2026-01-20 18:00Z' + n * interval '1 ms' from generate_series(1, ${rows}) n`,
  );
  await counted(rows);
});
afterAll(async () => {
  for (const socket of slow) socket.destroy();
  await counted(-rows);
  // The whole ledger is proven when the server stops.
  await owner.query(`begin; set local session_replication_role = replica;
    delete from entries where leg = ${legOfThisTest}; commit`);
});

/** Asks for the file and reads nothing of it. */
async function readNothing(): Promise<void> {
  const { port, pathname } = new URL(address);
  const socket = connect({ port: Number(port), host: '127.0.0.1' });
  socket.pause().write(`GET ${pathname} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  slow.push(socket);
  await until(async () => (await sending()) === slow.length, { what: 'a file under way' });
}

async function sending(): Promise<number> {
  const { rowCount } = await owner.query(
    `select from pg_stat_activity where datname = current_database() and state = 'active'
       and query like 'copy%'`,
  );
  return rowCount ?? 0;
}

test('a tenant whose readers are slow fills its own slots, and nobody else waits for them', async () => {
  await readNothing();
  await readNothing();
  const third = await fetch(address);
  expect([third.status, third.headers.get('retry-after')]).toEqual([429, '1']);
  expect(await third.json()).toMatchObject({ error: { code: 'rate_limited' } });
  const others = await fetch(othersAddress);
  expect([others.status, await others.text()]).toEqual([200, expect.stringContaining('#TOTALS')]);
  expect((await server.call('GET', '/v1/customers?external_ref=none')).status).toBe(200);
  const { idleCount, totalCount } = service.pool;
  expect(totalCount - idleCount).toBe(0);
  expect(await sending()).toBe(2);

  for (const socket of slow) socket.destroy();
  const again = await until(async () => {
    const reply = await fetch(address);
    return reply.status === 200 ? reply : null;
  });
  expect((await again.text()).split('\n')).toHaveLength(1 + rows + 1 + 1);
});
