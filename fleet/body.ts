import { IncomingMessage } from 'node:http';

/**
 * A request whose body is read before its cell is known, as one whose body is still to be read.
 * @param largest in bytes: once a body is larger, the rest of it is read and dropped, and the cell refuses it
 */
export async function readAhead(
  request: IncomingMessage,
  largest: number,
): Promise<{ readonly body: string; readonly unread: IncomingMessage }> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (length <= largest) chunks.push(chunk);
    length += chunk.length;
  }
  const bytes = Buffer.concat(chunks);
  const unread = new IncomingMessage(request.socket);
  const { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } =
    request;
  Object.assign(unread, {
    method,
    url,
    headers,
    rawHeaders,
    httpVersion,
    httpVersionMajor,
    httpVersionMinor,
    complete: true,
  });
  unread.push(bytes);
  unread.push(null);
  return { body: bytes.toString('utf8'), unread };
}
