import type { Event } from './events.ts';
import { digestNow, digestOf, type RawBody, sameDigest } from './hmac.ts';

/** Headers as fetch, node:http and their frameworks give them. */
export type HeaderBag =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
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

/** @param headers those of the request, or the value of Service-Signature */
function headerOf(headers: HeaderBag | string): string {
  if (typeof headers === 'string') return headers;
  const value =
    typeof headers.get === 'function'
      ? headers.get(headerName)
      : Object.entries(headers).find(([name]) => name.toLowerCase() === headerName)?.[1];
  const text = Array.isArray(value) ? value.join(',') : value;
  if (typeof text !== 'string' || text === '') throw new WebhookVerificationError('header_missing');
  return text;
}

interface Signature {
  readonly seconds: string;
  /** The digests of the scheme v1, in hexadecimal. */
  readonly digests: readonly string[];
}

/** The time and the v1 digests of the header; other schemes are ignored. */
function parseHeader(header: string): Signature {
  const items = header.split(',').map((item) => item.trim());
  const values = (name: string) =>
    items.flatMap((item) => (item.startsWith(`${name}=`) ? [item.slice(name.length + 1)] : []));
  const [seconds = '', ...moreTimes] = values('t');
  const digests = values('v1').filter((digest) => hexDigest.test(digest));
  if (!/^\d{1,12}$/.test(seconds) || moreTimes.length > 0 || digests.length === 0) {
    throw new WebhookVerificationError('header_malformed');
  }
  return { seconds, digests };
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

/**
 * Compares every item with every secret, so that the duration reveals nothing.
 * @param expected the digest by each secret
 */
function checkDigests(
  { digests }: Signature,
  expected: readonly string[],
  secrets: readonly string[],
): void {
  const matches = expected.flatMap((own) => digests.map((digest) => sameDigest(digest, own)));
  if (matches.includes(true)) return;
  const spaced = secrets.some((secret) => secret !== secret.trim());
  const note = spaced ? '. A secret begins or ends with whitespace' : '';
  throw new WebhookVerificationError('signature_mismatch', note);
}

function parseEvent(rawBody: RawBody): Event {
  try {
    const text = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody);
    const event = JSON.parse(text) as Event;
    if (event.object === 'event' && typeof event.id === 'string' && event.data.object) return event;
  } catch {
    // Reported below, like JSON that is no event.
  }
  throw new WebhookVerificationError('body_not_json');
}

/** The options that a request is checked with. */
type Check = VerifyOptions | VerifyOptions['secrets'];

/** All checks but the digests. */
function begin(rawBody: RawBody, headers: HeaderBag | string, check: Check) {
  const isOptions = typeof check === 'object' && !Array.isArray(check);
  const options = (isOptions ? check : { secrets: check }) as VerifyOptions;
  const secrets = secretList(options.secrets);
  const isRaw = ArrayBuffer.isView(rawBody) || rawBody instanceof ArrayBuffer;
  if (typeof rawBody !== 'string' && !isRaw) throw new WebhookVerificationError('body_not_raw');
  const signature = parseHeader(headerOf(headers));
  const now = options.now?.() ?? new Date();
  checkTime(Number(signature.seconds), options.toleranceSeconds ?? defaultToleranceSeconds, now);
  return { secrets, signature };
}

const secondsOf = (at: Date): string => String(Math.floor(at.getTime() / 1000));
const headerText = (seconds: string, digests: readonly string[]): string =>
  [`t=${seconds}`, ...digests.map((digest) => `v1=${digest}`)].join(',');

/** Verifies webhook requests, and signs them for tests (rules/webhooks#9). */
export interface Webhooks {
  /**
   * Verifies a webhook request and returns its event. The signature is right if any v1 item matches any
   * secret and its time is within the tolerance, before or after this clock.
   * @param rawBody the body as it was sent
   * @param headers those of the request, or the value of Service-Signature
   * @param check the secrets alone, or with options
   * @throws WebhookVerificationError with a `reason`
   * @throws TypeError without a secret, or where the runtime has no synchronous HMAC: use `unwrapAsync`
   */
  unwrap(rawBody: RawBody, headers: HeaderBag | string, check: Check): Event;
  /** The same by WebCrypto, which every runtime has; it rejects where `unwrap` throws. */
  unwrapAsync(rawBody: RawBody, headers: HeaderBag | string, check: Check): Promise<Event>;
  /** Makes a Service-Signature header as the service does; for tests of receivers. */
  sign(rawBody: RawBody, secrets: VerifyOptions['secrets'], at?: Date): string;
  /** The same by WebCrypto. */
  signAsync(rawBody: RawBody, secrets: VerifyOptions['secrets'], at?: Date): Promise<string>;
}

/** Verifies webhook requests without a receiver, and signs them for tests. */
export const webhooks: Webhooks = {
  unwrap(rawBody, headers, check) {
    const { secrets, signature } = begin(rawBody, headers, check);
    const { seconds } = signature;
    const expected = secrets.map((secret) => digestNow(rawBody, secret, seconds));
    checkDigests(signature, expected, secrets);
    return parseEvent(rawBody);
  },
  async unwrapAsync(rawBody, headers, check) {
    const { secrets, signature } = begin(rawBody, headers, check);
    const { seconds } = signature;
    const expected = secrets.map((secret) => digestOf(rawBody, secret, seconds));
    checkDigests(signature, await Promise.all(expected), secrets);
    return parseEvent(rawBody);
  },
  sign(rawBody, secrets, at = new Date()) {
    const seconds = secondsOf(at);
    const digests = secretList(secrets).map((secret) => digestNow(rawBody, secret, seconds));
    return headerText(seconds, digests);
  },
  async signAsync(rawBody, secrets, at = new Date()) {
    const seconds = secondsOf(at);
    const digests = secretList(secrets).map((secret) => digestOf(rawBody, secret, seconds));
    return headerText(seconds, await Promise.all(digests));
  },
};
