import type { Event } from './events.ts';
import { callHandlers, type Handlers, hasHandler } from './handlers.ts';
import { hasDigestNow, type RawBody } from './hmac.ts';
import { type NodeRequest, readFetchBody, readRawBody } from './raw_body.ts';
import {
  type EventMark,
  type EventResult,
  memoryStore,
  type ReceiverStore,
} from './receiver_store.ts';
import {
  type HeaderBag,
  secretList,
  type VerifyOptions,
  type WebhookFault,
  WebhookVerificationError,
  webhooks,
} from './webhooks.ts';

export interface ReceiverOptions<Context = undefined> extends VerifyOptions, Handlers<Context> {
  /** The store of what was handled. By default a `memoryStore()`, which a restart empties. */
  readonly store?: ReceiverStore<Context>;
  /**
   * Puts a verified event into a durable queue of yours, and resolves once it is there: only then is the event
   * answered. Your worker takes it out and gives it to `accept`. Absent: the event is answered when its handler
   * and the store are done, so that 200 says what is committed. If that fails the reply is 500, and the service
   * sends the event again. It waits 10 s for a reply: what takes longer belongs into a queue.
   */
  readonly enqueue?: (event: Event) => Promise<unknown>;
  /**
   * Called for every refused request and every failed handler; the default writes to console.error.
   */
  readonly onFailure?: (error: unknown, event: Event | null) => void;
}

export interface Answer {
  /**
   * 200; 4xx for a request that is not a valid event of the service; 500 when a handler, the store or the queue
   * failed: the service sends the event again.
   */
  readonly status: number;
  /** `enqueued`: it is in your queue, and not yet handled. */
  readonly outcome: EventResult | 'enqueued' | 'refused' | 'failed';
  /** JSON for the reply's body; the service stores it with the delivery attempt. */
  readonly body: string;
}

export interface Receiver {
  /** Verifies a request, and handles its event or puts it into your queue. Never rejects. */
  receive(rawBody: RawBody, headers: HeaderBag): Promise<Answer>;
  /**
   * Handles an event without signature, by the same rules: one of your queue, or of `webhookEvents.list`.
   * Rejects with the error of its handler.
   */
  accept(event: Event): Promise<EventResult>;
  /** For `http.createServer(...)`, or for a route of express before its JSON parser. */
  nodeHandler(): (request: NodeRequest, response: NodeResponse) => Promise<void>;
  /** For `Bun.serve`, `Deno.serve`, Hono, Next.js and others that take a Request and give a Response. */
  fetchHandler(): (request: Request) => Promise<Response>;
}

/** The used part of a response of node:http. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): { end(body: string): unknown };
  destroy(): unknown;
}

function markOf(event: Event): EventMark {
  const record = event.data.object as { object: string; id: string; version?: unknown };
  // A document acceptance's `version` is the document's, such as "2026-01": it orders no events.
  const version = typeof record.version === 'number' ? record.version : null;
  return { eventId: event.id, record: `${record.object}/${record.id}`, version, object: record };
}

const answer = (status: number, outcome: Answer['outcome'], facts: object = {}): Answer => ({
  status,
  outcome,
  body: JSON.stringify({ outcome, ...facts }),
});

/** Logs a failure. A refusal is one line without any data of the request. */
function reportFailure(error: unknown, event: Event | null): void {
  if (event) console.error(`webhook ${event.type} ${event.id} failed:`, error);
  else if (error instanceof WebhookVerificationError)
    console.error(`webhook refused: ${error.message}`);
  else console.error('webhook failed:', error);
}

/** By WebCrypto only where there is nothing faster. */
const unwrap = (...args: Parameters<typeof webhooks.unwrapAsync>) =>
  hasDigestNow() ? webhooks.unwrap(...args) : webhooks.unwrapAsync(...args);

const json = { 'content-type': 'application/json' };
const tooLarge = 413;

