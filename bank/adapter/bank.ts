import type { Bank, BookedOrder } from '@tenant-payments/service/rails/bank.ts';
import type { BankEvent, Order } from '../book/types.ts';
import { type ClientSettings, openClient } from './client.ts';
import {
  bookedOrder,
  parseEvent,
  type Receipt,
  receiptOf,
  receiptOfOrder,
  termsOf,
} from './facts.ts';
import { isSigned, type Webhook } from './webhook.ts';

interface Page<Row, Next> {
  readonly data: readonly Row[];
  readonly next: Next;
}

interface Call {
  readonly signal: AbortSignal;
}

/** Events from before are those of another life of this database (rules/restore#4). */
const firstPollMs = 3 * 24 * 3_600_000;

/** A webhook that the bank has not signed. */
export class NotSigned extends Error {}

/**
 * The sandbox bank as a provider of the service: `bank` is its port, `receive` hears a webhook, `poll` the feed, which
 * has what no webhook brought.
 * @param again takes the end of an order that was handed over once more
 */
export function openBankProvider(
  settings: ClientSettings & { readonly pollSeconds: number },
  again: (receipt: Receipt) => void,
) {
  const client = openClient(settings);
  /** Events that the service has no fact for, by their type. */
  const dropped = new Map<string, number>();

  const receiptsOf = (events: readonly BankEvent[]): Receipt[] =>
    events.flatMap((event) => {
      const receipt = receiptOf(event);
      if (!receipt) dropped.set(event.type, (dropped.get(event.type) ?? 0) + 1);
      return receipt ?? [];
    });

  const bank: Bank = {
    async take(order, { signal } = {} as Call) {
      const body = termsOf(order);
      const known = await client.call<Order>('PUT', `/orders/${order.id}`, { body, signal });
      const ended = receiptOfOrder(known);
      if (ended) again(ended);
    },
    async ordersSince(since, { signal } = {} as Call) {
      const found: BookedOrder[] = [];
      let after = '';
      for (;;) {
        const path = `/orders?since=${since}${after}`;
        const page = await client.call<Page<Order, string | null>>('GET', path, { signal });
        found.push(...page.data.map(bookedOrder));
        if (page.next === null) return found;
        after = `&after=${page.next}`;
      }
    },
  };

  return {
    name: 'bank',
    bank,
    dropped: dropped as ReadonlyMap<string, number>,
    /** Reached, and signed in; moves nothing. */
    async check(): Promise<void> {
      await client.call('GET', '/events?limit=1');
    },
    /** @throws NotSigned, or when the body is no event */
    async receive(webhook: Webhook): Promise<readonly Receipt[]> {
      if (!isSigned(webhook, await client.webhookSecret(), Date.now()))
        throw new NotSigned('the bank has not signed this');
      return receiptsOf([parseEvent(Buffer.from(webhook.rawBody).toString('utf8'))]);
    },
    poll: {
      everySeconds: settings.pollSeconds,
      /** @param cursor what the run before gave; null: there was none */
      async run(cursor: string | null, { signal }: Call) {
        const since = new Date(Date.now() - firstPollMs).toISOString();
        const from = cursor === null ? `since=${since}` : `after=${cursor}`;
        const path = `/events?limit=500&${from}`;
        const page = await client.call<Page<BankEvent, string>>('GET', path, { signal });
        return { cursor: page.next, receipts: receiptsOf(page.data) };
      },
    },
    close: client.close,
  };
}
export type BankProvider = ReturnType<typeof openBankProvider>;
