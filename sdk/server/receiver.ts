import type { Event, EventOf } from './events.ts';
import type { EventType } from './generated/names.ts';
import { openHandOver } from './hand_over.ts';
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

/** A handler for each type of event that it names. */
export type EventHandlers<Context = undefined> = {
  readonly [E in EventType]?: (event: EventOf<E>, context: Context) => unknown;
};

export interface ReceiverOptions<Context = undefined> extends VerifyOptions {
  /**
   * Handles the events that `on` has no handler for. Events may come out of order: use the state in
   * `data.object`.
   */
  readonly onEvent?: (event: Event, context: Context) => unknown;
  /** Handlers by type: `{ 'payment.completed': (event) => … }`. */
  readonly on?: EventHandlers<Context>;
  /**
   * When a verified event is answered.
   * - `at_once`, the default: with 200, and then it is handled, so a slow handler is never a timeout.
   *   An event whose handler fails, or whose process ends first, is not sent again by itself: resend
   *   it, or give it to `accept` from the listing.
   * - `after_handler`: 200 once `onEvent` and the store are done, so that it says what is committed.
   *   If the handler fails the reply is 500 and the service sends the event again. The service waits
   *   10 s for the reply, so put longer work into a queue.
   */
  readonly answer?: 'at_once' | 'after_handler';
  /** By default a `memoryStore()`. */
  readonly store?: ReceiverStore<Context>;
  /**
   * Called for every refused request and every failed handler, also after the reply; the default
   * writes to console.error.
   */
  readonly onFailure?: (error: unknown, event: Event | null) => void;
}

export interface Answer {
  /**
   * 200; 4xx for a request that is not a valid event of the service; 500 when the handler failed
   * before the reply; 503 when too many events wait to be handled. The service repeats after 500 and
   * 503.
   */
  readonly status: number;
  /** `accepted`: it will be handled after the reply, unless it is a duplicate or outdated. */
  readonly outcome: EventResult | 'accepted' | 'busy' | 'refused' | 'failed';
  /** JSON for the reply's body; the service stores it with the delivery attempt. */
  readonly body: string;
}

export interface Receiver {
  /** Verifies a request and handles its event, before or after the reply. Never rejects. */
  receive(rawBody: RawBody, headers: HeaderBag): Promise<Answer>;
  /** Handles an event without signature, such as one from `webhookEvents.list`, by the same rules. */
  accept(event: Event): Promise<EventResult>;
  /** Resolves once every event that was answered is handled: await it before the process ends. */
  idle(): Promise<void>;
  /** For `http.createServer(...)`, or for a route of express before its JSON parser. */
  nodeHandler(): (request: NodeRequest, response: NodeResponse) => Promise<void>;
  /** For `Bun.serve`, `Deno.serve`, Hono, Next.js and others that take a Request and give a Response. */
  fetchHandler(): (request: Request) => Promise<Response>;
}

/** What is used of the response of node:http. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): { end(body: string): unknown };
  destroy(): unknown;
}

function markOf(event: Event): EventMark {
  const record = event.data.object as { object: string; id: string; version?: unknown };
  // A document acceptance's `version` is the document's, such as "2026-01": it orders no events.
  const version = typeof record.version === 'number' ? record.version : null;
  return { eventId: event.id, record: `${record.object}/${record.id}`, version };
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

/**
 * Makes a receiver of webhooks: it verifies an event, answers 2xx and handles it afterwards, or
 * before if told so. It handles every event once, and never an older version of a record after a
 * newer one (rules/webhooks#29), in one process or, with a durable store, in many. Records whose
 * `data.object.version` is no integer have all their events handled.
 * @throws TypeError without a secret or a handler
 */
export function createReceiver(options: ReceiverOptions): Receiver;
export function createReceiver<Context>(
  options: ReceiverOptions<Context> & { readonly store: ReceiverStore<Context> },
): Receiver;
export function createReceiver<Context>(options: ReceiverOptions<Context>): Receiver {
  const { on, onEvent, onFailure = reportFailure, answer: when = 'at_once' } = options;
  if (!on && !onEvent) throw new TypeError('there is no handler: pass onEvent, or on');
  // By the overloads above, the store may be absent only where `onEvent` takes no context.
  const secrets = secretList(options.secrets);
  const store = options.store ?? (memoryStore() as ReceiverStore<Context>);

  /** The handler of the event's own type, or of all others. */
  function handlerOf({ type }: Event) {
    const own = on && Object.hasOwn(on, type) ? on[type] : undefined;
    return (own ?? onEvent) as ReceiverOptions<Context>['onEvent'];
  }

  const accept = (event: Event) =>
    store.once(markOf(event), async (context) => handlerOf(event)?.(event, context));

  const handOver = openHandOver(async (event) => {
    try {
      await accept(event);
    } catch (error) {
      fail(error, event);
    }
  });

  /** What `onFailure` throws must not end the process. */
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
      if (when === 'after_handler') return answer(200, await accept(event));
      return handOver.take(event) ? answer(200, 'accepted') : answer(503, 'busy');
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
  return { receive, accept, idle: handOver.idle, nodeHandler, fetchHandler };
}
