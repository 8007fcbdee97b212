import { randomUUID } from 'node:crypto';
import { approvalSums } from '@tenant-payments/backoffice/approvals/table.ts';
import { defaultSettings } from '@tenant-payments/contract/core/settings.ts';
import { openAccount } from '@tenant-payments/service/resources/accounts/moves.ts';
import { accounts } from '@tenant-payments/service/resources/accounts/table.ts';
import { limitCounters } from '@tenant-payments/service/resources/limits/table.ts';
import { paymentRequests } from '@tenant-payments/service/resources/payment_requests/table.ts';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/kit/database/database.ts';
import { command } from '../command.ts';
import { openPool } from '../database/pool.ts';
import { fail } from '../fail.ts';
import { balances } from '../ledger.ts';
import { openClocks } from '../time/clock.ts';
import type { Work } from '../work.ts';
import { type Engine, type EngineOptions, startEngine } from './engine.ts';

/** The commit checks what a decision rested on, while another process changes it. */
const tenantId = randomUUID();
let database: TestDatabase;
let pool: pg.Pool;
let engine: Engine;
let other: Engine;

const start = (more: Partial<EngineOptions> = {}) =>
  startEngine({
    databaseUrl: database.url,
    environment: 'sandbox',
    clocks: openClocks(Date.now),
    seal: (_tenant, _row, value) => JSON.stringify(value),
    newSecret: (_tenant, prefix) => prefix,
    revive: async (_tenant, row) => row.body ?? '',
    onAlarm: () => {},
    ...more,
  });

beforeAll(async () => {
  database = await testDatabase();
  pool = openPool(database.url, { max: 2, statementTimeoutMs: 5_000 });
  await pool.query(
    'insert into tenants (tenant_id, name, settings, created_at) values ($1, $2, $3, now())',
    [tenantId, 'Test', JSON.stringify(defaultSettings('Test'))],
  );
  [engine, other] = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await Promise.all([engine.stop(), other.stop()]);
  await pool.end();
  await database.drop();
});

const none = { order_reference: null, collection_reference: null, collection_name: null };
const create = (work: Work, id: string) =>
  work.create(
    paymentRequests,
    {
      id,
      type: 'dynamic',
      merchant_customer_id: tenantId,
      merchant_account_id: tenantId,
      amount: 100,
      ...none,
      qr_payload: 'x',
      expires_at: null,
      paid_payment_id: null,
      claimed_by: null,
      metadata: null,
      created_at: work.now,
    },
    'create',
  );
const created = command('created', {
  load: async () => null,
  decide: (work, _loaded, { id }: { id: string }) => ({ record: create(work, id) }),
});
const expired = command('expired', {
  load: (read, { id }: { id: string }) => read.one(paymentRequests, id),
  decide: (work, row) => ({ record: work.move(row, 'expire') }),
});

let accountId: string;
const credit = (work: Work, amount: number, holder = accountId) =>
  work.post(
    { type: 'load', id: work.newId() },
    {
      recipe: 'load_settled',
      parties: { holder },
      amounts: { amount },
      counterparts: { holder: null },
      description: null,
    },
  );
const credited = command('credited', {
  load: (read) => read.one(balances, accountId),
  decide: (work) => {
    credit(work, 5);
    return { value: null };
  },
});

beforeEach(async () => {
  accountId = randomUUID();
  const pockets = { available: 0, pending_outgoing: 0, earmarked: 0, entry_count: 0 };
  const opened = command('opened', {
    load: async () => null,
    decide: (work) => ({ value: work.create(balances, { account_id: accountId, ...pockets }) }),
  });
  await engine.submit(opened, { tenantId, input: {} });
});

/** Runs the other process's part only at the first call. */
function once(act: () => Promise<unknown>): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    isDone = true;
    await act();
  };
}

test('a commit stands and is answered whatever is thrown by those who are told of it', async () => {
  const alarms: string[] = [];
  const told = start({ onAlarm: (message) => void alarms.push(message) });
  told.onCommit(() => {
    throw new Error('it cannot count');
  });
  const submit = () => told.submit(credited, { tenantId, input: {} });
  await Promise.all([submit(), submit(), submit()]);
  await told.stop();
  const { rows } = await pool.query(
    'select available, entry_count from balances where account_id = $1',
    [accountId],
  );
  expect(rows).toEqual([{ available: 15, entry_count: 3 }]);
  expect([...new Set(alarms)]).toEqual(['what is told of a commit has failed']);
});

