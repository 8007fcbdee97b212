/**
 * What must not compile, and what must. The type checker is the test: a line that became legal is an
 * error, because its directive would then expect one in vain.
 */
import type { LinkedAccount } from '@tenant-payments/contract/resources/linked_accounts.ts';
import type { Payment } from '@tenant-payments/contract/resources/payments.ts';
import {
  type Client,
  createReceiver,
  type Event,
  isCode,
  memoryStore,
  type ReceiverStore,
} from './index.ts';

interface Transaction {
  readonly run: (sql: string) => void;
}

export async function calls(client: Client): Promise<void> {
  const payment: Payment = await client.payments.create({
    payer_customer_id: 'cus_1',
    qr_payload: 'tps1.x.y',
    source: 'balance',
  });
  const removed: LinkedAccount = await client.linkedAccounts.remove('cus_1', 'la_1');
  const cents: number = (await client.accounts.balance(removed.customer_id)).available;
  for await (const transaction of client.accounts.transactions.each(payment.id, { limit: 100 })) {
    transaction.net_amount.toFixed(cents);
  }
  const { data, response } = await client.payments.get.withResponse('pay_1', { maxRetries: 0 });
  data.status satisfies string;
  response.replayed satisfies boolean;
  await client.payments.cancel('pay_1', { idempotencyKey: 'cancel-1' });
  await client.customers.listOwners('cus_1');
  await client.sandbox.simulate('load.settled', { object_id: 'load_1' });

  // @ts-expect-error there is no such field
  await client.payments.create({ payer_customer_id: 'cus_1', source: 'balance', amout: 1 });
  // @ts-expect-error source is missing
  await client.payments.create({ payer_customer_id: 'cus_1' });
  // @ts-expect-error amounts are numbers
  await client.loads.create({ customer_id: 'cus_1', amount: '100.00' });
  // @ts-expect-error the linked account is missing
  await client.linkedAccounts.remove('cus_1');
  // @ts-expect-error the query is required
  await client.customers.list();
  // @ts-expect-error a read takes no key
  await client.payments.get('pay_1', { idempotencyKey: 'a' });
  // @ts-expect-error no such simulated event
  await client.sandbox.simulate('load.exploded', { object_id: 'load_1' });
  // @ts-expect-error this list has no cursor
  client.linkedAccounts.list.each('cus_1');
  // @ts-expect-error payments are not listed
  await client.payments.list();
  // @ts-expect-error a payment has no such field
  payment.amount_paid;
}

export function errors(error: unknown): number | string | undefined {
  if (isCode(error, 'insufficient_funds')) return error.details.available;
  if (isCode(error, 'rate_limited', 'timed_out')) return error.code;
  // @ts-expect-error no such code
  if (isCode(error, 'no_money')) return undefined;
  return undefined;
}

export function events(event: Event): number | string {
  switch (event.type) {
    case 'payment.completed':
      return event.data.object.net_amount;
    case 'customer.approved':
      // @ts-expect-error a customer has no amount
      event.data.object.amount;
      return event.data.object.external_ref;
    // @ts-expect-error no such event
    case 'payment.exploded':
      return 0;
    default:
      return event.id;
  }
}

export function receivers(client: Client, durable: ReceiverStore<Transaction>): void {
  const secrets = 'whsec_x';
  createReceiver({ secrets, onEvent: (event) => event.id.trim() });
  const { accept } = createReceiver({ secrets, store: memoryStore(), onEvent: async () => {} });
  createReceiver({ secrets, store: durable, onEvent: (_, sql) => sql.run('select 1') });
  client.webhookEvents.list({ limit: 1 }).then(({ data }) => data.map(accept));
  // @ts-expect-error without its store there is no transaction to pass
  createReceiver({ secrets, onEvent: (_: Event, sql: Transaction) => sql.run('select 1') });
}
