import { timingSafeEqual } from 'node:crypto';
import { signedHeaders } from '../signature.ts';

export interface Webhook {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly rawBody: Uint8Array;
}

/** How far its time may be from ours. */
const toleranceSeconds = 300;

const isSame = (one: string, other: string): boolean => {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
};

/** Whether the bank has sent these very bytes, and lately. @param nowMs since 1970 */
export function isSigned({ headers, rawBody }: Webhook, secret: string, nowMs: number): boolean {
  const header = (name: string) => String(headers[name] ?? '');
  const seconds = Number(header('webhook-timestamp'));
  if (!(Math.abs(nowMs / 1_000 - seconds) <= toleranceSeconds)) return false;
  const body = Buffer.from(rawBody).toString('utf8');
  const right = signedHeaders(header('webhook-id'), seconds, body, secret)['webhook-signature'];
  // A sender that changes its secret signs with both.
  return header('webhook-signature')
    .split(' ')
    .some((given) => isSame(given, right));
}
