import { beforeAll, beforeEach, expect, test } from 'vitest';
import { openServer } from '../../test/kit/server.ts';
import { openPeople, type Person } from '../../test/ledger/customers.ts';
import { openSender, recordOf } from '../../test/ledger/sender.ts';
import { reactivateAccount, suspendAccount } from '../resources/accounts/moves.ts';

const dollars = 100;
let shop: Person;
let ana: Person;

const server = await openServer({ workers: false, tenant: { sample: true } });
const sender = openSender([server.service], server.tenant.tenantId);
beforeAll(async () => {
  const [made] = await openPeople(sender, 1, 'business', 100 * dollars);
  if (made) shop = made;
});

beforeEach(async () => {
  const [made] = await openPeople(sender, 1, 'individual', 100 * dollars);
  if (made) ana = made;
});

const pay = async (cents = dollars, payer = ana, payee = shop) =>
  recordOf(
    await sender.send(sender.commands.createPayment, {
      payer_customer_id: payer.customerId,
      payee_customer_id: payee.customerId,
      source: 'balance',
      amount: cents,
      ...(payer.type === 'business' ? { invoice_reference: 'an invoice' } : {}),
    }),
  );

const load = async (cents = 5 * dollars) =>
  recordOf(
    await sender.send(sender.commands.createLoad, { customer_id: ana.customerId, amount: cents }),
  );

/** Simulates as a Tenant would: the reply comes when all due jobs have run. */
async function simulate(event: string, object_id: string) {
  const reply = await server.call('POST', `/v1/sandbox/simulate/${event}`, { body: { object_id } });
  expect(reply.status).toBe(202);
}

const accountOf = (person: Person) => `acct_${person.accountId.replaceAll('-', '')}`;
const read = async (path: string) => (await server.call('GET', path)).body;
const statusOf = async (kind: 'payments' | 'loads', id: string) => {
  const { status, failure_code } = await read(`/v1/${kind}/${id}`);
  return [status, failure_code];
};

test('what waits for a suspended payer has ended when simulate replies', async () => {
  const open = [await pay(), await pay(2 * dollars)];
  const waiting = await load();
  const confirmed = await load();
  recordOf(await sender.simulate('session.completed', confirmed.id));
  const paid = await pay();
  recordOf(await sender.simulate('session.completed', paid.id));
  await simulate('account.suspended', accountOf(ana));
  for (const { id } of open) expect(await statusOf('payments', id)).toEqual(['canceled', null]);
  expect(await statusOf('loads', waiting.id)).toEqual(['failed', 'account_restricted']);
  expect(await statusOf('loads', confirmed.id)).toEqual(['processing', null]);
  expect(await statusOf('payments', paid.id)).toEqual(['completed', null]);
  const balance = await read(`/v1/accounts/${accountOf(ana)}/balance`);
  expect(balance).toMatchObject({ available: 99 * dollars, pending_outgoing: 0 });
  const { rows } = await server.service.pool.query(
    `select s.status from sessions s join payments p on p.session_id = s.id
     where p.payer_account_id = $1 order by s.status`,
    [ana.accountId],
  );
  expect(rows.map(({ status }) => status)).toEqual(['canceled', 'canceled', 'completed']);
});

test('what waits for a customer whose verification is reopened has ended too', async () => {
  const { id } = await pay();
  await simulate('customer.in_review', ana.customerId);
  expect(await statusOf('payments', id)).toEqual(['canceled', null]);
});

test('payments of others to a suspended account stay open until they confirm', async () => {
  const { id } = await pay();
  await simulate('account.suspended', accountOf(shop));
  expect(await statusOf('payments', id)).toEqual(['requires_confirmation', null]);
  await simulate('account.reactivated', accountOf(shop));
});

test('an account that is reactivated before the job runs keeps its open records', async () => {
  const { id } = await pay();
  const { engine } = server.service;
  const { tenantId } = server.tenant;
  const input = { id: ana.accountId };
  await engine.submit(suspendAccount, { tenantId, input });
  await engine.submit(reactivateAccount, { tenantId, input });
  await server.workers.jobs.runDueJobs(tenantId);
  expect(await statusOf('payments', id)).toEqual(['requires_confirmation', null]);
  const { rows } = await server.service.pool.query(
    "select 1 from jobs where ref = $1 and name = 'account_restricted'",
    [ana.accountId],
  );
  expect(rows).toEqual([]);
});

test('hundreds of open payments end before the reply, too', async () => {
  const made = await Promise.all(Array.from({ length: 430 }, () => pay(1)));
  await simulate('account.suspended', accountOf(ana));
  const { rows } = await server.service.pool.query(
    `select status, count(*)::integer as count from payments where payer_account_id = $1
     group by status`,
    [ana.accountId],
  );
  expect(rows).toEqual([{ status: 'canceled', count: made.length }]);
  expect(
    await server.service.pool.query(
      "select 1 from jobs where ref = $1 and name = 'account_restricted'",
      [ana.accountId],
    ),
  ).toHaveProperty('rowCount', 0);
});
