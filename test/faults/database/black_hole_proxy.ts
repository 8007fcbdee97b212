import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import type { Choices } from '../../kit/seed.ts';

/** A TCP way to a PostgreSQL that listens on a socket file, and that swallows what it is told to. */
export interface BlackHoleProxy {
  /** The server's url by way of this proxy. */
  readonly url: string;
  /**
   * From now on so many of a hundred connections, those that are open and those to come, carry
   * nothing more in either direction; neither side is told.
   */
  swallow(share: number, choices: Choices): void;
  /** New connections work again. What was swallowed stays so, as half-open connections do. */
  heal(): void;
  /** Swallowed connections that the client has not given up. */
  held(): number;
  /** How many were swallowed so far. */
  readonly swallowed: () => number;
  /** Ends the server's side of what the client has given up, as its network would in the end. */
  bury(): void;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  isSwallowed: boolean;
  isLeft: boolean;
}

export async function startBlackHoleProxy(target: string): Promise<BlackHoleProxy> {
  const { searchParams, port: targetPort } = new URL(target);
  const path = `${searchParams.get('host')}/.s.PGSQL.${targetPort}`;
  const pairs = new Set<Pair>();
  let share = 0;
  let choices: Choices | null = null;
  let swallowed = 0;

  function maybeSwallow(pair: Pair): void {
    if (pair.isSwallowed || !choices?.percent(share)) return;
    pair.isSwallowed = true;
    swallowed += 1;
  }

  function leave(pair: Pair): void {
    pair.isLeft = true;
    if (pair.isSwallowed) return;
    pair.client.destroy();
    pair.server.destroy();
    pairs.delete(pair);
  }

  const listener = createServer((client) => {
    const server = createConnection(path);
    const pair: Pair = { client, server, isSwallowed: false, isLeft: false };
    pairs.add(pair);
    maybeSwallow(pair);
    client.on('data', (chunk) => pair.isSwallowed || server.write(chunk));
    server.on('data', (chunk) => pair.isSwallowed || client.write(chunk));
    for (const event of ['end', 'error', 'close'] as const) client.on(event, () => leave(pair));
    for (const event of ['end', 'error', 'close'] as const)
      server.on(event, () => pair.isSwallowed || leave(pair));
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');

  const url = new URL(target);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String((listener.address() as AddressInfo).port);
  const lost = () => [...pairs].filter(({ isSwallowed }) => isSwallowed);
  return {
    url: url.href,
    swallow(percent, picks) {
      share = percent;
      choices = picks;
      for (const pair of pairs) maybeSwallow(pair);
    },
    heal() {
      choices = null;
    },
    held: () => lost().filter(({ isLeft }) => !isLeft).length,
    swallowed: () => swallowed,
    bury() {
      for (const pair of lost().filter(({ isLeft }) => isLeft)) {
        pair.client.destroy();
        pair.server.destroy();
        pairs.delete(pair);
      }
    },
    async close() {
      for (const { client, server } of pairs) {
        client.destroy();
        server.destroy();
      }
      listener.close();
    },
  };
}
