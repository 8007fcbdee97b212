/**
 * Code that must not compile, and code that must. The type checker is the test: a line that became legal is an error,
 * because its directive would then expect one in vain.
 */
import type { EventType, RecordOfEvent } from '@tenant-payments/contract/catalog.ts';
import type {
  BodyOf,
  EndpointDefinition,
  QueryOf,
  SuccessOf,
} from '@tenant-payments/contract/core/endpoint.ts';
import type { ErrorCode as ContractCode } from '@tenant-payments/contract/core/errors.ts';
import type { Methods } from '@tenant-payments/contract/emit/sdk/methods.ts';
import type { SimulateName as ContractSimulateName } from '@tenant-payments/contract/resources/simulations.ts';
import {
  type Client,
  createReceiver,
  type ErrorCode,
  type Event,
  type EventOf,
  isCode,
  type LinkedAccount,
  memoryStore,
  type Payment,
  type PaymentCreateParams,
  type ReceiverStore,
  type SimulateName,
  type TargetInput,
} from './index.ts';

/** A type of the SDK without the values of tomorrow: its lists are those of the contract again. */
type Today<T> = T extends string
  ? T
  : T extends readonly (infer I)[]
    ? TodayOf<I>[]
    : T extends object
      ? { [K in keyof T]: TodayOf<T[K]> }
      : T;
type Known<T> = T extends string ? (string extends T ? never : T) : never;
type TodayOf<T> = [Known<T>] extends [never] ? Today<T> : T extends string ? Known<T> : Today<T>;

type Same<A, B> = [A, B] extends [B, A] ? true : false;

/** The body or the query that a method takes, by the contract. */
type PayloadOf<E extends EndpointDefinition> = 'body' extends keyof E ? BodyOf<E> : QueryOf<E>;
type HasPayload<E> = 'body' extends keyof E ? true : 'query' extends keyof E ? true : false;

/** The last argument before the options. */
type Before<A extends readonly unknown[]> =
  Required<A> extends [...infer Rest, unknown]
    ? Rest extends [...unknown[], infer Last]
      ? NonNullable<Last>
      : never
    : never;

/** Methods whose generated types are not the contract's; events are typed by their type instead. */
type Wrong = {
  [G in Exclude<keyof Methods, 'webhookEvents'>]: {
    [N in keyof Methods[G]]: Methods[G][N] extends infer E extends EndpointDefinition
      ? Client[G][N & keyof Client[G]] extends (...args: infer A) => PromiseLike<infer R>
        ? Same<TodayOf<R>, SuccessOf<E>> extends true
          ? HasPayload<E> extends true
            ? Same<Before<A>, PayloadOf<E>> extends true
              ? never
              : `takes ${G}.${N & string}`
            : never
          : `returns ${G}.${N & string}`
        : `lacks ${G}.${N & string}`
      : never;
  }[keyof Methods[G]];
}[Exclude<keyof Methods, 'webhookEvents'>];

type WrongEvents = {
  [E in EventType]: Same<TodayOf<EventOf<E>['data']['object']>, RecordOfEvent<E>> extends true
    ? never
    : E;
}[EventType];

/** The generated types say what the contract says. */
export const differences: [Wrong, WrongEvents] extends [never, never]
  ? 'none'
  : [Wrong, WrongEvents] = 'none';
export const names: [Same<ErrorCode, ContractCode>, Same<SimulateName, ContractSimulateName>] = [
  true,
  true,
];

interface Transaction {
  readonly run: (sql: string) => void;
}

export async function calls(client: Client): Promise<void> {
  const wanted: PaymentCreateParams = {
    payer_customer_id: 'cus_1',
    qr_payload: 'tps1.x.y',
    source: 'balance',
  };
  const payment: Payment = await client.payments.create(wanted);
  const removed: LinkedAccount = await client.linkedAccounts.remove('cus_1', 'la_1');
  const cents: number = (await client.accounts.getBalance(removed.customer_id)).available;
  for await (const transaction of client.accounts.listTransactions(payment.id, { limit: 100 })) {
    transaction.net_amount.toFixed(cents);
  }
  const { data, response } = await client.payments.get('pay_1', { maxRetries: 0 }).withResponse();
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
  await client.accounts.list();
  // @ts-expect-error a read takes no key
  await client.payments.get('pay_1', { idempotencyKey: 'a' });
  // @ts-expect-error no such simulated event
  await client.sandbox.simulate('load.exploded', { object_id: 'load_1' });
  // @ts-expect-error one record is no list
  for await (const _ of client.payments.get('pay_1')) break;
  // @ts-expect-error sessions are not listed
  await client.sessions.list();
  // @ts-expect-error a payment has no such field
  payment.amount_paid;
}

/** Replies take values to come, requests do not. */
export async function tomorrow(client: Client, payment: Payment, event: Event): Promise<string> {
  const status: Payment['status'] = 'status_of_tomorrow';
  const failed: Payment['failure_code'] = 'code_of_tomorrow';
  event.environment satisfies string;
  // @ts-expect-error a status is a text
  const wrong: Payment['status'] = 1;
  // @ts-expect-error no such source
  await client.payments.create({ payer_customer_id: 'cus_1', source: 'cash' });
  // @ts-expect-error what a reply says is not all that a request takes
  await client.payments.create({ payer_customer_id: 'cus_1', source: payment.source });
  // @ts-expect-error a kind of record that may come is none that can be confirmed
  const target: TargetInput = { type: 'order', id: 'ord_1' };
  return `${status} ${failed} ${wrong} ${target.id}`;
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
  createReceiver({
    secrets,
    on: { 'load.settled': ({ data }) => data.object.amount.toFixed(2) },
  });
  // @ts-expect-error no such type of event
  createReceiver({ secrets, on: { 'load.exploded': () => {} } });
  client.webhookEvents.list({ limit: 1 }).then(({ data }) => data.map(accept));
  // @ts-expect-error without its store there is no transaction to pass
  createReceiver({ secrets, onEvent: (_: Event, sql: Transaction) => sql.run('select 1') });
}
