import {
  createServer,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiError, fail, unavailable } from '../core/fail.ts';
import { envelope, jsonType } from './errors.ts';
import { newRequestId } from './request_id.ts';

const requestTimeoutMs = 30_000;
const keepAliveTimeoutMs = 72_000;
const idlePollMs = 20;

/** The sockets of this process. It answers from the first moment; the service comes in when ready. */
export interface Listener {
  readonly port: number;
  /** Hands every request to the service. */
  use(handler: RequestListener): void;
  /** Takes no new connection, lets what is under way end, and cuts what has not after `withinMs`. */
  close(withinMs: number): Promise<void>;
}

/** Addresses that a machine may lack, such as `::1` where there is no IPv6. */
const absent = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

/** What is answered while the service starts (surfaces: Start). */
const starting: RequestListener = (request, response) => {
  const isLive = request.url === '/livez';
  const requestId = newRequestId();
  const body = isLive ? '{"status":"live"}' : envelope(unavailable('starting'), requestId);
  response.writeHead(isLive ? 200 : 503, {
    'content-type': jsonType,
    'service-request-id': requestId,
    ...(isLive ? {} : { 'retry-after': '1' }),
  });
  response.end(body);
};

/** A request that is no HTTP never reaches a handler; it is told so in the contract's envelope. */
function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const isLarge = error.code === 'HPE_HEADER_OVERFLOW';
  socket.end(brokenReply(isLarge ? 'too_large' : 'malformed_request'));
}

function brokenReply(reason: string): string {
  const requestId = newRequestId();
  const refusal: ApiError = fail('parameter_invalid', {
    details: { reason },
    message: 'the request is not well-formed',
  });
  const body = envelope(refusal, requestId);
  return [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    `content-type: ${jsonType}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `service-request-id: ${requestId}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}

/** False when the machine has no such address. @throws what `listen` reports otherwise */
function bind(server: Server, host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      absent.has(error.code ?? '') ? resolve(false) : reject(error),
    );
    server.listen({ host, port }, () => resolve(true));
  });
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/**
 * Listens on each address at the same port; 0 takes a free one.
 * @throws one line when the port is used, or no address is there
 */
export async function listen(hosts: readonly string[], port: number): Promise<Listener> {
  let handler = starting;
  let isClosing = false;
  const underWay = new Set<ServerResponse>();
  const servers: Server[] = [];
  const answer: RequestListener = (request, response) => {
    if (isClosing) response.setHeader('connection', 'close');
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
    handler(request, response);
  };
  for (const host of hosts) {
    const server = createServer({ requestTimeout: requestTimeoutMs }, answer);
    server.keepAliveTimeout = keepAliveTimeoutMs;
    server.on('clientError', refuseBrokenRequest);
    const [first] = servers;
    try {
      if (await bind(server, host, first ? portOf(first) : port)) servers.push(server);
    } catch (error) {
      for (const bound of servers) bound.close();
      throw new Error(bindFault(error as NodeJS.ErrnoException, host, port));
    }
  }
  const [first] = servers;
  if (!first) throw new Error(`HOST: this machine has no address ${hosts.join(' or ')}.`);
  return {
    port: portOf(first),
    use: (next) => {
      handler = next;
    },
    close: (withinMs) => {
      isClosing = true;
      // Told so, a client opens another connection instead of losing its next request on this one.
      for (const response of underWay)
        if (!response.headersSent) response.setHeader('connection', 'close');
      return closeAll(servers, withinMs);
    },
  };
}

function bindFault(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === 'EADDRINUSE')
    return `PORT: ${port} is in use on ${host}; stop what listens there, or set PORT.`;
  if (error.code === 'EACCES') return `PORT: ${port} may not be used by this user; set PORT.`;
  return `HOST, PORT: cannot listen on ${host} port ${port} (${error.code}).`;
}

async function closeAll(servers: readonly Server[], withinMs: number): Promise<void> {
  let open = servers.length;
  for (const server of servers) server.close(() => (open -= 1));
  const deadline = performance.now() + withinMs;
  while (open > 0) {
    const isLate = performance.now() > deadline;
    // A connection that was busy before may be idle, and kept alive, by now.
    for (const server of servers)
      isLate ? server.closeAllConnections() : server.closeIdleConnections();
    await sleep(idlePollMs);
  }
}
