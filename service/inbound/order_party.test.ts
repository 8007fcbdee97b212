import { beforeEach, expect, test } from 'vitest';
import { uuid } from '../../test/kit/ids.ts';
import { openServer } from '../../test/kit/server.ts';
import type { BankInstruction } from '../rails/bank.ts';
import type { AccountRef } from '../rails/party.ts';
import { linkNumbersJob, numbersSeal } from '../resources/linked_accounts/numbers.ts';

/** The parties of an order, their numbers, and what is read of them (rules/linking#22). */

let taken: BankInstruction[] = [];
let asked: string[] = [];
const account = '90000000007712';
const numbers: AccountRef = { routing: '021000021', account, type: 'checking', tokenized: true };
let given: () => Promise<AccountRef | null> = async () => numbers;

const lines: string[] = [];
const server = await openServer({
  own: true,
  manual: true,
  bank: { take: async (order) => void taken.push(order) },
  onLog: (line) => void lines.push(line),
});
const { api, engine, service, rails } = server;
const { tenantId } = server.tenant;
Object.assign(rails.aggregator, {
  numbers: (reference: string) => {
    asked.push(reference);
    return given();
  },
});
const ana = await api.funded('individual', 900_00);
const cafe = await api.funded('business', 100_00);
await server.runJobs();
beforeEach(() => {
  [taken, asked] = [[], []];
  given = async () => numbers;
});

const orderOf = async (purpose: BankInstruction['purpose']) => {
  await server.runJobs();
  const order = taken.find((one) => one.purpose === purpose);
  if (!order) throw new Error(`the bank has no order for ${purpose}`);
  return order;
};
const sealedOf = async (link: string) => {
  const [row] = await engine.query<{ numbers_sealed: string | null }>(
    'select numbers_sealed from linked_accounts where tenant_id = $1 and id = $2',
    uuid('linked_account', link),
  );
  return row?.numbers_sealed ?? null;
};
const forget = (link: string | null) =>
  engine.query(
    'update linked_accounts set numbers_sealed = null where tenant_id = $1 and id = $2',
    uuid('linked_account', link ?? ''),
  );
const read = (id: string) => id.replace('_', '-');

test('an order names the customer in full, their bank account by its numbers, and the record', async () => {
  const load = await api.confirmed(api.load(ana, 50_00));
  expect(await orderOf('load')).toMatchObject({
    counterparty: { name: 'Ana Reyes', kind: 'individual', address: null, account: numbers },
    remittance: `Test Tenant ${read(load.id)}`,
    reference: 'public-sandbox-standard/',
  });
  const out = await api.confirmed(api.withdraw(cafe, 5_00));
  expect(await orderOf('withdrawal')).toMatchObject({
    counterparty: { name: 'Corner Cafe LLC', kind: 'business', account: numbers },
    remittance: `Test Tenant ${read(out.id)}`,
  });
  // They were asked for when the account was linked.
  expect(asked).toEqual([]);
});

test('a payment by bank and its refund name the merchant, whom the payer knows', async () => {
  const payment = await api.confirmed(api.payByBank(ana, cafe, 20_00));
  expect((await orderOf('payment_by_bank')).remittance).toBe(`Corner Cafe LLC ${read(payment.id)}`);
  await api.simulate('payment.completed', payment.id);
  const refund = await api.confirmed(api.refund(payment, 20_00));
  expect(await orderOf('refund')).toMatchObject({
    counterparty: { name: 'Ana Reyes', account: numbers },
    remittance: `Corner Cafe LLC ${read(refund.id)}`,
  });
});

/** A link whose jobs have not run. */
async function linked(): Promise<string> {
  const { customerId } = await api.approved('individual');
  const path = `/v1/customers/${customerId}/linked-accounts`;
  const { id } = await api.post(path, { public_token: `public-sandbox-standard-${customerId}` });
  return id;
}

test('numbers are asked for once for each link, when it is made', async () => {
  const id = await linked();
  await server.runJobs();
  await server.runJobs();
  expect(asked).toHaveLength(1);
  const purpose = numbersSeal(uuid('linked_account', id));
  const sealed = await sealedOf(id);
  expect(service.vault.open(tenantId, purpose, sealed ?? '')).toEqual(numbers);
});

