import { afterAll, beforeAll, expect, test } from 'vitest';
import { adjustAccount } from '../../service/resources/accounts/adjust.ts';
import { type House, openHouse, uuid } from '../../test/kit/people.ts';
import { fillTheBook } from './fill.ts';

let house: House;
const movements = 600;

beforeAll(async () => {
  house = await openHouse();
});
// It proves the whole book, event by event.
afterAll(() => house.test.stop());

test('a filled book is whole, and goes on as though the service had posted all of it', async () => {
  const { pool } = house.test.service;
  const { tenantId } = house.test.tenant;
  const people = [await house.approved('individual'), await house.approved('business')];
  const accountIds = people.map(({ accountId }) => uuid('account', accountId));
  for (const id of accountIds) await house.run(adjustAccount, { id, amount: 5_00 });
  const client = await pool.connect();
  await fillTheBook(client, {
    tenantId,
    accountIds,
    turns: [0, 0, 1],
    movements,
    from: '2026-01-20T20:00:00.000Z',
    to: '2026-01-21T20:00:00.000Z',
  });
  client.release();
  await house.advance(2 * 24 * 3600);
  const [id = ''] = accountIds;
  await house.run(adjustAccount, { id, amount: -1_00 });
  const { rows } = await pool.query(
    `select ledger_after, number from entries where tenant_id = $1 and account_id = $2
      order by number desc limit 1`,
    [tenantId, id],
  );
  expect(rows).toEqual([{ ledger_after: 401 * 5_00 - 1_00, number: 402 }]);
});
