import { setTimeout as sleep } from 'node:timers/promises';
import {
  openStream,
  type StreamType,
} from '@tenant-payments/backoffice/contract/traffic/stream.ts';
import { isCode, proxiedFetch } from '@tenant-payments/sdk-server';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { FaultLines } from '../../terminal.ts';
import { bearerOf, type Connection } from '../connection.ts';

export interface FeedMessage {
  /** Behind which one goes on. */
  readonly id: string;
  readonly type: string;
  readonly row: unknown;
}

export interface Following {
  readonly types: readonly StreamType[];
  /** Behind what to begin. */
  readonly after: string;
  readonly signal?: AbortSignal | undefined;
  /** Without a connection for longer than this it ends in an error. */
  readonly maxDowntimeMs: number;
  /** The connection stands again, or was lost and why. */
  onState(state: 'connected' | 'lost', reason: string): void;
  readonly times?: Partial<Times>;
  /** How it waits before it comes again; absent: for so many milliseconds of real time. */
  readonly pause?: ((milliseconds: number) => Promise<void>) | undefined;
}

interface Times {
  /** The service sends something every 15 s: without it the connection is dead. */
  readonly silenceMs: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}
const usual: Times = { silenceMs: 40_000, firstPauseMs: 500, longestPauseMs: 10_000 };

/** The service says that coming again is of no use. */
class Refused extends Error {}

/** The reason in an answer other than the feed, in words. */
async function reasonOf(reply: Response): Promise<string> {
  const text = await reply.text();
  const [, code = ''] = /"code":"([a-z_]+)"/.exec(text) ?? [];
  // Plain words alone: what stands between may have sent it.
  const [, words] = /"message":"([\w ,.:;'()-]{1,200})"/.exec(text) ?? [];
  const [, request] = /"request_id":"(req_\w+)"/.exec(text) ?? [];
  return `HTTP ${reply.status} ${code}${words ? `: ${words}` : ''}${request ? ` (request ${request})` : ''}`;
}

const lasting = new Set([400, 403, 404]);

/** One connection: its messages until it ends. @throws Refused, or what broke it */
async function* messages(
  connection: Connection,
  following: Following,
  after: string,
): AsyncGenerator<FeedMessage> {
  const { silenceMs } = { ...usual, ...following.times };
  const ended = new AbortController();
  let timer = setTimeout(() => ended.abort(new Error('nothing was heard')), silenceMs);
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => ended.abort(new Error('nothing was heard')), silenceMs);
  };
  const stop = () => ended.abort();
  following.signal?.addEventListener('abort', stop, { once: true });
  try {
    const reply = await proxiedFetch(
      `${connection.baseUrl}${openStream.path}?types=${following.types.join(',')}`,
      {
        headers: {
          authorization: `Bearer ${await bearerOf(connection, ended.signal)}`,
          'last-event-id': after,
        },
        // Not `error`: Node 20 and 22 then forget the signal at the next garbage collection (undici#4627).
        redirect: 'manual',
        signal: ended.signal,
      },
    );
    if (!reply.ok || !reply.body) {
      const reason = await reasonOf(reply);
      throw lasting.has(reply.status) ? new Refused(reason) : new Error(reason);
    }
    following.onState('connected', '');
    const heard = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        alive();
        controller.enqueue(chunk);
      },
    });
    const parsed = reply.body
      .pipeThrough(heard)
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream());
    for await (const { id = '', event = '', data } of parsed)
      if (id !== '') yield { id, type: event, row: JSON.parse(data) };
  } finally {
    clearTimeout(timer);
    following.signal?.removeEventListener('abort', stop);
    ended.abort();
  }
}

/** Why a connection broke: the code of the system where there is one. */
function faultOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? message;
}

const isFinal = (error: unknown): boolean =>
  error instanceof Refused || isCode(error, 'invalid_client', 'forbidden');

/**
 * Follows the feed over any number of connections, each going on behind the last message (rules/tpay#14),
 * until the signal is aborted.
 * @throws FaultLines after a refusal, or too long without a connection
 */
export async function* follow(
  connection: Connection,
  following: Following,
): AsyncGenerator<FeedMessage> {
  const { firstPauseMs, longestPauseMs } = { ...usual, ...following.times };
  const { signal } = following;
  let after = following.after;
  let lostAt: number | null = null;
  let pauseMs = firstPauseMs;
  const onState: Following['onState'] = (state, reason) => {
    if (state === 'connected') lostAt = null;
    following.onState(state, reason);
  };
  while (!signal?.aborted) {
    let reason = 'the service ended it';
    try {
      for await (const message of messages(connection, { ...following, onState }, after)) {
        after = message.id;
        pauseMs = firstPauseMs;
        yield message;
      }
    } catch (error) {
      if (signal?.aborted) return;
      reason = faultOf(error);
      if (isFinal(error))
        throw new FaultLines([
          `error: the feed is refused: ${reason}`,
          'hint: See your roles with tpay whoami, or sign in again: tpay login',
        ]);
    }
    if (signal?.aborted) return;
    if (lostAt === null) following.onState('lost', reason);
    lostAt ??= performance.now();
    if (performance.now() - lostAt > following.maxDowntimeMs)
      throw new FaultLines([
        `error: no connection to ${connection.baseUrl} for too long (${reason})`,
        'hint: Begin again when the service answers: it goes on behind the last event.',
      ]);
    const wait = pauseMs * (0.5 + Math.random() / 2);
    const pause = following.pause ?? ((ms) => sleep(ms, undefined, signal ? { signal } : {}));
    await pause(wait).catch(() => {});
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }
}

/** An id of the feed for an instant of real time: everything from then on comes. */
export const feedIdAt = (instant: number): string => String(Math.floor(instant) * 1_000);
