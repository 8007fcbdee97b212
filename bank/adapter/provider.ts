import type {
  CheckLine,
  Provider,
  Receipt,
} from '@tenant-payments/service/rails/providers/provider.ts';
import type { BankEvent } from '../book/types.ts';
import type { Client } from './client.ts';
import { Unverified } from './errors.ts';
import { parseEvent, receiptOf } from './facts.ts';
import { isSigned } from './webhook.ts';

interface Page {
  readonly data: readonly BankEvent[];
  readonly next: string;
}

/** Events from before are those of another life of this database (rules/restore#4). */
const firstPollMs = 3 * 24 * 3_600_000;

/**
 * How events of the bank come in: `receive` reads a webhook, `poll` the feed, which has what no webhook brought.
 * @param dropped counts the events that the service has no fact for, by their type
 */
export function openProvider(
  { call, webhookSecret }: Client,
  { pollSeconds, dropped }: { readonly pollSeconds: number; readonly dropped: Map<string, number> },
): Provider {
  const receiptsOf = (events: readonly BankEvent[]): Receipt[] =>
    events.flatMap((event) => {
      const receipt = receiptOf(event);
      if (!receipt) dropped.set(event.type, (dropped.get(event.type) ?? 0) + 1);
      return receipt ?? [];
    });

  async function line(what: string, advice: string, work: Promise<unknown>): Promise<CheckLine> {
    const fault = await work.then(
      () => null,
      (error: Error) => error.message,
    );
    return { ok: fault === null, what, advice: fault === null ? null : `${advice} (${fault})` };
  }

  return {
    name: 'bank',
    keptHeaders: ['webhook-id', 'webhook-timestamp'],
    check: async ({ signal }) => [
      await line(
        'the keys of BANK_DIR can be read',
        'copy ca.pem, client.pem, client.key and webhook_secret of the bank there',
        webhookSecret(),
      ),
      await line(
        'the bank of BANK_URL knows our certificate',
        'start the bank, and compare the folders of both',
        call('GET', '/events?limit=1', { signal }),
      ),
    ],
    async receive(webhook) {
      if (!isSigned(webhook, await webhookSecret(), Date.now()))
        throw new Unverified('the bank has not signed this');
      return receiptsOf([parseEvent(Buffer.from(webhook.rawBody).toString('utf8'))]);
    },
    poll: {
      everySeconds: pollSeconds,
      async run(cursor, { signal }) {
        const since = new Date(Date.now() - firstPollMs).toISOString();
        const from = cursor === null ? `since=${since}` : `after=${cursor}`;
        const { data, next } = await call<Page>('GET', `/events?limit=500&${from}`, { signal });
        return { cursor: next, receipts: receiptsOf(data) };
      },
    },
  };
}
