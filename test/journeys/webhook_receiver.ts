import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Answer,
  createReceiver,
  type Event,
  type HeaderBag,
  memoryStore,
  type Receiver,
} from '@tenant-payments/sdk-server';

/** One request as it came in. */
export interface Arrival {
  readonly rawBody: Buffer;
  readonly headers: HeaderBag;
  /** What was answered. */
  readonly status: number;
  /** What it made of it, in the SDK's words. */
  readonly outcome: Answer['outcome'] | 'down';
}

/** The Tenant's server as far as webhooks go: the SDK's receiver behind node:http. */
export interface WebhookReceiver {
  readonly url: string;
  /** While it is down every request is answered 503, unread and unremembered. */
  setDown(down: boolean): void;
  /** From here on it believes these secrets alone; what it remembers stays. */
  deploy(secrets: readonly string[]): void;
  /** Every request, in the order of arrival. */
  readonly arrivals: readonly Arrival[];
  /** Every event that was handled, in the order of handling. */
  readonly handled: readonly Event[];
  /** The first handled event that fits; waits up to 10 s for it. */
  waitFor(what: string, fits: (event: Event) => boolean): Promise<Event>;
  close(): Promise<void>;
}

const waitsMs = 10_000;
const pollMs = 5;

const down = { status: 503, outcome: 'down', body: '{"outcome":"down"}' } as const;

async function readBody(request: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * @param secret the webhook signing secret of `sandbox.json`
 * @param now the receiver's clock, where it is not the machine's
 */
export async function startReceiver(
  secret: string,
  now: () => Date = () => new Date(),
): Promise<WebhookReceiver> {
  const arrivals: Arrival[] = [];
  const handled: Event[] = [];
  let isDown = false;
  const store = memoryStore();
  const deployed = (secrets: readonly string[]): Receiver =>
    createReceiver({ secrets, now, store, onEvent: (event) => void handled.push(event) });
  let receiver = deployed([secret]);

  const server = createServer(async (request, response) => {
    const rawBody = await readBody(request);
    const { headers } = request;
    const { status, outcome, body } = isDown ? down : await receiver.receive(rawBody, headers);
    arrivals.push({ rawBody, headers, status, outcome });
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    setDown: (down) => {
      isDown = down;
    },
    deploy: (secrets) => {
      receiver = deployed(secrets);
    },
    arrivals,
    handled,
    async waitFor(what, fits) {
      const deadline = performance.now() + waitsMs;
      for (;;) {
        const found = handled.find(fits);
        if (found) return found;
        if (performance.now() > deadline)
          throw new Error(`no ${what} reached the receiver in ${waitsMs} ms`);
        await sleep(pollMs);
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
