import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Event } from './events.ts';
import { openHandOver } from './hand_over.ts';
import { readRawBody } from './raw_body.ts';
import {
  type EventMark,
  type EventResult,
  memoryStore,
  type ReceiverStore,
} from './receiver_store.ts';
import {
  type HeaderBag,
  secretList,
  type UnwrapOptions,
  type WebhookFault,
  WebhookVerificationError,
  webhooks,
} from './webhooks.ts';

export interface ReceiverOptions<Context = undefined> extends UnwrapOptions {
  /** Handles an event. Events may come out of order: use the state in `data.object`. */
  readonly onEvent: (event: Event, context: Context) => unknown;
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
  receive(rawBody: string | Uint8Array, headers: HeaderBag): Promise<Answer>;
  /** Handles an event without signature, such as one from `webhookEvents.list`, by the same rules. */
  accept(event: Event): Promise<EventResult>;
  /** Resolves once every event that was answered is handled: await it before the process ends. */
  idle(): Promise<void>;
  /** For `http.createServer(...)`, or for a route of express before its JSON parser. */
  nodeHandler(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
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
 * @throws TypeError without a secret
 */
export function createReceiver(options: ReceiverOptions): Receiver;
export function createReceiver<Context>(
  options: ReceiverOptions<Context> & { readonly store: ReceiverStore<Context> },
): Receiver;
export function createReceiver<Context>(options: ReceiverOptions<Context>): Receiver {
  const { onEvent, onFailure = reportFailure, answer: when = 'at_once' } = options;
  // By the overloads above, the store may be absent only where `onEvent` takes no context.
  const secrets = secretList(options.secrets);
  const store = options.store ?? (memoryStore() as ReceiverStore<Context>);

  const accept = (event: Event) =>
    store.once(markOf(event), async (context) => onEvent(event, context));

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

  async function receive(rawBody: string | Uint8Array, headers: HeaderBag): Promise<Answer> {
    let event: Event | null = null;
    try {
      event = webhooks.unwrap(rawBody, headers, { ...options, secrets });
      if (when === 'after_handler') return answer(200, await accept(event));
      return handOver.take(event) ? answer(200, 'accepted') : answer(503, 'busy');
    } catch (error) {
      if (error instanceof WebhookVerificationError && event === null) return refuse(error);
      fail(error, event);
      return answer(500, 'failed');
    }
  }

  async function handle(request: IncomingMessage): Promise<Answer> {
    if (request.method !== 'POST')
      return refuse(new WebhookVerificationError('method_not_allowed'));
    const rawBody = await readRawBody(request);
    if (rawBody === null) return refuse(new WebhookVerificationError('body_too_large'));
    return receive(rawBody as Uint8Array, request.headers);
  }

  const nodeHandler: Receiver['nodeHandler'] = () => async (request, response) => {
    try {
      const { status, body } = await handle(request);
      // Closes the connection instead of reading the rest of a body that is too large.
      const connection = status === tooLarge ? { connection: 'close' } : {};
      response.writeHead(status, { 'content-type': 'application/json', ...connection }).end(body);
    } catch {
      // The sender disconnected in the middle of its request.
      response.destroy();
    }
  };
  return { receive, accept, idle: handOver.idle, nodeHandler };
}
