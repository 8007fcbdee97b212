import { randomUUID as newKey } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { checkReply } from '../../kit/contract_check.ts';
import type { ReplyBody } from '../../kit/http.ts';
import type { Choices } from '../../kit/seed.ts';
import type { Outcome } from '../sender.ts';

/** An operation as a Tenant's program asks for it. */
export interface Order {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

export const post = (path: string, body?: Order['body']): Order => ({
  method: 'POST',
  path,
  ...(body === undefined ? {} : { body }),
});

/** What happened on the way, of all hands together. */
export interface Traffic {
  requests: number;
  repeats: number;
  cuts: number;
  /** Sent again after a 503, or because the connection was gone. */
  retries: number;
}

interface Exchanged {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReplyBody;
}

interface Sending {
  readonly method: string;
  readonly path: string;
  readonly token: string;
  readonly key?: string;
  readonly body?: object;
  /** The client hangs up after so long. */
  readonly cutAfterMs?: number;
  /** Which of the services is asked. */
  readonly via?: number;
}

/** Kept-alive connections to one or several services on the same database. */
export interface Wire {
  readonly traffic: Traffic;
  /** Resolves with the reply; null when there was none. */
  once(sending: Sending): Promise<Exchanged | null>;
  /** Ends every connection; what was under way on it gets no reply. */
  drop(): Promise<void>;
  close(): Promise<void>;
}

const connections = 64;

export function openWire(baseUrls: readonly string[]): Wire {
  const open = () => baseUrls.map((url) => new Pool(url, { connections }));
  let pools = open();
  const traffic: Traffic = { requests: 0, repeats: 0, cuts: 0, retries: 0 };

  async function once({ method, path, token, key, body, cutAfterMs, via = 0 }: Sending) {
    const pool = pools[via % pools.length] as Pool;
    traffic.requests += 1;
    try {
      const reply = await pool.request({
        method: method as 'POST',
        path,
        headers: {
          authorization: `Bearer ${token}`,
          ...(key === undefined ? {} : { 'idempotency-key': key }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(cutAfterMs === undefined ? {} : { signal: AbortSignal.timeout(cutAfterMs) }),
      });
      const headers = new Headers();
      for (const [name, value] of Object.entries(reply.headers))
        if (value !== undefined) headers.set(name, String(value));
      const exchanged = { status: reply.statusCode, headers, body: await reply.body.json() };
      checkReply(method, path, exchanged);
      return exchanged;
    } catch (error) {
      // What the contract does not promise is a violation; a connection that is gone is none.
      if (error instanceof Error && error.message.startsWith(`${method} ${path} answered`))
        throw error;
      return null;
    }
  }
  return {
    traffic,
    once,
    async drop() {
      const dropped = pools;
      pools = open();
      await Promise.all(dropped.map((pool) => pool.destroy()));
    },
    close: async () => void (await Promise.all(pools.map((pool) => pool.close()))),
  };
}

const outcomeOf = ({ status, headers, body }: Exchanged): Outcome =>
  status < 300
    ? {
        code: 'done',
        text: JSON.stringify(body),
        replayed: headers.get('idempotent-replayed') === 'true',
      }
    : { code: body.error.code };

/** Longer than any fault keeps a service from answering. */
const patienceMs = 60_000;
const longestPauseMs = 20;
const longestCutMs = 12;

/** What a client does with one operation. */
type Manner = 'once' | 'again' | 'twice at once' | 'another body' | 'cut off';

function mannerOf(choices: Choices, expected: string): Manner {
  // What was refused leaves its key free, and a late copy of it could be taken after all.
  if (expected !== 'done') return choices.percent(4) ? 'again' : 'once';
  const at = choices.below(100);
  if (at < 4) return 'again';
  if (at < 8) return 'twice at once';
  if (at < 11) return 'another body';
  return at < 16 ? 'cut off' : 'once';
}

/** Another request than this, under the same key. */
function other({ method, path, body }: Order): Order {
  const amount = body?.amount;
  if (typeof amount === 'number') return { method, path, body: { ...body, amount: amount + 1 } };
  return post(`/v1/payments/pay_${'0'.repeat(32)}/cancel`);
}

/** A Tenant's program. */
export interface Hand {
  /**
   * Sends an operation under a key of its own until it is answered, in a manner that `choices`
   * decide: twice, cut off and again, or afterwards with another body.
   * @throws when copies of one operation were answered unlike each other
   */
  ask(order: Order, expected: string, choices: Choices): Promise<Sent>;
  /** Without any such thing. */
  plain(order: Order, key?: string): Promise<Outcome>;
  /** A read that must succeed. */
  read(path: string): Promise<ReplyBody>;
  /** Requests so far as the seed has it: what was sent again for want of an answer is not counted. */
  count(): number;
}

export interface Sent {
  readonly outcome: Outcome;
  /** The very request once more. */
  readonly again: () => Promise<Outcome>;
}

function sameReply(first: Outcome, second: Outcome, manner: string): void {
  const isSame =
    first.code === second.code &&
    (first.code !== 'done' || second.code !== 'done' || first.text === second.text);
  if (isSame) return;
  throw new Error(
    `${manner}: two replies under one key: ${JSON.stringify(first)} and ${JSON.stringify(second)}`,
  );
}

/** Of two copies at most one did anything; a retry may have met its own effect. */
function replayedOnce(first: Outcome, second: Outcome, manner: string): void {
  sameReply(first, second, manner);
  if (first.code !== 'done' || second.code !== 'done') return;
  if (!first.replayed && !second.replayed) throw new Error(`${manner}: neither is a replay`);
}

/** @param via which service takes the next request */
export function openHand(wire: Wire, token: string, via: () => number): Hand {
  const { traffic } = wire;
  let count = 0;

  async function answered(order: Order, key: string): Promise<Outcome> {
    count += 1;
    for (const until = performance.now() + patienceMs; performance.now() < until; ) {
      const reply = await wire.once({ ...order, token, key, via: via() });
      if (reply !== null && reply.status !== 503) return outcomeOf(reply);
      traffic.retries += 1;
      await sleep(Math.random() * longestPauseMs);
    }
    throw new Error(`${order.method} ${order.path} was not answered`);
  }

  async function play(order: Order, key: string, manner: Manner, cutAfterMs: number) {
    if (manner === 'once') return answered(order, key);
    traffic.repeats += 1;
    if (manner === 'cut off') {
      traffic.cuts += 1;
      count += 1;
      await wire.once({ ...order, token, key, cutAfterMs, via: via() });
      return answered(order, key);
    }
    if (manner === 'twice at once') {
      const [first, second] = await Promise.all([answered(order, key), answered(order, key)]);
      replayedOnce(first, second, manner);
      return first;
    }
    const first = await answered(order, key);
    if (manner === 'again') {
      const second = await answered(order, key);
      sameReply(first, second, manner);
      if (second.code === 'done' && !second.replayed) throw new Error(`${manner}: no replay`);
    } else if (first.code === 'done') {
      const { code } = await answered(other(order), key);
      if (code !== 'parameter_invalid') throw new Error(`another body under its key: ${code}`);
    }
    return first;
  }

  return {
    async ask(order, expected, choices) {
      const key = newKey();
      const manner = mannerOf(choices, expected);
      const cutAfterMs = choices.below(longestCutMs);
      const outcome = await play(order, key, manner, cutAfterMs);
      return { outcome, again: () => answered(order, key) };
    },
    plain: (order, key = newKey()) => answered(order, key),
    count: () => count,
    async read(path) {
      count += 1;
      for (const until = performance.now() + patienceMs; performance.now() < until; ) {
        const reply = await wire.once({ method: 'GET', path, token, via: via() });
        if (reply?.status === 200) return reply.body;
        if (reply !== null && reply.status !== 503)
          throw new Error(`GET ${path} gave ${reply.status}`);
        traffic.retries += 1;
        await sleep(Math.random() * longestPauseMs);
      }
      throw new Error(`GET ${path} was not answered`);
    },
  };
}
