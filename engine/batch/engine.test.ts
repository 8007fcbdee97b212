import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultSettings } from '@tenant-payments/contract/core/settings.ts';
import {
  type PaymentRequestRow,
  paymentRequests,
} from '@tenant-payments/service/resources/payment_requests/table.ts';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../test/kit/database/database.ts';
import { revivalOn } from '../../test/kit/database/revival.ts';
import { command } from '../command.ts';
import { openPool } from '../database/pool.ts';
import { fail } from '../fail.ts';
import { balances } from '../ledger.ts';
import { unpackEvent } from '../packed_text/event_text.ts';
import { openClocks } from '../time/clock.ts';
import type { Work } from '../work.ts';
import { type Engine, startEngine } from './engine.ts';

const tenantId = randomUUID();
const merchant = randomUUID();
let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: pg.Pool;
let engine: Engine;
let other: Engine;
const alarms: string[] = [];

const start = () =>
  startEngine({
    databaseUrl: database.url,
    environment: 'sandbox',
    clocks: openClocks(Date.now),
    seal: (_tenant, _row, value) => JSON.stringify(value),
    newSecret: (_tenant, prefix) => prefix,
    revive: revivalOn(pool),
    onAlarm: (message) => alarms.push(message),
  });

beforeAll(async () => {
  database = await testDatabase();
  pool = openPool(database.url, { max: 4, statementTimeoutMs: 5_000 });
  // Requests of the API never change without a move; those of the storm below do.
  await pool.query(`alter type event_type add value 'payment_request.updated'`);
  await pool.query(
    'insert into tenants (tenant_id, name, settings, created_at) values ($1, $2, $3, now())',
    [tenantId, 'Test', JSON.stringify(defaultSettings('Test'))],
  );
  [engine, other] = await Promise.all([start(), start()]);
});

beforeEach(() => {
  alarms.length = 0;
});

afterAll(async () => {
  await Promise.all([engine.stop(), other.stop()]);
  await pool.end();
  await database.drop();
});

const open = (work: Work, id = work.newId(), amount = 100): PaymentRequestRow =>
  work.create(
    paymentRequests,
    {
      id,
      type: 'dynamic',
      merchant_customer_id: merchant,
      merchant_account_id: merchant,
      amount,
      order_reference: null,
      collection_reference: null,
      collection_name: null,
      qr_payload: 'x',
      expires_at: null,
      paid_payment_id: null,
      claimed_by: null,
      metadata: null,
      created_at: work.now,
    },
    'create',
  );

const create = command('create', {
  load: async () => null,
  decide: (work, _loaded, input: { id?: string }) => ({ record: open(work, input.id) }),
});

const byId = async (id: string) =>
  (await pool.query('select * from payment_requests where id = $1', [id])).rows[0];
const eventsOf = async (id: string) =>
  (
    await pool.query(
      'select id, created_at, object_id, type, version, body from events where object_id = $1 order by version',
      [id],
    )
  ).rows.map((row) => ({
    type: row.type,
    version: row.version,
    data: JSON.parse(unpackEvent(row)).data,
  }));

async function created(): Promise<string> {
  const id = randomUUID();
  await engine.submit(create, { tenantId, input: { id } });
  return id;
}

const act = (decide: (work: Work, row: PaymentRequestRow) => void) =>
  command('act', {
    load: (read, { id }: { id: string }) => read.one(paymentRequests, id),
    decide: (work, row) => {
      decide(work, row);
      return { record: row };
    },
  });

test('a creation is version 1 with one event, and previous_attributes is null', async () => {
  const id = await created();
  const events = await eventsOf(id);
  expect(events.map((e) => [e.type, e.version])).toEqual([['payment_request.created', 1]]);
  expect(events[0]?.data.previous_attributes).toBeNull();
  expect(events[0]?.data.object.version).toBe(1);
});

test('a move and a change of one command are one version, one event and its difference', async () => {
  const id = await created();
  const paid = randomUUID();
  await engine.submit(
    act((work, row) => {
      work.move(row, 'pay', { set: { paid_payment_id: paid } });
    }),
    { tenantId, input: { id } },
  );
  const [, event] = await eventsOf(id);
  expect(event).toMatchObject({ type: 'payment_request.paid', version: 2 });
  expect(event?.data.previous_attributes).toEqual({ status: 'open', paid_payment_id: null });
});

test('two status moves of one command are two versions and two events, in order', async () => {
  const id = await created();
  await engine.submit(
    act((work, row) => {
      work.move(row, 'expire');
      work.move(row, 'pay', { set: { paid_payment_id: id } });
    }),
    { tenantId, input: { id } },
  );
  const events = await eventsOf(id);
  expect(events.map((e) => [e.type, e.version])).toEqual([
    ['payment_request.created', 1],
    ['payment_request.expired', 2],
    ['payment_request.paid', 3],
  ]);
  expect(events[1]?.data.object.status).toBe('expired');
  expect(events[2]?.data.previous_attributes.status).toBe('expired');
});

