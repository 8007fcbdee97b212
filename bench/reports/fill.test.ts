import { expect, test } from 'vitest';
import { adjustAccount } from '../../service/resources/accounts/adjust.ts';
import { uuid } from '../../test/kit/ids.ts';
import { openServer } from '../../test/kit/server.ts';
import { fillLedger } from './fill.ts';

const movements = 600;

const server = await openServer({ manual: true });
const { api, engine } = server;

test('a filled ledger keeps every invariant, and the service can continue it', async () => {
  const { pool } = server.service;
  const { tenantId } = server.tenant;
  const people = [await api.approved('individual'), await api.approved('business')];
  const accountIds = people.map(({ accountId }) => uuid('account', accountId));
  for (const id of accountIds) await engine.run(adjustAccount, { id, amount: 5_00 });
  const client = await pool.connect();
  await fillLedger(client, {
    tenantId,
    accountIds,
    turns: [0, 0, 1],
    movements,
    from: '2026-01-20T20:00:00.000Z',
    to: '2026-01-21T20:00:00.000Z',
  });
  client.release();
  await engine.moveClock(2 * 24 * 3600);
  const [id = ''] = accountIds;
  await engine.run(adjustAccount, { id, amount: -1_00 });
  const { rows } = await pool.query(
    `select ledger_after, number from entries where tenant_id = $1 and account_id = $2
      order by number desc limit 1`,
    [tenantId, id],
  );
  expect(rows).toEqual([{ ledger_after: 401 * 5_00 - 1_00, number: 402 }]);
});
