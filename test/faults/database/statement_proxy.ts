import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { openStatements, splitMessages } from './messages.ts';

/** One statement on its way to the server: all messages up to the Sync that ends them. */
export interface Statement {
  /** The connection that sends it, numbered from 1. */
  readonly connection: number;
  readonly sql: string;
}

/**
 * What becomes of a statement: `cut_before`, the connection breaks and the server never sees it;
 * `cut_after`, the server runs it to its end and the connection breaks before its reply is heard.
 */
export type Fate = 'pass' | 'cut_before' | 'cut_after';

export interface StatementProxyOptions {
  /** Asked of each statement before it is sent on. */
  readonly judge: (statement: Statement) => Fate;
  /** Called as a connection is cut, before either side can notice. */
  readonly onCut?: (statement: Statement, fate: Fate) => void;
}

/** A TCP way to PostgreSQL that breaks connections at the statement it is told to. */
export interface StatementProxy {
  /** The server's url by way of this proxy. */
  readonly url: string;
  /** Breaks every connection at once: nothing more passes in either direction. */
  cutAll(): void;
  close(): Promise<void>;
}

/** Where a url of ours leads: a socket file or a port. */
function targetOf(url: URL): { path: string } | { host: string; port: number } {
  const folder = url.searchParams.get('host');
  const port = Number(url.port || '5432');
  return folder ? { path: `${folder}/.s.PGSQL.${port}` } : { host: url.hostname, port };
}

interface Pair {
  readonly number: number;
  readonly client: Socket;
  readonly server: Socket;
}

/** Carries one connection, statement by statement. */
function carry({ number, client, server }: Pair, options: StatementProxyOptions, cut: () => void) {
  const { judge, onCut = () => {} } = options;
  const statements = openStatements();
  /** Sent on and not answered yet, in order; true where the connection is cut after it. */
  const unanswered: { readonly statement: Statement; readonly isLast: boolean }[] = [];
  /** Held until what was sent before it is answered. */
  let held: Statement | null = null;
  let isClosed = false;

  function end(statement: Statement, fate: Fate): void {
    isClosed = true;
    onCut(statement, fate);
    cut();
  }

  function send(bytes: Buffer, statement: Statement): void {
    const fate = judge(statement);
    if (fate === 'cut_before') {
      held = statement;
      isClosed = true;
      if (unanswered.length === 0) end(statement, fate);
      return;
    }
    server.write(bytes);
    unanswered.push({ statement, isLast: fate === 'cut_after' });
    // What comes behind it is dropped.
    if (fate === 'cut_after') isClosed = true;
  }

  client.on('data', (chunk: Buffer) => {
    for (const { bytes, sql } of statements.take(chunk)) {
      if (isClosed) return;
      if (sql === null) server.write(bytes);
      else send(bytes, { connection: number, sql });
    }
  });

  const split = splitMessages();
  let isGreeted = false;
  server.on('data', (chunk: Buffer) => {
    for (const { type, bytes } of split(chunk)) {
      const [first] = unanswered;
      const isEnd = type === 'Z' && isGreeted;
      if (!first?.isLast) client.write(bytes);
      if (type === 'Z') isGreeted = true;
      if (!isEnd) continue;
      unanswered.shift();
      if (first?.isLast) end(first.statement, 'cut_after');
      else if (held && unanswered.length === 0) end(held, 'cut_before');
    }
  });
}

export async function openStatementProxy(
  target: string,
  options: StatementProxyOptions,
): Promise<StatementProxy> {
  const to = targetOf(new URL(target));
  const pairs = new Set<Pair>();
  let count = 0;

  /** Both sides hear of it as a reset, as when a machine is gone. */
  function cut(pair: Pair): void {
    pair.client.resetAndDestroy();
    pair.server.destroy();
    pairs.delete(pair);
  }

  const listener = createServer((client) => {
    count += 1;
    const pair = { number: count, client, server: connect(to) };
    pairs.add(pair);
    carry(pair, options, () => cut(pair));
    const leave = () => {
      client.destroy();
      pair.server.destroy();
      pairs.delete(pair);
    };
    for (const side of [client, pair.server]) {
      side.setNoDelay(true);
      for (const event of ['end', 'error', 'close'] as const) side.on(event, leave);
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = new URL(target);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String((listener.address() as AddressInfo).port);
  const cutAll = () => {
    for (const pair of pairs) cut(pair);
  };
  return {
    url: url.href,
    cutAll,
    async close() {
      cutAll();
      listener.close();
      await once(listener, 'close');
    },
  };
}
