import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { command } from '../../../engine/command.ts';
import { openClient } from '../../../engine/database/pool.ts';
import { fail } from '../../../engine/fail.ts';
import { connectionLost } from '../../../engine/lost.ts';
import { customers } from '../../../service/resources/customers/table.ts';
import { application } from '../../kit/person.ts';
import { openServer } from '../../kit/server.ts';
import { until } from '../../kit/wait.ts';

const server = await openServer({ workers: false, onLog: () => {} });

const others = `pid <> pg_backend_pid() and datname = current_database()
  and backend_type = 'client backend'`;

/** A customer, created again under its key until it is there. */
async function madeAgain(): Promise<void> {
  const options = { key: randomUUID(), body: application('individual') };
  await until(async () => (await server.call('POST', '/v1/customers', options)).status === 201);
}

test('after a lost database each connection is made once, and none is left in a transaction', async () => {
  const admin = await openClient(server.databaseUrl);
  for (let round = 0; round < 3; round += 1) {
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`);
    await Promise.all(Array.from({ length: 8 }, madeAgain));
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

test('a command whose database goes away between two of its reads, each time, is answered 503', async () => {
  const admin = await openClient(server.databaseUrl);
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

test('a refusal whose message names a connection stays a refusal', () => {
  expect(connectionLost(fail('invalid_state', { message: 'the connection timed out' }))).toBe(
    false,
  );
});

test.each(['08006', '53100', '53300', '57P01', '58030'])(
  'a database error %s counts as a lost database: 503',
  (code) => {
    expect(connectionLost(Object.assign(new Error('as it says'), { code }))).toBe(true);
  },
);
