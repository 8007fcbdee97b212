import { beforeEach, expect, test } from 'vitest';
import { openServer } from '../../test/kit/server.ts';
import { openPeople, type Person } from '../../test/ledger/customers.ts';
import { openSender, recordOf } from '../../test/ledger/sender.ts';
import { recordsAtOnce } from '../resources/records_at_once.ts';

const many = recordsAtOnce + 10;
const dollars = 100;
let ana: Person;
let shop: Person;

const server = await openServer({ workers: false, tenant: { sample: true } });
const sender = openSender([server.service], server.tenant.tenantId);
const { commands, send, simulate, query } = sender;

beforeEach(async () => {
  const [payer] = await openPeople(sender, 1, 'individual', 100 * dollars);
  const [merchant] = await openPeople(sender, 1, 'business', dollars);
  if (payer) ana = payer;
  if (merchant) shop = merchant;
});

const times = <T>(make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: many }, make));
const runJobs = () => server.workers.jobs.runDueJobs(server.tenant.tenantId);
const close = async ({ customerId: id }: Person) =>
  recordOf(await send(commands.closeCustomer, { id, reason: 'customer_request' }));

async function paid(amount: number) {
  const made = recordOf(
    await send(commands.createPayment, {
      payer_customer_id: ana.customerId,
      payee_customer_id: shop.customerId,
      source: 'balance',
      amount,
    }),
  );
  recordOf(await simulate('session.completed', made.id));
  return made;
}

/** The records by their end, and the most that one transaction has ended. */
async function endsOf(table: 'payment_requests' | 'payments' | 'refunds', merchant: string) {
  const rows = await query<{ status: string; count: number; at_once: number }>(
    `select status, sum(count)::integer as count, max(count)::integer as at_once
     from (select status, count(*) from ${table} where tenant_id = $1 and ${merchant} = $2
       group by status, xmin::text) transactions group by status`,
    shop.accountId,
  );
  return rows.map(({ status, count, at_once }) => [status, count, at_once]);
}

/** Refunds of a shop that has nothing left. */
async function waitForFunds(): Promise<void> {
  const payments = await times(() => paid(1));
  const amount = dollars + many;
  const withdrawal = recordOf(
    await send(commands.createWithdrawal, { customer_id: shop.customerId, amount }),
  );
  recordOf(await simulate('session.completed', withdrawal.id));
  recordOf(await simulate('withdrawal.settled', withdrawal.id));
  for (const { id: payment_id } of payments) {
    const asked = { payment_id, amount: 1, reason: 'other' } as const;
    const { id } = recordOf(await send(commands.createRefund, asked));
    recordOf(await simulate('session.completed', id));
  }
  await runJobs();
  const [[status, count] = []] = await endsOf('refunds', 'merchant_account_id');
  expect([status, count]).toEqual(['pending_funds', many]);
}

test('a shop that closes with hundreds of open requests ends them in several transactions', async () => {
  await times(() =>
    send(commands.createPaymentRequest, {
      type: 'dynamic',
      merchant_customer_id: shop.customerId,
      amount: 5 * dollars,
    }),
  );
  await close(shop);
  await runJobs();
  expect(await endsOf('payment_requests', 'merchant_account_id')).toEqual([
    ['canceled', many, recordsAtOnce],
  ]);
});

test('hundreds of payments of a canceled request end in several transactions', async () => {
  const request = recordOf(
    await send(commands.createPaymentRequest, {
      type: 'static',
      merchant_customer_id: shop.customerId,
      collection_point: { reference: 'counter', name: 'Counter' },
    }),
  );
  await times(() =>
    send(commands.createPayment, {
      payer_customer_id: ana.customerId,
      qr_payload: request.qr_payload,
      source: 'balance',
      amount: 1,
    }),
  );
  recordOf(await send(commands.cancelPaymentRequest, { id: request.id }));
  await runJobs();
  expect(await endsOf('payments', 'payee_account_id')).toEqual([['canceled', many, recordsAtOnce]]);
});

test('hundreds of refunds that wait are paid in several transactions once the money is there', async () => {
  await waitForFunds();
  await paid(5 * dollars);
  await runJobs();
  expect(await endsOf('refunds', 'merchant_account_id')).toEqual([
    ['completed', many, recordsAtOnce],
  ]);
});

test('a closing shop gives hundreds of waiting refunds up in several transactions, and closes', async () => {
  await waitForFunds();
  await close(shop);
  await runJobs();
  expect(await endsOf('refunds', 'merchant_account_id')).toEqual([['failed', many, recordsAtOnce]]);
  const [account] = await query<{ status: string; waiting_claims: number }>(
    'select status, waiting_claims from accounts where tenant_id = $1 and id = $2',
    shop.accountId,
  );
  expect(account).toEqual({ status: 'closed', waiting_claims: 0 });
});
