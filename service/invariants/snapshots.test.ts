import { expect, test } from 'vitest';
import { openSampleLedger } from '../../test/kit/ledger/sample_ledger.ts';
import { inSnapshots, TenantLeft, withPoolClient } from './snapshots.ts';
import { verifyInSteps } from './verify.ts';

const server = await openSampleLedger();
const { owner: pool, service } = server;
const { tenantId } = server.tenant;

/** Longer than those that share a snapshot. */
const longStep = 'select pg_sleep(0.05)';

test('a long step sees what was written before it began, and nothing that was written since', async () => {
  const count = async (on: Pick<typeof pool, 'query'>) =>
    (await on.query<{ count: number }>('select count(*)::integer as count from loads')).rows[0]
      ?.count;
  const payer = await server.api.funded('individual', 10_00);
  const before = Number(await count(pool));
  await withPoolClient(service.pool, (client) =>
    inSnapshots(client, { tenantId, rests: 0 }, async (pause) => {
      expect(await count(client)).toBe(before);
      await server.api.load(payer, 1_00);
      await client.query(longStep);
      expect(await count(client)).toBe(before);
      await pause();
      expect(await count(client)).toBe(before + 1);
    }),
  );
});

test('between two steps no transaction is open, and the rest can be ended', async () => {
  const ended = new AbortController();
  const resting = withPoolClient(
    service.pool,
    async (client) => {
      await client.query("set application_name = 'resting'");
      const paced = { tenantId, rests: 1e6, signal: ended.signal };
      await inSnapshots(client, paced, async (pause) => {
        await client.query(longStep);
        await pause();
      });
    },
    ended.signal,
  );
  const sessions = async () => {
    const { rows } = await pool.query(
      "select state, backend_xmin from pg_stat_activity where application_name = 'resting'",
    );
    return rows;
  };
  await expect.poll(sessions).toEqual([{ state: 'idle', backend_xmin: null }]);
  ended.abort();
  await expect(resting).rejects.toThrow();
  await expect.poll(sessions).toEqual([]);
});

test('a Tenant that moves to another cell is left to it', async () => {
  const depart = 'insert into departures values ($1, gen_random_uuid(), now())';
  const leaving = withPoolClient(service.pool, (client) =>
    inSnapshots(client, { tenantId, rests: 0 }, async (pause) => {
      await pool.query(depart, [tenantId]);
      await client.query(longStep);
      await pause();
    }),
  );
  await expect(leaving).rejects.toThrow(TenantLeft);
  await pool.query('delete from departures');
});

test('a ledger is proven correct while payments are made in it', async () => {
  const [payer, merchant] = await Promise.all([
    server.api.funded('individual', 900_00),
    server.api.approved('business'),
  ]);
  let isOver = false;
  let paid = 0;
  async function pay(): Promise<void> {
    while (!isOver) {
      await server.api.confirmed(server.api.pay(payer, merchant, 100));
      paid += 1;
    }
  }
  const paying = Promise.all([pay(), pay(), pay()]);
  const proofs = [
    await verifyInSteps(service.pool, tenantId),
    await verifyInSteps(service.pool, tenantId),
  ];
  isOver = true;
  await paying;
  expect(paid).toBeGreaterThan(3);
  expect(proofs).toMatchObject([
    { ok: true, violations: [] },
    { ok: true, violations: [] },
  ]);
});
