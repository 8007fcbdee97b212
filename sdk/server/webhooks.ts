import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Event } from './events.ts';

/** Headers as fetch, node:http and their frameworks give them. */
export type HeaderBag =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface UnwrapOptions {
  /** Every active secret: during a rotation the old and the new one. */
  readonly secrets: string | readonly string[];
  /** The largest difference between the header's time and this clock, either way; 300. */
  readonly toleranceSeconds?: number;
  /** This clock; for tests. */
  readonly now?: () => Date;
}

const explanations = {
  header_missing:
    'there is no Service-Signature header; the request did not come from the service, or a proxy removed it',
  header_malformed:
    'Service-Signature is not of the form t=<unix seconds>,v1=<hex>; pass the header unchanged',
  timestamp_too_old:
    'the signature is older than the tolerance: a replay, a slow queue before this check, or a clock that is ahead; verify before queueing and check this clock',
  timestamp_in_future:
    "the signature's time is ahead of this clock by more than the tolerance; correct this clock",
  signature_mismatch:
    'no v1 item matches a secret: a wrong or retired secret, or a body that was changed on its way (verify the raw bytes, not re-serialized JSON)',
  method_not_allowed: 'events come by POST; this request is not from the service',
  body_too_large: 'the body is larger than 1 MB; this request is not from the service',
  body_not_json: 'the signature is right, but the body is not an event in JSON',
  body_not_raw:
    "the body was parsed before it was verified. Pass its raw bytes: express.raw({ type: 'application/json' }) on this route, parseAs: 'buffer' in fastify, await request.text() with fetch handlers",
} as const;

export type WebhookFault = keyof typeof explanations;

/** A webhook request that is not proven to come from the service; answer it with a 4xx. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookFault;

  constructor(reason: WebhookFault, note = '') {
    super(`${reason}: ${explanations[reason]}${note}`);
    this.reason = reason;
  }
}

const headerName = 'service-signature';
const defaultToleranceSeconds = 300;
const hexDigest = /^[0-9a-f]{64}$/;

function headerOf(headers: HeaderBag): string {
  const value =
    typeof headers.get === 'function'
      ? headers.get(headerName)
      : Object.entries(headers).find(([name]) => name.toLowerCase() === headerName)?.[1];
  const text = Array.isArray(value) ? value.join(',') : value;
  if (typeof text !== 'string' || text === '') throw new WebhookVerificationError('header_missing');
  return text;
}

/** The time and the v1 digests of the header; other schemes are ignored. */
function parseHeader(header: string): { seconds: string; digests: Buffer[] } {
  const items = header.split(',').map((item) => item.trim());
  const values = (name: string) =>
    items.flatMap((item) => (item.startsWith(`${name}=`) ? [item.slice(name.length + 1)] : []));
  const [seconds = '', ...moreTimes] = values('t');
  const digests = values('v1').filter((digest) => hexDigest.test(digest));
  if (!/^\d{1,12}$/.test(seconds) || moreTimes.length > 0 || digests.length === 0) {
    throw new WebhookVerificationError('header_malformed');
  }
  return { seconds, digests: digests.map((digest) => Buffer.from(digest, 'hex')) };
}

/** HMAC-SHA256 over the time, a full stop and the raw body; the key is the secret as it is shown. */
function digestOf(rawBody: string | Uint8Array, secret: string, seconds: string): Buffer {
  return createHmac('sha256', secret).update(`${seconds}.`).update(rawBody).digest();
}

/** The secrets as a list. @throws TypeError without any, as when a setting is missing */
export function secretList(secrets: string | readonly string[]): readonly string[] {
  const list: unknown = typeof secrets === 'string' ? [secrets] : secrets;
  const isFilled = (secret: unknown) => typeof secret === 'string' && secret !== '';
  if (Array.isArray(list) && list.length > 0 && list.every(isFilled)) return list;
  throw new TypeError('secrets must hold at least one webhook secret, none of them empty');
}

function checkTime(seconds: number, toleranceSeconds: number, now: Date): void {
  const ageSeconds = Math.floor(now.getTime() / 1000) - seconds;
  if (ageSeconds > toleranceSeconds) throw new WebhookVerificationError('timestamp_too_old');
  if (ageSeconds < -toleranceSeconds) throw new WebhookVerificationError('timestamp_in_future');
}

/** Compares every item with every secret, so that the duration reveals nothing. */
function checkSignature(
  rawBody: string | Uint8Array,
  secrets: readonly string[],
  { seconds, digests }: { seconds: string; digests: readonly Buffer[] },
): void {
  const matches = secrets.flatMap((secret) => {
    const expected = digestOf(rawBody, secret, seconds);
    return digests.map((digest) => timingSafeEqual(digest, expected));
  });
  if (matches.includes(true)) return;
  const spaced = secrets.some((secret) => secret !== secret.trim());
  const note = spaced ? '. A secret begins or ends with whitespace' : '';
  throw new WebhookVerificationError('signature_mismatch', note);
}

function parseEvent(rawBody: string | Uint8Array): Event {
  try {
    const text = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody);
    const event = JSON.parse(text) as Event;
    if (event.object === 'event' && typeof event.id === 'string' && event.data.object) return event;
  } catch {
    // Reported below, like JSON that is no event.
  }
  throw new WebhookVerificationError('body_not_json');
}

/**
 * Verifies a webhook request (rules/webhooks#9) and returns its event. The signature is right if any
 * v1 item matches any secret and its time is within the tolerance, before or after this clock.
 * @param rawBody the body as it was sent
 * @throws WebhookVerificationError with a `reason`
 */
function unwrap(rawBody: string | Uint8Array, headers: HeaderBag, options: UnwrapOptions): Event {
  const secrets = secretList(options.secrets);
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) {
    throw new WebhookVerificationError('body_not_raw');
  }
  const signature = parseHeader(headerOf(headers));
  const now = options.now?.() ?? new Date();
  checkTime(Number(signature.seconds), options.toleranceSeconds ?? defaultToleranceSeconds, now);
  checkSignature(rawBody, secrets, signature);
  return parseEvent(rawBody);
}

/** Makes a Service-Signature header as the service does; for tests of receivers. */
function sign(
  rawBody: string | Uint8Array,
  secrets: string | readonly string[],
  at: Date = new Date(),
): string {
  const seconds = String(Math.floor(at.getTime() / 1000));
  const items = secretList(secrets).map(
    (secret) => `v1=${digestOf(rawBody, secret, seconds).toString('hex')}`,
  );
  return [`t=${seconds}`, ...items].join(',');
}

export const webhooks = { unwrap, sign };
