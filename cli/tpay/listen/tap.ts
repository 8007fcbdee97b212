import { getClock } from '@tenant-payments/backoffice/contract/sandbox/clock.ts';
import type { PortalEvent } from '@tenant-payments/backoffice/contract/traffic/events.ts';
import { Event } from '@tenant-payments/contract/resources/webhook_events.ts';
import { webhooks } from '@tenant-payments/sdk-server';
import type { Connection } from '../connection.ts';
import { feedIdAt, follow } from '../feed/follow.ts';
import type { Console } from '../options.ts';
import { checkedDuration } from '../times.ts';
import type { Handover } from './handover.ts';
import { keepPlace, placeOf, recall, remember } from './memory.ts';
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
  /** The address that events go to; none: they are printed alone. */
  readonly targets: readonly string[];
  readonly maxDowntimeMs: number;
  isAsked(type: string): boolean;
}

const fields = Object.keys(Event.properties) as (keyof typeof Event.properties)[];

/** The body of a delivery: the event without what the portal says of it. */
const bodyOf = (event: PortalEvent): string =>
  JSON.stringify(Object.fromEntries(fields.map((field) => [field, event[field]])));

/** Behind what to begin where nothing is kept: now, or so long before. */
async function beginningOf({ portal }: Connection, since = 'now') {
  const seconds = since === 'now' ? 0 : checkedDuration('--since', since);
  const { real_now } = (await portal.request(getClock)).data;
  const words = seconds === 0 ? 'Beginning now.' : `Beginning ${since} ago.`;
  return { after: feedIdAt(Date.parse(real_now) - seconds * 1_000), words };
}

/** An id of the feed begins with its microsecond; of one instant they go by the rest. */
function isBehind(one: string, other: string): boolean {
  const [of, otherOf] = [Number.parseInt(one, 10), Number.parseInt(other, 10)];
  return of === otherOf ? one > other : of > otherOf;
}

/**
 * The place at which each target goes on. Printing alone is a target too, without an address.
 * @returns the places, and behind which of them the feed begins
 */
async function placesOf(
  terminal: Console,
  connection: Connection,
  { since, targets }: Pick<Tapping, 'since' | 'targets'>,
) {
  const beginning = await beginningOf(connection, since);
  const { after: earlier } = recall(terminal, connection);
  const kept = (target: string): string | undefined =>
    since === undefined ? (placeOf(terminal, connection, target) ?? earlier) : undefined;
  const all = targets.length > 0 ? targets : [''];
  const found = new Map(all.map((target) => [target, kept(target)]));
  const places = new Map(
    [...found].map(([target, place]) => [target, place ?? beginning.after] as const),
  );
  const keep = (target: string, after: string) => {
    places.set(target, after);
    keepPlace(terminal, connection, { target, after });
  };
  for (const [target, after] of places) keep(target, after);
  if (earlier !== undefined) remember(terminal, connection, { after: undefined });
  const goesOn = [...found.values()].some((place) => place !== undefined);
  return {
    after: [...places.values()].reduce((first, one) => (isBehind(first, one) ? one : first)),
    words: goesOn ? 'Going on behind the last event that was handed over.' : beginning.words,
    isFor: (id: string) => (url: string) => isBehind(id, places.get(url) ?? '0'),
    /** Every target is at least so far. */
    reached(id: string) {
      for (const [target, place] of places) if (isBehind(id, place)) keep(target, id);
    },
  };
}

/** A copy of every event, from the feed (rules/tpay#13). */
export function openTap(
  terminal: Console,
  connection: Connection,
  { secret, maxDowntimeMs, isAsked, ...where }: Tapping,
): Way {
  const signed = (body: string) => ({ 'service-signature': webhooks.sign(body, secret) });
  return {
    again: (handed, hand) => hand(handed, signed(handed.body)),
    async run(hand, printer, signal) {
      const { after, words, isFor, reached } = await placesOf(terminal, connection, where);
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
        if (isAsked(event.type)) await hand(passingOf(body), signed(body), isFor(id));
        // Only now: an event that was not handed over comes again after a restart.
        reached(id);
      }
    },
  };
}
