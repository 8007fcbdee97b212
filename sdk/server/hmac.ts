/** A body as it was sent. */
export type RawBody = string | Uint8Array | ArrayBuffer;

interface NodeHmac {
  update(data: string | Uint8Array): NodeHmac;
  digest(encoding: 'hex'): string;
}
interface NodeCrypto {
  createHmac(algorithm: 'sha256', key: string): NodeHmac;
}
interface Host {
  readonly process?: { getBuiltinModule?(name: 'node:crypto'): NodeCrypto | undefined };
}

/** Node's, Bun's or Deno's; asked for and not imported, so that other runtimes can load this module. */
const nodeCrypto = (): NodeCrypto | undefined =>
  (globalThis as Host).process?.getBuiltinModule?.('node:crypto');

/** Whether `digestNow` works here. */
export const hasDigestNow = (): boolean => nodeCrypto() !== undefined;

const bytesOf = (rawBody: RawBody): Uint8Array => {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody);
  return rawBody instanceof ArrayBuffer ? new Uint8Array(rawBody) : rawBody;
};

/**
 * HMAC-SHA256 over the time, a full stop and the raw body, in hexadecimal; the key is the secret as it is
 * shown.
 * @throws TypeError where the runtime has none that is synchronous
 */
export function digestNow(rawBody: RawBody, secret: string, seconds: string): string {
  const found = nodeCrypto();
  if (found === undefined)
    throw new TypeError('this runtime has no synchronous HMAC; use unwrapAsync or signAsync');
  const hmac = found.createHmac('sha256', secret).update(`${seconds}.`);
  return hmac.update(bytesOf(rawBody)).digest('hex');
}

const algorithm = { name: 'HMAC', hash: 'SHA-256' } as const;

/** The same by WebCrypto. */
export async function digestOf(rawBody: RawBody, secret: string, seconds: string): Promise<string> {
  const encoder = new TextEncoder();
  const head = encoder.encode(`${seconds}.`);
  const body = bytesOf(rawBody);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  const { subtle } = crypto;
  const key = await subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  const digest = new Uint8Array(await subtle.sign('HMAC', key, signed));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether two digests of 64 signs are the same; the duration does not say where they differ. */
export function sameDigest(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < other.length; at += 1)
    difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}
