/** The used part of a request of node:http, declared here so that nobody needs the types of Node. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly readableEnded: boolean;
  // A listener of whatever comes: each version of @types/node has other ones.
  on(event: string, listener: (...values: unknown[]) => void): unknown;
  pause(): unknown;
}

/** The service's events are far smaller. */
const maximumBytes = 1_048_576;

/** The pieces of a body as one. */
function joined(pieces: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/**
 * The body of a request as it was sent; null as soon as it is larger than 1 MB, without reading the
 * rest. Where a framework has read the request already, its `body` is returned, so that the check of
 * the signature can report it. Rejects when the sender disconnects.
 */
export function readRawBody(request: NodeRequest): Promise<unknown> {
  if (request.readableEnded) return Promise.resolve((request as { body?: unknown }).body);
  return new Promise((resolve, reject) => {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    request.on('data', (given) => {
      const piece = given as Uint8Array;
      bytes += piece.length;
      pieces.push(piece);
      if (bytes <= maximumBytes) return;
      request.pause();
      resolve(null);
    });
    request.on('end', () => resolve(joined(pieces, bytes)));
    request.on('error', reject);
    request.on('close', () =>
      reject(new Error('the sender disconnected before its body was complete')),
    );
  });
}

/** The body of a Request of fetch; null when it is larger than 1 MB, without reading the rest. */
export async function readFetchBody(request: Request): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (const reader = request.body?.getReader(); reader; ) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.length;
    pieces.push(value);
    if (bytes <= maximumBytes) continue;
    await reader.cancel();
    return null;
  }
  return joined(pieces, bytes);
}
