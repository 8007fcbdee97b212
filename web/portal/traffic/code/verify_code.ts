import { literal } from './sdk_code.ts';

/** The parts of a `Service-Signature` header. */
export interface SignatureParts {
  readonly seconds: string;
  readonly digests: readonly string[];
}

export function signatureParts(header: string): SignatureParts {
  const items = header.split(',').map((item) => item.trim().split('='));
  const valuesOf = (wanted: string) =>
    items.flatMap(([name, value = '']) => (name === wanted ? [value] : []));
  return { seconds: valuesOf('t')[0] ?? '', digests: valuesOf('v1') };
}

/** The string that is signed: the time, a full stop and the raw body (rules/webhooks#9). */
export const signedString = ({ seconds }: SignatureParts, body: string): string =>
  `${seconds}.${body}`;

/** A program that verifies this very attempt with the SDK, as a receiver does. */
export function verifyCodeOf(header: string, body: string): string {
  const { seconds } = signatureParts(header);
  return `import { webhooks } from '@tenant-payments/sdk-server';

const { WEBHOOK_SECRET = '' } = process.env;
const rawBody = ${literal(body)};
const headers = { 'service-signature': ${literal(header)} };
const event = webhooks.unwrap(rawBody, headers, {
  secrets: [WEBHOOK_SECRET],
  // A receiver leaves this out: an attempt of the past would be too old.
  now: () => new Date(${Number(seconds) * 1000}),
});
console.log(event.type);
`;
}

const hexOf = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** The digest that a secret gives, by the browser: neither leaves the page. */
export async function digestOf(secret: string, signed: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, [
    'sign',
  ]);
  return hexOf(await crypto.subtle.sign('HMAC', key, encoder.encode(signed)));
}
