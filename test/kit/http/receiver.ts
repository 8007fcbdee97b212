import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request as it came in. */
export interface ReceivedWebhook {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** Its event, parsed. */
  readonly event: { readonly id: string; readonly type: string };
}

export type ReceiverAnswer = (request: ReceivedWebhook, response: ServerResponse) => void;

/** A Tenant's server that does what a test tells it to. */
export interface TestReceiver {
  readonly url: string;
  readonly received: ReceivedWebhook[];
  /** From now on; 200 until then. */
  answer(how: ReceiverAnswer | number): void;
  /** Resolves when so many requests have come in all. @throws after 30 s */
  waitFor(count: number): Promise<void>;
  close(): Promise<void>;
}

const waitsMs = 30_000;

const withStatus =
  (status: number): ReceiverAnswer =>
  (_request, response) =>
    void response.writeHead(status).end();

async function bodyOf(request: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export async function startTestReceiver(): Promise<TestReceiver> {
  const received: ReceivedWebhook[] = [];
  let answer: ReceiverAnswer = withStatus(200);
  const server = createServer(async (request, response) => {
    // Null: its sender died in the middle.
    const body = await bodyOf(request).catch(() => null);
    if (body === null) return;
    const { method = '', url: path = '', headers } = request;
    const webhook = { method, path, headers, body, event: JSON.parse(body.toString('utf8')) };
    received.push(webhook);
    answer(webhook, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks?from=test`,
    received,
    answer: (how) => {
      answer = typeof how === 'number' ? withStatus(how) : how;
    },
    async waitFor(count) {
      const deadline = performance.now() + waitsMs;
      while (received.length < count) {
        if (performance.now() > deadline)
          throw new Error(`${received.length} of ${count} requests came in ${waitsMs} ms`);
        await sleep(5);
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
