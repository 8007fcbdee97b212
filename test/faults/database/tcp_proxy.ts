import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** One connection of a client and the connection to PostgreSQL that belongs to it. */
export interface Pair {
  /** From 1, in the order of opening. */
  readonly number: number;
  readonly client: Socket;
  readonly server: Socket;
  /** True: when one side closes, the other does not notice. */
  isSilent: boolean;
  hasClientLeft: boolean;
  /** Ends both sides; the client sees a reset. */
  cut(): void;
}

/** A TCP port in front of PostgreSQL. */
export interface TcpProxy {
  /** The url of PostgreSQL by way of this proxy. */
  readonly url: string;
  readonly pairs: ReadonlySet<Pair>;
  cutAll(): void;
  /** Leads new connections elsewhere from now on; those that are open stay. */
  leadTo(target: string): void;
  close(): Promise<void>;
}

/** The address where PostgreSQL listens: a socket file or a port. */
function addressOf(url: URL): { path: string } | { host: string; port: number } {
  const folder = url.searchParams.get('host');
  const port = Number(url.port || '5432');
  return folder ? { path: `${folder}/.s.PGSQL.${port}` } : { host: url.hostname, port };
}

/** @param carry moves the bytes of a pair between its two sides */
export async function openTcpProxy(target: string, carry: (pair: Pair) => void): Promise<TcpProxy> {
  const url = new URL(target);
  let address = addressOf(url);
  const pairs = new Set<Pair>();
  let count = 0;

  const listener = createServer((client) => {
    const server = connect(address);
    count += 1;
    const pair: Pair = {
      number: count,
      client,
      server,
      isSilent: false,
      hasClientLeft: false,
      cut() {
        client.resetAndDestroy();
        close();
      },
    };
    function close(): void {
      client.destroy();
      server.destroy();
      pairs.delete(pair);
    }
    pairs.add(pair);
    for (const side of [client, server]) {
      side.setNoDelay(true);
      for (const event of ['end', 'error', 'close'] as const)
        side.on(event, () => {
          if (side === client) pair.hasClientLeft = true;
          if (!pair.isSilent) close();
        });
    }
    carry(pair);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String((listener.address() as AddressInfo).port);
  const cutAll = () => {
    for (const pair of pairs) pair.cut();
  };
  return {
    url: url.href,
    pairs,
    cutAll,
    leadTo(other) {
      address = addressOf(new URL(other));
    },
    async close() {
      cutAll();
      listener.close();
      await once(listener, 'close');
    },
  };
}
