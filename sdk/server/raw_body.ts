import type { IncomingMessage } from 'node:http';

/** The service's events are far smaller. */
const maximumBytes = 1_048_576;

/**
 * The body of a request as it was sent; null as soon as it is larger than 1 MB, without reading the
 * rest. Where a framework has read the request already, its `body` is returned, so that the check of
 * the signature can report it. Rejects when the sender disconnects.
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
    request.on('close', () =>
      reject(new Error('the sender disconnected before its body was complete')),
    );
  });
}