test('a change that the API does not show raises only the revision', async () => {
  const id = await created();
  const claim = act((work, row) => void work.change(row, { claimed_by: id }));
  await engine.submit(claim, { tenantId, input: { id } });
  expect(await byId(id)).toMatchObject({ version: 1, revision: 2, claimed_by: id });
  expect(await eventsOf(id)).toHaveLength(1);
});

test('a refusal changes nothing, and the other commands of its batch succeed', async () => {
  const id = await created();
  const refused = act((work, row) => {
    work.move(row, 'cancel');
    work.scheduleJob('payment_request_ended', row.id, work.now);
    throw fail('insufficient_funds');
  });
  const outcomes = await Promise.allSettled([
    engine.submit(refused, { tenantId, input: { id } }),
    engine.submit(create, { tenantId, input: {} }),
    engine.submit(
      act((work, row) => void work.move(row, 'expire')),
      { tenantId, input: { id } },
    ),
  ]);
  expect(outcomes.map((o) => o.status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(await byId(id)).toMatchObject({ status: 'expired', version: 2 });
  expect((await pool.query('select 1 from jobs where ref = $1', [id])).rowCount).toBe(0);
});

test('a move that no row of the table allows is invalid_state', async () => {
  const id = await created();
  const expire = act((work, row) => void work.move(row, 'expire'));
  await engine.submit(expire, { tenantId, input: { id } });
  await expect(engine.submit(expire, { tenantId, input: { id } })).rejects.toMatchObject({
    code: 'invalid_state',
    details: { current_status: 'expired', allowed: ['open'] },
  });
});

test("another tenant's record is not found", async () => {
  const id = await created();
  const foreign = randomUUID();
  await pool.query(
    'insert into tenants (tenant_id, name, settings, created_at) select $1, name, settings, now() from tenants limit 1',
    [foreign],
  );
  const cancel = act((work, row) => void work.move(row, 'cancel'));
  await expect(engine.submit(cancel, { tenantId: foreign, input: { id } })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('twenty copies under one key on two engines have one effect and twenty equal replies', async () => {
  const idempotency = { keyHash: randomUUID(), fingerprint: randomUUID() };
  const before = (await pool.query('select count(*)::int as n from payment_requests')).rows[0].n;
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      (index % 2 ? engine : other).submit(create, { tenantId, input: {}, idempotency }),
    ),
  );
  expect(new Set(replies.map((reply) => reply.body)).size).toBe(1);
  expect(replies.filter((reply) => !reply.replayed)).toHaveLength(1);
  const after = (await pool.query('select count(*)::int as n from payment_requests')).rows[0].n;
  expect(after - before).toBe(1);
});

test('a key with another request is parameter_invalid, and a refused key is free again', async () => {
  const idempotency = { keyHash: randomUUID(), fingerprint: randomUUID() };
  const refused = command('refused', {
    load: async () => null,
    decide: () => {
      throw fail('limit_exceeded');
    },
  });
  await expect(engine.submit(refused, { tenantId, input: {}, idempotency })).rejects.toMatchObject({
    code: 'limit_exceeded',
  });
  await engine.submit(create, { tenantId, input: {}, idempotency });
  await expect(
    engine.submit(create, {
      tenantId,
      input: {},
      idempotency: { ...idempotency, fingerprint: randomUUID() },
    }),
  ).rejects.toMatchObject({ code: 'parameter_invalid', param: 'Idempotency-Key' });
});

test('all that a batch loads is of one snapshot, whatever commits between its waves', async () => {
  const first = await created();
  const second = randomUUID();
  const look = command('look', {
    load: async (read) => {
      await read.one(paymentRequests, first);
      await other.submit(create, { tenantId, input: { id: second } });
      return read.maybe(paymentRequests, second);
    },
    decide: (_work, found) => ({ value: { found: found !== null } }),
  });
  const { body } = await engine.submit(look, { tenantId, input: {} });
  expect(JSON.parse(body)).toEqual({ found: false });
});

test('a load that reads on after its batch began anew leaves no transaction open', async () => {
  let attempts = 0;
  let late: Promise<unknown> = Promise.resolve();
  const conflicting = command('conflicting', {
    load: async (read) => {
      attempts += 1;
      const isFirst = attempts === 1;
      await read.maybe(paymentRequests, randomUUID());
      if (isFirst) {
        late = sleep(100).then(() => read.maybe(paymentRequests, randomUUID()));
        throw Object.assign(new Error('a row has changed'), { code: '40001' });
      }
    },
    decide: () => ({ value: null }),
  });
  await engine.submit(conflicting, { tenantId, input: {} });
  expect(attempts).toBe(2);
  await expect(late).rejects.toThrow('the batch has ended');
  const { rows } = await pool.query(
    `select query from pg_stat_activity where datname = current_database()
      and state like 'idle in transaction%'`,
  );
  expect(rows).toEqual([]);
});

test('a load that throws refuses its own command and no other', async () => {
  const thrown = command('thrown', {
    load: () => {
      throw fail('not_found');
    },
    decide: () => ({ value: null }),
  });
  const splits = engine.stats.splits;
  const outcomes = await Promise.allSettled([
    engine.submit(create, { tenantId, input: {} }),
    engine.submit(thrown, { tenantId, input: {} }),
  ]);
  expect(outcomes.map((o) => o.status)).toEqual(['fulfilled', 'rejected']);
  expect(engine.stats.splits).toBe(splits);
});

test('a command that the database refuses fails alone', async () => {
  // The CHECK of its table refuses it, and nothing before.
  const poison = command('poison', {
    load: async () => null,
    decide: (work) => ({ record: open(work, work.newId(), 0) }),
  });
  const outcomes = await Promise.allSettled([
    engine.submit(create, { tenantId, input: {} }),
    engine.submit(poison, { tenantId, input: {} }),
    ...Array.from({ length: 20 }, () => engine.submit(create, { tenantId, input: {} })),
  ]);
  expect(outcomes.filter((o) => o.status === 'rejected')).toHaveLength(1);
  expect(outcomes[1]?.status).toBe('rejected');
  expect(alarms).toEqual(['a command failed alone']);
});

test('a storm of two engines on one record applies every change once and loses none', async () => {
  const id = await created();
  const reruns = engine.stats.reruns + other.stats.reruns;
  const rename = act((work, row) => {
    work.change(row, { claimed_by: work.newId(), paid_payment_id: work.newId() });
  });
  let storms = 0;
  const contended = () => engine.stats.reruns + other.stats.reruns > reruns;
  for (; storms < 20 && !contended(); storms += 1)
    await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        (index % 2 ? engine : other).submit(rename, { tenantId, input: { id } }),
      ),
    );
  const last = 1 + storms * 200;
  const events = await eventsOf(id);
  expect(events.map((e) => e.version)).toEqual(Array.from({ length: last }, (_, i) => i + 1));
  expect(await byId(id)).toMatchObject({ version: last });
  expect(contended()).toBe(true);
});

test('two engines posting to one account number its entries without a gap and never overdraw it', async () => {
  const accountId = randomUUID();
  const openBalance = command('open', {
    load: async () => null,
    decide: (work) => {
      work.create(balances, {
        account_id: accountId,
        available: 0,
        pending_outgoing: 0,
        earmarked: 0,
        entry_count: 0,
      });
      const amounts = { amount: 1000 };
      const counterparts = { holder: null };
      const parties = { holder: accountId };
      work.post(
        { type: 'load', id: work.newId() },
        { recipe: 'load_settled', parties, amounts, counterparts, description: null },
      );
      return { value: null };
    },
  });
  await engine.submit(openBalance, { tenantId, input: {} });
  const hold = command('hold', {
    load: (read) => read.one(balances, accountId),
    decide: (work, balance) => {
      if (balance.available < 30) throw fail('insufficient_funds');
      work.post(
        { type: 'payment', id: work.newId() },
        { recipe: 'payment_held', parties: { payer: accountId }, amounts: { held: 30 } },
      );
      return { value: null };
    },
  });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 100 }, (_, index) =>
      (index % 2 ? engine : other).submit(hold, { tenantId, input: {} }),
    ),
  );
  expect(outcomes.filter((o) => o.status === 'fulfilled')).toHaveLength(33);
  const { rows } = await pool.query(
    'select number, pocket, delta, balance_after from entries where account_id = $1 order by number',
    [accountId],
  );
  expect(rows.map((row) => row.number)).toEqual(Array.from({ length: 67 }, (_, i) => i + 1));
  const running = { available: 0, pending_outgoing: 0 } as Record<string, number>;
  for (const row of rows) {
    running[row.pocket] = (running[row.pocket] ?? 0) + row.delta;
    expect(row.balance_after).toBe(running[row.pocket]);
  }
  const balance = await pool.query('select * from balances where account_id = $1', [accountId]);
  expect(balance.rows[0]).toMatchObject({ available: 10, pending_outgoing: 990, entry_count: 67 });
});
