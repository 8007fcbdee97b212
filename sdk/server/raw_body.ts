import type { IncomingMessage } from 'node:http';

/** Events are far smaller; more than this is not the service's. */
const maximumBytes = 1_000_000;

/**
 * The body of a request as it was sent; null when it is larger than 1 MB. Where a framework has
 * consumed the request already, whatever it left in `body` is given back, so that the check of the
 * signature can say what went wrong. Rejects when the sender breaks off.
 */
export async function readRawBody(request: IncomingMessage): Promise<unknown> {
  if (request.readableEnded) return (request as { body?: unknown }).body;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    // The rest is read and dropped, for a reply that overtakes its request may never be seen.
    if (bytes <= maximumBytes) chunks.push(chunk as Buffer);
  }
  return bytes <= maximumBytes ? Buffer.concat(chunks) : null;
}