/** Size and method of a request are checked before its signature. */
const statuses: Readonly<Partial<Record<WebhookFault, number>>> = {
  method_not_allowed: 405,
  body_too_large: tooLarge,
};

/** Warns once of a store that forgets, where events are of real money. */
function warnOfMemory(): (event: Event) => void {
  let isSaid = false;
  return ({ environment }) => {
    if (isSaid || environment !== 'production') return;
    isSaid = true;
    console.warn(
      'webhooks: what was handled is kept in the memory of this process alone; pass a store to createReceiver',
    );
  };
}

/**
 * Makes a receiver of webhooks: it verifies an event, handles it and answers what came of it. It handles every
 * event once, and never takes an older state of a record for the newest (rules/webhooks#29), in one process or,
 * with a durable store, in many. Records whose `data.object.version` is no integer are not compared.
 * @throws TypeError without a secret, or with neither a handler nor a queue
 */
export function createReceiver(options: ReceiverOptions): Receiver;
export function createReceiver<Context>(
  options: ReceiverOptions<Context> & { readonly store: ReceiverStore<Context> },
): Receiver;
export function createReceiver<Context>(options: ReceiverOptions<Context>): Receiver {
  const { enqueue, onFailure = reportFailure } = options;
  if (!hasHandler(options) && !enqueue)
    throw new TypeError('there is no handler: pass onRecord, on or onEvent');
  // By the overloads above, the store may be absent only where no handler takes a context.
  const secrets = secretList(options.secrets);
  const store = options.store ?? (memoryStore() as ReceiverStore<Context>);
  const warn = options.store ? () => {} : warnOfMemory();

  async function accept(event: Event): Promise<EventResult> {
    if (!hasHandler(options)) throw new TypeError('this receiver has no handler, only a queue');
    warn(event);
    return store.once(markOf(event), (context, newer) =>
      callHandlers(options, event, { context, newer }),
    );
  }

  /** Calls `onFailure`, whose errors must not end the process. */
  function fail(error: unknown, event: Event | null): void {
    try {
      onFailure(error, event);
    } catch (fault) {
      reportFailure(fault, event);
    }
  }

  function refuse(error: WebhookVerificationError): Answer {
    fail(error, null);
    const { reason, message } = error;
    return answer(statuses[reason] ?? 400, 'refused', { reason, message });
  }

  async function receive(rawBody: RawBody, headers: HeaderBag): Promise<Answer> {
    let event: Event | null = null;
    try {
      event = await unwrap(rawBody, headers, { ...options, secrets });
      if (!enqueue) return answer(200, await accept(event));
      await enqueue(event);
      return answer(200, 'enqueued');
    } catch (error) {
      if (error instanceof WebhookVerificationError && event === null) return refuse(error);
      fail(error, event);
      return answer(500, 'failed');
    }
  }

  /** @param read gives null for a body that is too large */
  async function handle(
    { method, headers }: { readonly method?: string | undefined; readonly headers: HeaderBag },
    read: () => Promise<unknown>,
  ): Promise<Answer> {
    if (method !== 'POST') return refuse(new WebhookVerificationError('method_not_allowed'));
    const rawBody = await read();
    if (rawBody === null) return refuse(new WebhookVerificationError('body_too_large'));
    return receive(rawBody as Uint8Array, headers);
  }

  const nodeHandler: Receiver['nodeHandler'] = () => async (request, response) => {
    try {
      const { status, body } = await handle(request, () => readRawBody(request));
      // Closes the connection instead of reading the rest of a body that is too large.
      const headers = status === tooLarge ? { ...json, connection: 'close' } : json;
      response.writeHead(status, headers).end(body);
    } catch {
      // The sender disconnected in the middle of its request.
      response.destroy();
    }
  };
  const fetchHandler: Receiver['fetchHandler'] = () => async (request) => {
    const { status, body } = await handle(request, () => readFetchBody(request));
    return new Response(body, { status, headers: json });
  };
  return { receive, accept, nodeHandler, fetchHandler };
}