test('a command whose reply cannot be written leaves nothing, whatever else its batch commits', async () => {
  const id = randomUUID();
  await engine.submit(created, { tenantId, input: { id } });
  const mute = command('mute', {
    load: (read) => read.one(paymentRequests, id),
    decide: (work, row) => {
      work.move(row, 'expire');
      return { value: 1n };
    },
  });
  const [refused, accepted] = await Promise.allSettled([
    engine.submit(mute, { tenantId, input: {} }),
    engine.submit(credited, { tenantId, input: {} }),
  ]);
  expect([refused.status, accepted.status]).toEqual(['rejected', 'fulfilled']);
  const { rows } = await pool.query('select status, version from payment_requests where id = $1', [
    id,
  ]);
  expect(rows).toEqual([{ status: 'open', version: 1 }]);
});

test('a change is based on the row at its commit, so that no change is lost', async () => {
  const [id, first, second] = [randomUUID(), randomUUID(), randomUUID()];
  await engine.submit(created, { tenantId, input: { id } });
  const claim = command('claim', {
    load: async (read, { act }: { by: string; act: () => Promise<void> }) => {
      const row = await read.one(paymentRequests, id);
      await act();
      return row;
    },
    decide: (work, row, { by }) => ({
      record: work.change(row, { claimed_by: row.claimed_by ?? by }),
    }),
  });
  const overtaken = { by: first, act: async () => {} };
  const meanwhile = once(() => other.submit(claim, { tenantId, input: overtaken }));
  await engine.submit(claim, { tenantId, input: { by: second, act: meanwhile } });
  const { rows } = await pool.query('select claimed_by from payment_requests where id = $1', [id]);
  expect(rows).toEqual([{ claimed_by: first }]);
});

test('a row that another process makes first is found, so that both commands are counted in it', async () => {
  const day = '2026-09-03';
  const counted = command('counted', {
    load: async (read, act: () => Promise<void>) => {
      const row = await read.maybe(approvalSums, day);
      await act();
      return row;
    },
    decide: (work, row) => {
      if (row) work.change<typeof approvalSums>(row, { approved: row.approved + 5 });
      else work.create(approvalSums, { day, approved: 5 });
      return { value: null };
    },
  });
  const meanwhile = once(() => other.submit(counted, { tenantId, input: async () => {} }));
  await engine.submit(counted, { tenantId, input: meanwhile });
  const { rows } = await pool.query('select approved from approval_sums where day = $1', [day]);
  expect(rows).toEqual([{ approved: 10 }]);
});

test('what two processes add to a sum at the same time counts, without a conflict up to the most', async () => {
  const key = { customer_id: randomUUID(), kind: 'payment_daily', period: '2026-09-03' } as const;
  const counted = command('counted', {
    load: async (read, { act }: { amount: number; act: () => Promise<void> }) => {
      const row = await read.maybe(limitCounters, key);
      await act();
      return row;
    },
    decide: (work, row, { amount }) => {
      if (row && row.used + amount > 100) throw fail('limit_exceeded');
      if (row) work.add<typeof limitCounters>(row, amount, 100);
      else {
        const most = { at_most_cents: 100, rose_to_cents: amount };
        work.create(limitCounters, { ...key, used: amount, ...most });
      }
      return { value: null };
    },
  });
  const adds = (by: Engine, amount: number, act = async () => {}) =>
    by.submit(counted, { tenantId, input: { amount, act } });
  const used = async () =>
    (await pool.query('select used from limit_counters where customer_id = $1', [key.customer_id]))
      .rows[0].used;
  await adds(engine, 40);
  const { reruns } = engine.stats;
  await adds(
    engine,
    20,
    once(() => adds(other, 30)),
  );
  expect([await used(), engine.stats.reruns]).toEqual([90, reruns]);
  await expect(
    adds(
      engine,
      10,
      once(() => adds(other, 5)),
    ),
  ).rejects.toMatchObject({ code: 'limit_exceeded' });
  expect([await used(), engine.stats.reruns]).toEqual([95, reruns + 1]);
  const { rows } = await pool.query(
    'select at_most_cents, rose_to_cents from limit_counters where customer_id = $1',
    [key.customer_id],
  );
  expect(rows).toEqual([{ at_most_cents: 100, rose_to_cents: 95 }]);
});

