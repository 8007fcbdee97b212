import type { Transaction } from '@tenant-payments/contract/resources/accounts.ts';
import { beforeAll, expect, test } from 'vitest';
import { answer } from '../../../test/kit/engine.ts';
import { uuid } from '../../../test/kit/ids.ts';
import type { Person } from '../../../test/kit/person.ts';
import { sentEvents } from '../../../test/kit/sent_events.ts';
import { openServer } from '../../../test/kit/server.ts';
import { createLoad } from '../loads/create.ts';
import { settleLoad } from '../loads/moves.ts';
import { fundReserve } from './fund_reserve.ts';
import { makeDormant, reactivateAccount, suspendAccount } from './moves.ts';
import { getBalance, listAccounts } from './read.ts';
import { listTransactions } from './transactions.ts';

const amounts = [100_00, 200_00, 300_00];

async function load(person: Person, amount: number): Promise<void> {
  const created = await engine.run(createLoad, { customer_id: person.customerId, amount });
  const id = { id: uuid('load', created.id) };
  await engine.run(answer('confirm'), id);
  await engine.run(settleLoad, id);
}

// Plans of queries depend on how much there is in a database.
const server = await openServer({ manual: true, own: true });
const { api, engine } = server;
const ana = await api.banked('individual');
beforeAll(async () => {
  for (const amount of amounts) await load(ana, amount);
});

const path = '/v1/accounts/x/transactions';
const list = (query: object = {}) =>
  listTransactions(engine.context(path, query), { id: ana.accountId, ...query });
const amountsOf = (data: Transaction[]) => data.map(({ amount }) => amount);

test('a transaction and its event show the bank account on the other side', async () => {
  const { data } = await list({ limit: 1 });
  expect(data).toMatchObject([
    {
      object: 'transaction',
      account_id: ana.accountId,
      type: 'load',
      direction: 'credit',
      amount: 300_00,
      fee_amount: 0,
      net_amount: 300_00,
      status: 'posted',
      counterparty: {
        type: 'bank_account',
        customer_id: null,
        display_name: 'Standard Bank 1234',
      },
      source_type: 'load',
      description: null,
    },
  ]);
  const sent = await sentEvents(server.service.pool, uuid('transaction', data[0]?.id ?? ''));
  expect(sent.map((event) => event.data.object)).toEqual([data[0]]);
});

test('transactions are listed newest first, page by page', async () => {
  const first = await list({ limit: 2 });
  expect(amountsOf(first.data)).toEqual([300_00, 200_00]);
  expect(first.has_more).toBe(true);
  const query = { limit: 2, cursor: first.next_cursor ?? '' };
  const second = await list(query);
  expect(amountsOf(second.data)).toEqual([100_00]);
  expect(second).toMatchObject({ has_more: false, next_cursor: null });
});

test('from and to are inclusive, and type filters', async () => {
  const { data } = await list();
  const [, middle] = data;
  const at = middle?.created_at ?? '';
  expect(amountsOf((await list({ from: at, to: at })).data)).toEqual([200_00]);
  expect(amountsOf((await list({ from: at })).data)).toEqual([300_00, 200_00]);
  expect((await list({ type: 'payment_sent' })).data).toEqual([]);
  expect((await list({ from: '0000-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' })).data).toEqual(
    data,
  );
});

test('a bad cursor or bound is parameter_invalid, also for an unknown account', async () => {
  const unknown = { id: 'acct_unknown' };
  const ask = (query: object) =>
    listTransactions(engine.context(path, query), { ...unknown, ...query });
  await expect(ask({ cursor: 'x' })).rejects.toMatchObject({ param: 'cursor' });
  await expect(ask({ from: '2026-12-31T23:59:60Z' })).rejects.toMatchObject({ param: 'from' });
  await expect(ask({})).rejects.toMatchObject({ code: 'not_found' });
});

test('an account without transactions has an empty list', async () => {
  const bare = await api.approved('business');
  const page = await listTransactions(engine.context(path), { id: bare.accountId });
  expect(page).toEqual({ object: 'list', data: [], has_more: false, next_cursor: null });
});

test('the list of transactions uses its index', async () => {
  const rows = await engine.query(
    `explain select * from entries where tenant_id = $1 and account_id = $2
       and transaction_type is not null and (created_at, id) < (now(), $2)
     order by created_at desc, id desc limit 26`,
    uuid('account', ana.accountId),
  );
  expect(JSON.stringify(rows)).toContain('entries_transactions');
  expect(JSON.stringify(rows)).not.toContain('Sort');
});

test("a balance has the time of the Tenant's clock", async () => {
  const before = Date.parse(await engine.context().now());
  await engine.moveClock(3600);
  const balance = await getBalance(engine.context(), { id: ana.accountId });
  expect(balance).toMatchObject({ object: 'balance', ledger: 600_00, available: 600_00 });
  expect(Math.abs(Date.parse(balance.as_of) - before - 3_600_000)).toBeLessThan(10_000);
  await expect(getBalance(engine.context(), { id: 'acct_x' })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('the list of accounts is empty for an unknown customer and for one without an account', async () => {
  const bare = await api.customer('individual');
  for (const customer_id of ['cus_unknown', bare.id])
    expect((await listAccounts(engine.context(), { customer_id })).data).toEqual([]);
});

test('a reviewer suspends and reactivates an account, also a dormant one', async () => {
  const { accountId } = await api.approved('business');
  const id = { id: uuid('account', accountId) };
  expect(await engine.refusal(reactivateAccount, id)).toMatchObject({ code: 'invalid_state' });
  await engine.run(suspendAccount, id);
  expect(await engine.refusal(suspendAccount, id)).toMatchObject({ code: 'invalid_state' });
  await engine.run(reactivateAccount, id);
  await engine.run(makeDormant, id);
  await engine.run(reactivateAccount, id);
  expect(await engine.events(id.id)).toEqual([
    'account.created',
    'account.suspended',
    'account.reactivated',
    'account.dormant',
    'account.reactivated',
  ]);
});

test('money for the reserve is in transit from its order until the bank has moved it', async () => {
  const { id } = await engine.run(fundReserve, { amount: 50_00 });
  await server.runJobs();
  const { rows } = await server.service.pool.query(
    'select step, pocket, delta from entries where source_id = $1 order by id',
    [uuid('adjustment', id)],
  );
  expect(rows).toEqual([
    { step: 'top_up_ordered', pocket: 'top_up_in_transit', delta: -50_00 },
    { step: 'top_up_ordered', pocket: 'reserve', delta: 50_00 },
    { step: 'top_up_settled', pocket: 'cash', delta: -50_00 },
    { step: 'top_up_settled', pocket: 'top_up_in_transit', delta: 50_00 },
  ]);
});
