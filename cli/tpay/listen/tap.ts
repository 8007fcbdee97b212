import { getClock } from '@tenant-payments/contract/portal/sandbox/clock.ts';
import type { PortalEvent } from '@tenant-payments/contract/portal/traffic/events.ts';
import { Event } from '@tenant-payments/contract/resources/webhook_events.ts';
import { webhooks } from '@tenant-payments/sdk-server';
import type { Connection } from '../connection.ts';
import { feedIdAt, follow } from '../feed/follow.ts';
import type { Console } from '../options.ts';
import { checkedDuration } from '../times.ts';
import type { Handover } from './handover.ts';
import { recall, remember } from './memory.ts';
import { passingOf } from './passing.ts';
import type { Handed, Printer } from './print.ts';

/** How the events come, and how one is sent once more. */
export interface Way {
  /** Goes on until the signal is aborted. */
  run(hand: Handover, printer: Printer, signal: AbortSignal): Promise<void>;
  again(handed: Handed, hand: Handover): Promise<unknown>;
}

export interface Tapping {
  readonly secret: string;
  readonly since: string | undefined;
  readonly maxDowntimeMs: number;
  isAsked(type: string): boolean;
}

const fields = Object.keys(Event.properties) as (keyof typeof Event.properties)[];

/** The body of a delivery: the event without what the portal says of it. */
const bodyOf = (event: PortalEvent): string =>
  JSON.stringify(Object.fromEntries(fields.map((field) => [field, event[field]])));

/** Behind what to begin: now, so long before, or the last one that was handed over. */
async function startOf(
  terminal: Console,
  connection: Connection,
  since: string | undefined,
): Promise<{ after: string; words: string }> {
  const { after } = recall(terminal, connection);
  if (since === undefined && after !== undefined)
    return { after, words: 'Going on behind the last event that was handed over.' };
  const seconds = since === undefined || since === 'now' ? 0 : checkedDuration('--since', since);
  const { real_now } = (await connection.portal.request(getClock)).data;
  const words = seconds === 0 ? 'Beginning now.' : `Beginning ${since} ago.`;
  return { after: feedIdAt(Date.parse(real_now) - seconds * 1_000), words };
}

/** A copy of every event, from the feed (rules/tpay#13). */
export function openTap(
  terminal: Console,
  connection: Connection,
  { secret, since, maxDowntimeMs, isAsked }: Tapping,
): Way {
  const signed = (body: string) => ({ 'service-signature': webhooks.sign(body, secret) });
  return {
    again: (handed, hand) => hand(handed, signed(handed.body)),
    async run(hand, printer, signal) {
      const { after, words } = await startOf(terminal, connection, since);
      const ready = `Ready: events of ${connection.baseUrl}. ${words} ^C ends. The secret: tpay listen --print-secret`;
      const feed = follow(connection, {
        types: ['events'],
        after,
        signal,
        maxDowntimeMs,
        pause: terminal.pause,
        onState: (state, reason) =>
          printer.state(
            state === 'connected' ? ready : `Lost the connection (${reason}); coming again.`,
          ),
      });
      for await (const { id, row } of feed) {
        const event = row as PortalEvent;
        const body = bodyOf(event);
        if (isAsked(event.type)) await hand(passingOf(body), signed(body));
        // Only now: an event that was not handed over comes again after a restart.
        remember(terminal, connection, { after: id });
      }
    },
  };
}
