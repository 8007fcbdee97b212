import type { ReplyBody } from '../kit/http.ts';
import type { Wire } from '../kit/wire.ts';
import type { WebhookReceiver } from './webhook_receiver.ts';

/** What the Tenant's server believed and took. */
export interface Heard {
  /** Each once, in the order of their ids. */
  readonly events: readonly ReplyBody[];
  /** How many requests told of one that it had already taken. */
  readonly again: number;
}

export function heardBy({ arrivals }: Pick<WebhookReceiver, 'arrivals'>): Heard {
  const taken = arrivals.filter(({ status }) => status === 200);
  const byId = new Map<string, ReplyBody>();
  for (const { rawBody } of taken) {
    const event = JSON.parse(rawBody.toString());
    byId.set(event.id, event);
  }
  const events = [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  return { events, again: taken.length - events.length };
}

/** Every page of the events since an instant, newest first, each with how its delivery stands. */
export async function listEvents(wire: Wire, query: string): Promise<ReplyBody[]> {
  const listed: ReplyBody[] = [];
  let cursor = '';
  for (;;) {
    const page = await wire.get(`/v1/webhook-events?limit=100&${query}${cursor}`);
    listed.push(...page.data);
    if (!page.has_more) return listed;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}

/** All events of a story: the listing forgets after 30 days (contract: Delivery 6). */
export interface Listing {
  /** Looks again. Whoever moves a clock does so before a month has gone by. */
  look(): Promise<void>;
  /** In the order of their ids. */
  readonly ids: readonly string[];
}

export function keepListing(wire: Wire, begunMs: number): Listing {
  const ids = new Set<string>();
  const from = new Date(begunMs).toISOString();
  return {
    async look() {
      for (const { id } of await listEvents(wire, `from=${from}`)) ids.add(id);
    },
    get ids() {
      return [...ids].sort();
    },
  };
}
