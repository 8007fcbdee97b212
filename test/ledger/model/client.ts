import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { checkReply } from '../../kit/http/contract_check.ts';
import type { ReplyBody } from '../../kit/http/http.ts';
import { newKey } from '../../kit/ids.ts';
import type { Choices } from '../../kit/seed.ts';
import type { Outcome } from '../sender.ts';

/** An operation as a Tenant's program requests it. */
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

interface Request {
  readonly method: string;
  readonly path: string;
  readonly token: string;
  readonly key?: string;
  readonly body?: object;
  /** The time after which the client hangs up. */
  readonly cutAfterMs?: number;
  /** The number of the service that receives it. */
  readonly via?: number;
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReplyBody;
}

const connections = 64;

/** Kept-alive connections to several services on the same database. */
export function openWire(baseUrls: readonly string[]) {
  const open = () => baseUrls.map((url) => new Pool(url, { connections }));
  let pools = open();
  const traffic = { requests: 0, repeats: 0, cuts: 0, retries: 0 };

  async function exchange(request: Request): Promise<Reply> {
    const { method, path, token, key, body, cutAfterMs, via = 0 } = request;
    const reply = await (pools[via % pools.length] as Pool).request({
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
    const headers = new Headers(reply.headers as Record<string, string>);
    return { status: reply.statusCode, headers, body: await reply.body.json() };
  }
  return {
    traffic,
    /** The reply; null when there was none. @throws when it is not what the contract promises */
    async once(request: Request): Promise<Reply | null> {
      traffic.requests += 1;
      const reply = await exchange(request).catch(() => null);
      if (reply) checkReply(request.method, request.path, reply);
      return reply;
    },
    /** Ends every connection, with what is under way on it. */
    async drop(): Promise<void> {
      const dropped = pools;
      pools = open();
      await Promise.all(dropped.map((pool) => pool.destroy()));
    },
    close: async () => void (await Promise.all(pools.map((pool) => pool.close()))),
  };
}
export type Wire = ReturnType<typeof openWire>;

/** Longer than any fault keeps a service from answering. */
const patienceMs = 60_000;
const longestPauseMs = 20;
const longestCutMs = 12;

/** The manners of a client with one operation, in so many of a hundred cases; else it sends it once. */
const manners = [
  ['again', 4],
  ['twice at once', 4],
  ['another body', 3],
  ['cut off', 5],
] as const;
type Manner = (typeof manners)[number][0] | 'once';

function mannerOf(choices: Choices, expected: string): Manner {
  // A refusal leaves its key free, and a late copy could be accepted after all.
  if (expected !== 'done') return choices.percent(4) ? 'again' : 'once';
  let at = choices.below(100);
  for (const [manner, share] of manners) {
    if (at < share) return manner;
    at -= share;
  }
  return 'once';
}

/** Another request than this, under the same key. */
function otherThan({ method, path, body }: Order): Order {
  const amount = body?.amount;
  if (typeof amount === 'number') return { method, path, body: { ...body, amount: amount + 1 } };
  return post(`/v1/payments/pay_${'0'.repeat(32)}/cancel`);
}

export interface Sent {
  readonly outcome: Outcome;
  /** Sends the very request once more. */
  readonly again: () => Promise<Outcome>;
}

/** @throws when two replies under one key differ, or (for `replays` of them) none is a replay */
function requireSame(manner: Manner, replies: readonly Outcome[], mayReplay: boolean): void {
  const texts = replies.map((one) => (one.code === 'done' ? one.text : one.code));
  const isReplay = replies.some((one) => one.code !== 'done' || one.replayed);
  if (new Set(texts).size > 1 || (mayReplay && !isReplay))
    throw new Error(`${manner}: two replies under one key: ${JSON.stringify(replies)}`);
}

/** A Tenant's program. @param via which service takes the next request */
export function openClient(wire: Wire, token: string, via: () => number) {
  const { traffic } = wire;
  let count = 0;

  /** Sends until there is an answer other than 503. */
  async function answered(request: Omit<Request, 'token'>): Promise<Reply> {
    count += 1;
    for (const until = performance.now() + patienceMs; performance.now() < until; ) {
      const reply = await wire.once({ ...request, token, via: via() });
      if (reply !== null && reply.status !== 503) return reply;
      traffic.retries += 1;
      await sleep(Math.random() * longestPauseMs);
    }
    throw new Error(`${request.method} ${request.path} was not answered`);
  }

  async function sendUnder(order: Order, key: string): Promise<Outcome> {
    const { status, headers, body } = await answered({ ...order, key });
    if (status >= 300) return { code: body.error.code };
    const replayed = headers.get('idempotent-replayed') === 'true';
    return { code: 'done', text: JSON.stringify(body), replayed };
  }

  async function sendIn(manner: Manner, order: Order, choices: Choices): Promise<Sent> {
    const key = newKey();
    const again = () => sendUnder(order, key);
    const cutAfterMs = choices.below(longestCutMs);
    if (manner !== 'once') traffic.repeats += 1;
    if (manner === 'cut off') {
      traffic.cuts += 1;
      count += 1;
      await wire.once({ ...order, token, key, cutAfterMs, via: via() });
    }
    if (manner === 'twice at once') {
      const replies = await Promise.all([again(), again()]);
      requireSame(manner, replies, true);
      return { outcome: replies[0], again };
    }
    const outcome = await again();
    if (manner === 'again') {
      const second = await again();
      requireSame(manner, [outcome, second], false);
      requireSame(manner, [second], true);
    }
    if (manner === 'another body' && outcome.code === 'done') {
      const { code } = await sendUnder(otherThan(order), key);
      if (code !== 'parameter_invalid') throw new Error(`${manner} under its key: ${code}`);
    }
    return { outcome, again };
  }

  return {
    /**
     * Sends an operation under a key of its own until it is answered: once, twice, cut off and again,
     * or then with another body. @throws when replies under its key differ
     */
    send: (order: Order, expected: string, choices: Choices): Promise<Sent> =>
      sendIn(mannerOf(choices, expected), order, choices),
    /** A setting, which has no key: sent again it sets the same. @returns `done`, or the code of the refusal */
    async set(path: string, body: object): Promise<string> {
      const reply = await answered({ method: 'PUT', path, body });
      return reply.status === 200 ? 'done' : reply.body.error.code;
    },
    /** A read that must succeed. */
    async read(path: string): Promise<ReplyBody> {
      const { status, body } = await answered({ method: 'GET', path });
      if (status !== 200) throw new Error(`GET ${path} gave ${status}`);
      return body;
    },
    /** Requests that the seed decides: a retry for want of an answer is not counted. */
    count: () => count,
  };
}
export type Client = ReturnType<typeof openClient>;
