import { createHash } from 'node:crypto';
import type { ProgressRow } from '../../resources/sessions/progress.ts';
import type { SessionRow } from '../../resources/sessions/table.ts';
import type { Confirmable } from '../confirm.ts';

/** Who asks for a passkey: the name and origin under which the hosted pages are reached. */
export interface RelyingParty {
  /** A host name: passkeys know no addresses (WebAuthn Level 3, 5.1.2). */
  readonly id: string;
  readonly origin: string;
}

export const relyingPartyOf = (publicUrl: string): RelyingParty => {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
};

/**
 * The challenge of a confirmation, base64url: a nonce bound to session, record and amount, so that an
 * answer to one cannot confirm another, nor the same one at another price.
 */
export function challengeOf(
  nonce: string,
  { id, target_type, target_id }: SessionRow,
  { amountCents }: Pick<Confirmable, 'amountCents'>,
): string {
  const facts = [nonce, id, target_type, target_id, amountCents].join('|');
  return createHash('sha256').update(facts).digest('base64url');
}

/** The challenge of a new passkey: it is bound to its session alone. */
export const newPasskeyChallenge = (nonce: string, { session_id }: ProgressRow): string =>
  createHash('sha256').update(`${nonce}|${session_id}|new`).digest('base64url');

/** As the libraries take bytes that are given as base64url. */
export const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(base64url, 'base64url'));

/** Base64url, and no longer than an authenticator makes one (WebAuthn Level 3, 4: 1,023 bytes). */
export const isCredentialId = (given: unknown): given is string =>
  typeof given === 'string' && /^[\w-]{1,1364}$/.test(given);

/** How an authenticator is reached (WebAuthn Level 3, 5.8.4). */
const knownTransports = ['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal'];

/** Those that are known, each once, whatever the page says: it is kept and shown again. */
export const transportsOf = (given: unknown): string =>
  Array.isArray(given) ? knownTransports.filter((name) => given.includes(name)).join(',') : '';
