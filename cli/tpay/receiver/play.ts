import { eventTypes } from '@tenant-payments/contract/catalog.ts';
import { type Answer, post } from '../post.ts';
import { type Delivery, type Sign, signer } from './deliveries.ts';
import { openEvents, type Tell } from './events.ts';

export interface Sent {
  readonly delivery: Delivery;
  readonly answer: Answer;
}

/** The receiver whose duties are checked, and how. */
export interface Target {
  readonly url: string;
  readonly secrets: readonly string[];
  /** Sent with each delivery besides those of the service. */
  readonly headers: Readonly<Record<string, string>>;
  readonly seed: string;
  /** `path=value`, of each payment. */
  readonly settings: readonly string[];
  /** `path=value` of a payment whose handling fails; null: none is known. */
  readonly failing: string | null;
  /** Within which it is to answer. */
  readonly limitMs: number;
  /** Reads what the Tenant's application shows of its records; null: nothing does. */
  readonly state: (() => Promise<string>) | null;
  /** How long an effect may take to be shown, and how long nothing must change until none is expected. */
  readonly effectMs: number;
  readonly quietMs: number;
}

/** A check under way: what the duties send, and what came of it. */
export interface Play extends Target {
  readonly sign: Sign;
  /** People and records of their own. */
  readonly people: () => Tell;
  readonly send: (delivery: Delivery) => Promise<Answer>;
  /** The answer to a valid delivery, sent once. */
  readonly first: () => Promise<Answer>;
  /** An event of each type, many at once, sent once. */
  readonly burst: () => Promise<readonly Sent[]>;
  readonly count: () => number;
}

/** The deliveries at once, as the service sends them to a receiver that answers promptly (rules/webhooks#23). */
export const atOnce = 16;

/** Sends all, so many at a time, each with people of its own. */
async function sendTogether({ people, sign, send }: Pick<Play, 'people' | 'sign' | 'send'>) {
  const waiting = eventTypes.map((type) => sign(type, people()(type)));
  const sent: Sent[] = [];
  const lane = async () => {
    for (let delivery = waiting.shift(); delivery; delivery = waiting.shift()) {
      const answer = await send(delivery);
      sent.push({ delivery, answer });
      // One that is not answered says enough.
      if (answer.status === null) waiting.length = 0;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return sent;
}

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
};

export function openPlay(target: Target): Play {
  const sign = signer(target.secrets);
  const people = openEvents(target.seed, target.settings);
  let count = 0;
  const send = ({ body, headers }: Delivery): Promise<Answer> => {
    count += 1;
    const { url, limitMs: timeoutMs } = target;
    return post(url, body, { headers: { ...target.headers, ...headers }, timeoutMs });
  };
  return {
    ...target,
    sign,
    people,
    send,
    first: once(() => send(sign('a valid event', people()('payment.completed')))),
    burst: once(() => sendTogether({ people, sign, send })),
    count: () => count,
  };
}
