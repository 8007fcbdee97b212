import { openStatements, splitMessages } from './messages.ts';
import { openTcpProxy, type Pair, type TcpProxy } from './tcp_proxy.ts';

/** One statement on its way to the server: all messages up to the Sync that ends them. */
export interface Statement {
  /** The number of the connection that sends it. */
  readonly connection: number;
  readonly sql: string;
}

/**
 * The proxy's action on a statement: `cut_before` breaks the connection and the server never sees the statement;
 * `cut_after` lets the server run it and breaks the connection before the reply.
 */
export type Action = 'pass' | 'cut_before' | 'cut_after';

export interface StatementProxyOptions {
  /** Called for each statement before it is sent on. */
  readonly actionOf: (statement: Statement) => Action;
  /** Called when a connection is cut, before either side can notice. */
  readonly onCut?: () => void;
}

function carry(pair: Pair, { actionOf, onCut = () => {} }: StatementProxyOptions): void {
  const { client, server } = pair;
  /** Sent on and not answered yet, in order; true where the connection is cut after it. */
  const unanswered: boolean[] = [];
  /** A cut that waits until the statements before it are answered. */
  let isCutDue = false;
  let isClosed = false;

  function end(): void {
    isClosed = true;
    onCut();
    pair.cut();
  }

  function send(bytes: Buffer, sql: string): void {
    const action = actionOf({ connection: pair.number, sql });
    if (action !== 'pass') isClosed = true;
    if (action === 'cut_before') {
      isCutDue = true;
      if (unanswered.length === 0) end();
      return;
    }
    server.write(bytes);
    unanswered.push(action === 'cut_after');
  }

  const statements = openStatements();
  client.on('data', (chunk: Buffer) => {
    for (const { bytes, sql } of statements(chunk)) {
      if (isClosed) return;
      if (sql === null) server.write(bytes);
      else send(bytes, sql);
    }
  });

  const split = splitMessages();
  let isGreeted = false;
  server.on('data', (chunk: Buffer) => {
    for (const { type, bytes } of split(chunk)) {
      const isLast = unanswered[0] === true;
      if (!isLast) client.write(bytes);
      const isReady = type === 'Z';
      if (isReady && isGreeted) {
        unanswered.shift();
        if (isLast || (isCutDue && unanswered.length === 0)) end();
      }
      isGreeted ||= isReady;
    }
  });
}

/** A way to PostgreSQL that breaks connections at a chosen statement. */
export const openStatementProxy = (
  target: string,
  options: StatementProxyOptions,
): Promise<TcpProxy> => openTcpProxy(target, (pair) => carry(pair, options));
