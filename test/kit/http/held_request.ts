import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

/** A request that a service has begun to answer, and whose body it waits for. */
export interface HeldRequest {
  /** Sends the body. @returns the status of the reply */
  finish(): Promise<number | undefined>;
}

/** Sends the head of a POST, and waits until the service asks for the body. */
export async function holdRequest(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<HeldRequest> {
  const length = String(Buffer.byteLength(body));
  const held = request(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': length, expect: '100-continue' },
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    held.once('response', resolve).once('error', reject);
  });
  // The request may be refused before anybody waits for the reply.
  answered.catch(() => {});
  held.flushHeaders();
  await once(held, 'continue');
  return {
    async finish() {
      held.end(body);
      const reply = await answered;
      reply.resume();
      return reply.statusCode;
    },
  };
}
