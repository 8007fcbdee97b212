import { expect, test } from 'vitest';
import { uuid } from '../../../test/kit/ids.ts';
import { openServer } from '../../../test/kit/server.ts';
import { until } from '../../../test/kit/wait.ts';
import { identityErasureJob } from './erasure.ts';

/** The night that empties the vault, beside other transactions (rules/identity#8). */

const server = await openServer({ own: true, manual: true, tenant: { calendar: false } });
const { api, engine, service } = server;
const night = () => engine.run(identityErasureJob(service), { ref: engine.tenantId });

/** A customer whose account closed more than five years ago, and of whom the vault keeps something. */
async function closedLongAgo() {
  const ana = await api.approved('individual');
  await engine.query(
    `insert into identity_records
       (tenant_id, id, subject, customer_id, tax_kind, tax_hash, collected_at)
     values ($1, $2, 'customer', $2, 'ssn', 'a hash', now())`,
    uuid('customer', ana.customerId),
  );
  await api.close(ana);
  await server.runJobs();
  expect((await api.get(`/v1/accounts/${ana.accountId}`)).status).toBe('closed');
  await engine.moveClock(5 * 366 * 86_400);
  return ana;
}

test('a hold that is being placed while the night empties the vault keeps what is there', async () => {
  const { customerId, accountId } = await closedLongAgo();
  const kept = () =>
    engine.query(
      'select id from identity_records where tenant_id = $1 and customer_id = $2',
      uuid('customer', customerId),
    );
  const placing = await server.owner.connect();
  const place = 'update accounts set legal_hold = $1 where id = $2';
  await placing.query('begin');
  await placing.query(place, [true, uuid('account', accountId)]);
  const emptying = night();
  await until(async () => {
    const { rows } = await server.owner.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%for share%'`,
    );
    return rows.length > 0;
  });
  await placing.query('commit');
  await emptying;
  expect(await kept()).toHaveLength(1);
  await placing.query(place, [false, uuid('account', accountId)]);
  placing.release();
  await night();
  expect(await kept()).toEqual([]);
});
