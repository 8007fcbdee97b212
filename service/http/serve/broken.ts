import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApiError } from '../../core/fail.ts';
import { commonHeaders, envelope, jsonType, noSuchPath, refusalOfRequest } from './errors.ts';
import { newRequestId } from './request_id.ts';

/** What Node tells of a request that it could not read to its end. */
interface BrokenRequest extends NodeJS.ErrnoException {
  /** How far the parser came in `rawPacket`, the bytes that arrived last. */
  readonly bytesParsed?: number;
  readonly rawPacket?: Buffer;
}

/** The headers of a reply that no handler gives. */
export const ownHeaders = (requestId: string, body: string) => ({
  ...commonHeaders,
  'content-type': jsonType,
  'content-length': Buffer.byteLength(body),
  'service-request-id': requestId,
});

/** A whole reply as it goes over the wire; the connection ends with it. */
function wholeReply(refusal: ApiError): string {
  const requestId = newRequestId();
  const body = envelope(refusal, requestId);
  const headers = { ...ownHeaders(requestId, body), connection: 'close' };
  return [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
}

const requestLine = /^([A-Z][A-Z-]*) \S+ HTTP\/1\.[01]\r?\n/;

/** A method that Node's parser does not know, on a request that is well-formed otherwise. */
function isUnknownMethod({ code, rawPacket, bytesParsed = 0 }: BrokenRequest): boolean {
  if (code !== 'HPE_INVALID_METHOD' || !rawPacket) return false;
  const [, method] = requestLine.exec(rawPacket.toString('latin1')) ?? [];
  return method !== undefined && bytesParsed <= method.length;
}

/** Node hands a tunnel over instead of asking for a reply. Here is none. */
export const refuseTunnel = (socket: Duplex): void => {
  socket.end(wholeReply(noSuchPath()));
};

/** Tells whoever reads the body that no more of it will come, as soon as somebody reads it. */
function breakOff(request: IncomingMessage, error: Error): void {
  const tell = () => {
    if (request.listenerCount('error') > 0) request.emit('error', error);
  };
  tell();
  request.once('newListener', () => process.nextTick(tell));
}

/**
 * Answers what Node could not read: no HTTP, too large, too slow. A body that breaks off is refused
 * by whoever reads it, under the headers that its request has by now. Replies to requests before it
 * on the same connection go first: one must never be taken for another's.
 * @param underWay the replies that are not finished, oldest first
 */
export function openRefusals(underWay: ReadonlySet<ServerResponse>) {
  const refused = new WeakSet<Duplex>();

  return (error: BrokenRequest, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    // The parser complains again of whatever follows.
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
      if (socket.writable) socket.end(wholeReply(refusal));
    };
    if (last) last.once('close', refuse);
    else refuse();
  };
}