test('the first order of a link from before asks for its numbers, and later ones do not', async () => {
  await forget(ana.linkedAccountId);
  for (const _time of [1, 2]) await api.confirmed(api.withdraw(ana, 1_00));
  expect(asked).toHaveLength(1);
  expect(taken.map(({ counterparty }) => counterparty?.account)).toEqual([numbers, numbers]);
});

test('an order waits while the aggregator gives no answer, and goes out without numbers where it has none', async () => {
  await forget(ana.linkedAccountId);
  // As HTTP clients throw: with what was sent and received.
  given = () => Promise.reject(Object.assign(new Error(`${account} is away`), { sent: numbers }));
  await api.confirmed(api.withdraw(ana, 1_00));
  expect([asked.length, taken]).toEqual([1, []]);
  given = async () => null;
  await api.advance(5);
  const order = await orderOf('withdrawal');
  expect([order.counterparty?.account, order.reference]).toEqual([
    null,
    'public-sandbox-standard/',
  ]);
});

test('an aggregator without the method leaves orders to their reference', async () => {
  await forget(ana.linkedAccountId);
  const { numbers: method } = rails.aggregator;
  Object.assign(rails.aggregator, { numbers: undefined });
  await api.confirmed(api.withdraw(ana, 1_00));
  const id = await linked();
  expect((await engine.jobs(uuid('linked_account', id))).map(({ name }) => name)).toEqual([
    'link_check',
  ]);
  Object.assign(rails.aggregator, { numbers: method });
  expect(taken[0]?.counterparty).toMatchObject({ name: 'Ana Reyes', account: null });
  expect(taken[0]?.reference).toBe('public-sandbox-standard/');
});

test.each([
  ['a routing number with a wrong check digit', { routing: '021000022' }],
  ['an account number with other signs', { account: '12 34' }],
  ['no kind of account', { type: 'loan' }],
])('%s is kept of no link, and no error names it', async (_what, wrong) => {
  const id = await linked();
  given = async () => ({ ...numbers, ...wrong }) as AccountRef;
  const { db, vault } = service;
  const job = linkNumbersJob({ db, vault, aggregator: rails.aggregator });
  const run = engine.run(job, { ref: uuid('linked_account', id) });
  await expect(run).rejects.toThrow(/aggregator\.numbers gave no routing and account number$/);
  expect(await sealedOf(id)).toBeNull();
  given = async () => numbers;
  await server.runJobs();
});

test('numbers that changed while they were asked for are not kept, and are asked for again', async () => {
  const id = await linked();
  const ref = uuid('linked_account', id);
  given = async () => {
    const changed = `update linked_accounts set numbers_changed_at = now(), revision = revision + 1
      where tenant_id = $1 and id = $2`;
    await engine.query(changed, ref);
    given = async () => ({ ...numbers, account: '5555' });
    return numbers;
  };
  await server.runJobs();
  await server.runJobs();
  const sealed = await sealedOf(id);
  expect(service.vault.open(tenantId, numbersSeal(ref), sealed ?? '')).toMatchObject({
    account: '5555',
  });
  expect(await engine.jobs(ref)).toEqual([]);
});

test('no log, no reply and no row holds an account number in clear', async () => {
  const shown = await Promise.all(
    [
      `/v1/customers/${ana.customerId}/linked-accounts`,
      `/v1/linked-accounts/${ana.linkedAccountId}`,
      `/v1/customers/${ana.customerId}`,
    ].map((path) => server.call('GET', path)),
  );
  expect(JSON.stringify(shown)).not.toContain(account);
  expect(JSON.stringify(shown)).toContain('1234');
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join('\n')).not.toContain(account);
  const { rows: tables } = await server.owner.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  expect(tables.length).toBeGreaterThan(40);
  for (const { name } of tables) {
    const found = await server.owner.query(
      `select 1 from ${name} t where to_jsonb(t)::text like '%' || $1 || '%' limit 1`,
      [account],
    );
    expect(found.rows, name).toEqual([]);
  }
});
