import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiError, unavailable } from '@tenant-payments/engine/fail.ts';
import { type ClientTimeouts, timeoutsOf, usualTimeouts } from '../operations/client_timeouts.ts';
import { openReplies } from './replies.ts';
import { openRefusals, ownHeaders, refuseTunnel } from './serve/broken.ts';
import { envelope, maximumBodyBytes, refusalOfRequest } from './serve/errors.ts';
import { newRequestId } from './serve/request_id.ts';

const idlePollMs = 20;

/** How this process's sockets behave. */
export interface ListenOptions {
  readonly timeouts?: ClientTimeouts;
  /** Browsers are told to come by https alone (rules/security#23). */
  readonly isHttps?: boolean;
  /** Replies to requests from the first one on; absent: all are 503 until `use`. */
  readonly handler?: RequestListener;
}

/** The sockets of this process. */
export interface Listener {
  readonly port: number;
  /** Passes every request to this handler from now on. */
  use(handler: RequestListener): void;
  /** Goes on serving; each reply now asks its client to come back on another connection. */
  leave(): void;
  /** Takes no new connection, waits for the requests under way, and cuts them after `withinMs`. */
  close(withinMs: number): Promise<void>;
}

/** Addresses that a machine may lack, such as `::1` where there is no IPv6. */
const absent = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

/** A year, as preload lists demand at least; a proxy in front of the service speaks TLS. */
const onlyHttps = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } as const;

/** Replies with a refusal, without the service. */
export function answerAlone(response: ServerResponse, refusal: ApiError): void {
  const requestId = newRequestId();
  const body = envelope(refusal, requestId);
  const { status, retryAfterSeconds } = refusal;
  if (retryAfterSeconds !== null) response.setHeader('retry-after', retryAfterSeconds);
  response.writeHead(status, ownHeaders(requestId, body)).end(body);
}

/** The reply of sockets that have no service yet. */
const starting: RequestListener = (_request, response) =>
  answerAlone(response, unavailable('starting', 1, 'starting'));

/** HTTP/1.1 requires exactly one Host (RFC 9112, 3.2). Its value is ignored. */
const lacksHost = ({ httpVersion, headers: { host } }: IncomingMessage): boolean =>
  host === undefined ? httpVersion === '1.1' : host.includes(',');

/** @returns false when the machine has no such address. @throws any other error of `listen` */
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
 * Makes a server that leaves no reply to Node, whose own have neither error object nor request id:
 * a missing Host, an unknown `Expect`, CONNECT. A header that may come only once and comes twice is
 * joined, so that its check refuses it instead of taking the first value.
 */
function openSockets(
  answer: RequestListener,
  timeouts: ClientTimeouts,
  always: Readonly<Record<string, string>>,
): Server {
  const server = createServer(
    { ...timeoutsOf(timeouts), requireHostHeader: false, joinDuplicateHeaders: true },
    answer,
  );
  server.timeout = timeouts.silenceMs;
  // Asked once, the address of a client is known after it has hung up too.
  server.on('connection', (socket) => void socket.remoteAddress);
  server.on('checkContinue', (request, response) => {
    // A body announced as too large is refused before it is sent.
    if (Number(request.headers['content-length'] ?? 0) <= maximumBodyBytes)
      response.writeContinue();
    answer(request, response);
  });
  server.on('checkExpectation', answer);
  server.on('connect', (_request, socket) => refuseTunnel(socket, always));
  return server;
}

/**
 * Listens on each address at the same port; 0 takes a free one.
 * @throws one line when the port is used, or no address is there
 */
export async function listen(
  hosts: readonly string[],
  port: number,
  { timeouts = usualTimeouts, isHttps = false, handler: first = starting }: ListenOptions = {},
): Promise<Listener> {
  const always: Readonly<Record<string, string>> = isHttps ? onlyHttps : {};
  let handler = first;
  let isLeaving = false;
  const replies = openReplies();
  const servers: Server[] = [];
  const answer: RequestListener = (request, response) => {
    for (const [name, value] of Object.entries(always)) response.setHeader(name, value);
    if (isLeaving) response.setHeader('connection', 'close');
    replies.add(response);
    if (lacksHost(request)) answerAlone(response, refusalOfRequest({}));
    else handler(request, response);
  };
  const refuse = openRefusals(replies.open, always);
  for (const host of hosts) {
    const server = openSockets(answer, timeouts, always);
    server.on('clientError', refuse);
    const [beside] = servers;
    try {
      if (await bind(server, host, beside ? portOf(beside) : port)) servers.push(server);
    } catch (error) {
      for (const open of servers) open.close();
      throw new Error(bindFault(error as NodeJS.ErrnoException, host, port));
    }
  }
  const [bound] = servers;
  if (!bound)
    throw new Error(
      `HOST: this machine has no address ${hosts.join(' or ')}; set HOST to one that it has.`,
    );
  /** With this header a client sends its next request on another connection. */
  const leave = () => {
    isLeaving = true;
    for (const response of replies.open)
      if (!response.headersSent) response.setHeader('connection', 'close');
  };
  return {
    port: portOf(bound),
    leave,
    use: (next) => {
      handler = next;
    },
    close: (withinMs) => {
      leave();
      return closeAll(servers, withinMs);
    },
  };
}

/** The line of a port that another process has. */
export const usedPort = (host: string, port: number): string =>
  `PORT: ${port} is in use on ${host}; stop the process that listens there, or set PORT to another one.`;

function bindFault(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === 'EADDRINUSE') return usedPort(host, port);
  if (error.code === 'EACCES')
    return `PORT: ${port} may not be used by this user; set PORT to another one.`;
  return `HOST, PORT: cannot listen on ${host} port ${port} (${error.code}); set others.`;
}

async function closeAll(servers: readonly Server[], withinMs: number): Promise<void> {
  let open = servers.length;
  for (const server of servers) server.close(() => (open -= 1));
  const deadline = performance.now() + withinMs;
  while (open > 0) {
    const isLate = performance.now() > deadline;
    // A connection that was busy before may be idle and kept alive by now.
    for (const server of servers)
      isLate ? server.closeAllConnections() : server.closeIdleConnections();
    await sleep(idlePollMs);
  }
}