test('a row that was only read is unchanged when the command commits', async () => {
  const [checked, made] = [randomUUID(), randomUUID()];
  await engine.submit(created, { tenantId, input: { id: checked } });
  const meanwhile = once(() => other.submit(expired, { tenantId, input: { id: checked } }));
  const whileOpen = command('while_open', {
    load: async (read) => {
      const row = await read.one(paymentRequests, checked);
      await meanwhile();
      return row;
    },
    decide: (work, row) => {
      if (row.status !== 'open') throw fail('invalid_state');
      return { record: create(work, made) };
    },
  });
  await expect(engine.submit(whileOpen, { tenantId, input: {} })).rejects.toMatchObject({
    code: 'invalid_state',
  });
  const { rowCount } = await pool.query('select from payment_requests where id = $1', [made]);
  expect(rowCount).toBe(0);
});

test('an account that is credited is unchanged when the command commits, and its row is not locked', async () => {
  const id = randomUUID();
  const holder = { id: randomUUID(), type: 'business', business_name: 'Corner Shop' } as never;
  const opened = command('opened', {
    load: async () => null,
    decide: (work) => ({ record: openAccount(work, id, holder) }),
  });
  const suspended = command('suspended', {
    load: (read) => read.one(accounts, id),
    decide: (work, account) => ({ record: work.move(account, 'suspend') }),
  });
  const paid = command('paid', {
    load: async (read, act: () => Promise<unknown>) => {
      const [account] = await Promise.all([read.one(accounts, id), read.one(balances, id)]);
      await act();
      return account;
    },
    decide: (work, account) => {
      if (account.status !== 'active') throw fail('invalid_state');
      credit(work, 5, id);
      return { value: null };
    },
  });
  await engine.submit(opened, { tenantId, input: {} });
  await engine.submit(paid, { tenantId, input: async () => {} });
  const { rows } = await pool.query('select xmax::text from accounts where id = $1', [id]);
  expect(rows).toEqual([{ xmax: '0' }]);
  const meanwhile = once(() => other.submit(suspended, { tenantId, input: {} }));
  await expect(engine.submit(paid, { tenantId, input: meanwhile })).rejects.toMatchObject({
    code: 'invalid_state',
  });
  const kept = `select available, account_revision, revision
    from balances b join accounts a on a.id = b.account_id where a.id = $1`;
  expect((await pool.query(kept, [id])).rows).toEqual([
    { available: 5, account_revision: 2, revision: 2 },
  ]);
});

test('a balance that a decision needed exactly has no further entry when the command commits', async () => {
  const meanwhile = once(() => other.submit(credited, { tenantId, input: {} }));
  const whileEmpty = command('while_empty', {
    load: async (read) => {
      const balance = await read.one(balances, accountId);
      await meanwhile();
      return balance;
    },
    decide: (work, balance) => {
      work.requireExactBalance(balance);
      work.scheduleJob('account_closing', accountId, work.now);
      return { value: balance.available };
    },
  });
  expect((await engine.submit(whileEmpty, { tenantId, input: {} })).body).toBe('5');
});

test('postings of a refused command are not written, in a batch with others', async () => {
  const refused = command('refused', {
    load: (read) => read.one(balances, accountId),
    decide: (work) => {
      credit(work, 1_000);
      throw fail('limit_exceeded');
    },
  });
  const { splits } = engine.stats;
  const outcomes = await Promise.allSettled([
    engine.submit(refused, { tenantId, input: {} }),
    engine.submit(credited, { tenantId, input: {} }),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  // The database refuses an entry without an id, and its batch is split.
  expect(engine.stats.splits).toBe(splits);
  const { rows } = await pool.query(
    `select available, (select sum(delta)::int from entries where account_id = $1) as posted
     from balances where account_id = $1`,
    [accountId],
  );
  expect(rows).toEqual([{ available: 5, posted: 5 }]);
});
