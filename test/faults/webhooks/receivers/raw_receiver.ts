import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** A receiver's behavior on a connection. Nothing of HTTP is done for it. */
export type Behaviour = (socket: Socket) => void;

export interface RawReceiverOptions {
  /** TLS instead of plain TCP. */
  readonly tls?: TlsOptions;
  readonly host?: string;
  readonly port?: number;
  /** At once, before any request. */
  readonly onConnection?: Behaviour;
}

/** A server below HTTP, for what a well-behaved one cannot be made to do. */
export interface RawReceiver {
  readonly port: number;
  readonly url: string;
  /** Each request as it came, head and body. */
  readonly requests: readonly string[];
  /** How many connections were ever made. */
  connections(): number;
  close(): Promise<void>;
}

const headEnd = '\r\n\r\n';

/** The length of the first request in `text`; null while it is not whole. */
function wholeRequest(text: string): number | null {
  const at = text.indexOf(headEnd);
  if (at < 0) return null;
  const length = Number(/^content-length: *(\d+)/im.exec(text.slice(0, at))?.[1] ?? 0);
  const end = at + headEnd.length + length;
  return text.length >= end ? end : null;
}

/** Calls `behave` once for each whole request of each connection. */
export async function startRawReceiver(
  behave: Behaviour,
  { tls, host = '127.0.0.1', port = 0, onConnection }: RawReceiverOptions = {},
): Promise<RawReceiver> {
  const requests: string[] = [];
  const open = new Set<Socket>();
  let connections = 0;

  function converse(socket: Socket): void {
    let text = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      for (let end = wholeRequest(text); end !== null; end = wholeRequest(text)) {
        requests.push(text.slice(0, end));
        text = text.slice(end);
        behave(socket);
      }
    });
    onConnection?.(socket);
  }

  const server: Server = tls ? createTlsServer(tls, converse) : createTcpServer(converse);
  // With TLS the bare connection is counted: a handshake that fails was one, too.
  server.on('connection', (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ host, port, backlog: 1_024 }, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${bound}/hooks`,
    requests,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
