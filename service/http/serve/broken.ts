import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApiError } from '@tenant-payments/engine/fail.ts';
import { commonHeaders, envelope, jsonType, noSuchPath, refusalOfRequest } from './errors.ts';
import { newRequestId } from './request_id.ts';

/** Node's error for a request that it could not read completely. */
interface BrokenRequest extends NodeJS.ErrnoException {
  /** The position at which the parser stopped in `rawPacket`, the bytes that arrived last. */
  readonly bytesParsed?: number;
  readonly rawPacket?: Buffer;
}

/** The headers of a reply without a handler. */
export const ownHeaders = (requestId: string, body: string) => ({
  ...commonHeaders,
  'content-type': jsonType,
  'content-length': Buffer.byteLength(body),
  'service-request-id': requestId,
});

/** By name, those that every reply of a listener has. */
type Headers = Readonly<Record<string, string>>;

/** A complete reply as text; the connection ends after it. */
function wholeReply(refusal: ApiError, always: Headers): string {
  const requestId = newRequestId();
  const body = envelope(refusal, requestId);
  const headers = { ...ownHeaders(requestId, body), ...always, connection: 'close' };
  return [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
}

const requestLine = /^([A-Z][A-Z-]*) \S+ HTTP\/1\.[01]\r?\n/;

/** A method that Node's parser does not know, in a request that is well-formed otherwise. */
function isUnknownMethod({ code, rawPacket, bytesParsed = 0 }: BrokenRequest): boolean {
  if (code !== 'HPE_INVALID_METHOD' || !rawPacket) return false;
  const [, method] = requestLine.exec(rawPacket.toString('latin1')) ?? [];
  return method !== undefined && bytesParsed <= method.length;
}

/** CONNECT: Node gives the socket instead of a request. The service offers no tunnels. */
export const refuseTunnel = (socket: Duplex, always: Headers): void => {
  socket.end(wholeReply(noSuchPath(), always));
};

/** Nothing came by it. A proxy that holds it ready would take a reply for one to its next request. */
const isUnused = (socket: Duplex & { readonly bytesRead?: number }): boolean =>
  socket.bytesRead === 0;

/** Fails the reading of the body, also when the reading begins only later. */
function breakOff(request: IncomingMessage, error: Error): void {
  const emit = () => {
    if (request.listenerCount('error') > 0) request.emit('error', error);
  };
  emit();
  request.once('newListener', () => process.nextTick(emit));
}

/**
 * Replies to requests that Node could not read: no HTTP, too large, too slow. A body that breaks off
 * fails its request's handler, so the reply has that request's headers. Replies to earlier requests
 * of the same connection go first, so that the client never takes one for another.
 * @param underWay the replies that are not finished, oldest first
 */
export function openRefusals(underWay: Iterable<ServerResponse>, always: Headers) {
  const refused = new WeakSet<Duplex>();

  return (error: BrokenRequest, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable || isUnused(socket)) {
      socket.destroy();
      return;
    }
    // The parser reports the bytes that follow as further errors.
    if (refused.has(socket)) return;
    refused.add(socket);
    const before = [...underWay].filter(({ req }) => req.socket === socket);
    const last = before.at(-1);
    if (last && !last.req.complete) {
      if (!last.headersSent) last.setHeader('connection', 'close');
      breakOff(last.req, error);
      return;
    }
    const refuse = () => {
      const refusal = isUnknownMethod(error) ? noSuchPath() : refusalOfRequest(error);
      if (socket.writable) socket.end(wholeReply(refusal, always));
    };
    if (last) last.once('close', refuse);
    else refuse();
  };
}
