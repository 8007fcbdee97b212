import type { IncomingMessage } from 'node:http';

/** Events are far smaller; more than this is not the service's. */
const maximumBytes = 1_048_576;

/**
 * The body of a request as it was sent; null as soon as it is larger than 1 MB, the rest unread.
 * Where a framework has consumed the request already, whatever it left in `body` is given back, so
 * that the check of the signature can say what went wrong. Rejects when the sender breaks off.
 */
export function readRawBody(request: IncomingMessage): Promise<unknown> {
  if (request.readableEnded) return Promise.resolve((request as { body?: unknown }).body);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= maximumBytes) return;
      request.pause();
      resolve(null);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('close', () => reject(new Error('the sender broke off')));
  });
}
