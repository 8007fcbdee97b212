import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What came in of one event. */
export interface Received {
  readonly count: number;
  /** SHA-256 of each different body. */
  readonly bodies: ReadonlySet<string>;
}

/** A Tenant's server for tens of thousands of webhooks: it keeps hashes, not bodies. */
export interface CountingReceiver {
  readonly url: string;
  /** By event id. */
  readonly received: ReadonlyMap<string, Received>;
  close(): Promise<void>;
}

export const digestOf = (body: string | Buffer): string =>
  createHash('sha256').update(body).digest('hex');

/** @param delayMs how long each answer takes */
export async function startCountingReceiver(delayMs: () => number): Promise<CountingReceiver> {
  const received = new Map<string, { count: number; bodies: Set<string> }>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      // Its sender died in the middle: nothing has come.
      return;
    }
    const body = Buffer.concat(chunks);
    const { id } = JSON.parse(body.toString('utf8')) as { id: string };
    const before = received.get(id) ?? { count: 0, bodies: new Set<string>() };
    received.set(id, { count: before.count + 1, bodies: before.bodies.add(digestOf(body)) });
    setTimeout(() => response.writeHead(200).end(), delayMs());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
