import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectionLost } from '../../../service/core/batch/conflicts.ts';
import { command } from '../../../service/core/command.ts';
import { fail } from '../../../service/core/fail.ts';
import { openClient } from '../../../service/db/pool.ts';
import { customers } from '../../../service/resources/customers/table.ts';
import { type TestDatabase, testDatabase } from '../../kit/database.ts';
import { startTestServer, type TestServer } from '../../kit/server.ts';
import { openPeople } from '../../ledger/customers.ts';
import { openSender } from '../../ledger/sender.ts';

let database: TestDatabase;
let server: TestServer;

beforeAll(async () => {
  database = await testDatabase();
  server = await startTestServer({ database, workers: false, onLog: () => {} });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const others = `pid <> pg_backend_pid() and datname = current_database()
  and backend_type = 'client backend'`;

test('after a lost database each connection is made once, and none is left in a transaction', async () => {
  const admin = await openClient(database.url);
  const sender = openSender([server.service], server.tenant.tenantId);
  for (let round = 0; round < 3; round += 1) {
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`);
    await openPeople(sender, 8, 'individual', 0);
  }
  const { rows } = await admin.query<{ query: string; state: string }>(
    `select state, left(query, 60) as query from pg_stat_activity where ${others}`,
  );
  await admin.end();
  const inTransaction = rows.filter(({ state }) => state.startsWith('idle in transaction'));
  expect(inTransaction).toEqual([]);
  // The pool's ten and the engine's two.
  expect(rows.length).toBeLessThanOrEqual(12);
});

test('a command whose database goes away between two of its reads is answered 503', async () => {
  const admin = await openClient(database.url);
  const look = command('look', {
    load: async (read) => {
      await read.maybe(customers, randomUUID());
      await admin.query(
        `select pg_terminate_backend(pid, 1000) from pg_stat_activity where ${others}`,
      );
      return read.maybe(customers, randomUUID());
    },
    decide: () => ({ value: null }),
  });
  const { tenantId } = server.tenant;
  const asked = server.service.engine.submit(look, { tenantId, input: {} });
  await expect(asked).rejects.toMatchObject({ status: 503, code: 'internal_error' });
  await admin.end();
});

test('a refusal that speaks of a connection is a refusal', () => {
  expect(connectionLost(fail('invalid_state', { message: 'the connection timed out' }))).toBe(
    false,
  );
});

test.each(['08006', '53100', '53300', '57P01', '58030'])(
  'a database that fails with %s is away: 503, and nobody is to blame',
  (code) => {
    expect(connectionLost(Object.assign(new Error('as it says'), { code }))).toBe(true);
  },
);
