import {
  type Answer,
  createReceiver,
  type Event,
  type HeaderBag,
  memoryStore,
} from '@tenant-payments/sdk-server';
import type { ReplyBody } from '../kit/http/http.ts';
import { startTestReceiver } from '../kit/http/receiver.ts';

/** One webhook request as it came in. */
export interface Arrival {
  readonly rawBody: Buffer;
  /** The event in it, whether it was believed or not. */
  readonly event: ReplyBody;
  readonly headers: HeaderBag;
  /** The status that was answered. */
  readonly status: number;
  readonly outcome: Answer['outcome'] | 'down';
}

/** The Tenant's server as far as webhooks go: the SDK's receiver behind node:http. */
export interface WebhookReceiver {
  readonly url: string;
  /** While it is down every request is answered 503 and not handled. */
  setDown(down: boolean): void;
  /** From here on it verifies with these secrets alone; it still knows the events it has handled. */
  deploy(secrets: readonly string[]): void;
  /** Every request, in the order of arrival. */
  readonly arrivals: readonly Arrival[];
  /** Every event that was handled, in the order of handling. */
  readonly handled: readonly Event[];
  close(): Promise<void>;
}

const down = { status: 503, outcome: 'down', body: '{"outcome":"down"}' } as const;

/**
 * @param secret the webhook signing secret
 * @param now the receiver's clock, where it is not the machine's
 */
export async function startReceiver(
  secret: string,
  now: () => Date = () => new Date(),
): Promise<WebhookReceiver> {
  const arrivals: Arrival[] = [];
  const handled: Event[] = [];
  const store = memoryStore();
  const receiverOf = (secrets: readonly string[]) =>
    createReceiver({
      secrets,
      now,
      store,
      // An earlier state is told of, and changes nothing that is kept.
      onEvent: (event) => void (event.outdated || handled.push(event)),
    });
  let receiver = receiverOf([secret]);
  let isDown = false;

  const server = await startTestReceiver();
  server.answer(async ({ body: rawBody, headers, event }, response) => {
    const { status, outcome, body } = isDown ? down : await receiver.receive(rawBody, headers);
    arrivals.push({ rawBody, event, headers, status, outcome });
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  return {
    url: server.url,
    setDown: (to) => {
      isDown = to;
    },
    deploy: (secrets) => {
      receiver = receiverOf(secrets);
    },
    arrivals,
    handled,
    close: server.close,
  };
}
