import { createHash } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Engine } from '@tenant-payments/engine/batch/engine.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { settingsOf } from '@tenant-payments/engine/settings.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../../database.ts';
import type { ProgressRow } from '../../../resources/sessions/progress.ts';
import type { SessionRow } from '../../../resources/sessions/table.ts';
import type { Target } from '../../confirm.ts';
import { type OfSession, refusal } from '../session.ts';

/** Loaded with the first passkey: a start does not wait for the library. */
export const webauthn = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');

/** The relying party of WebAuthn: name and origin of the hosted pages (rules/hosted#20). */
export interface RelyingParty {
  /** A host name: passkeys know no IP addresses (WebAuthn Level 3, 5.1.2). */
  readonly id: string;
  readonly origin: string;
}

export const relyingPartyOf = (publicUrl: string): RelyingParty => {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
};

export interface Dependencies {
  readonly engine: Pick<Engine, 'submit'>;
  readonly db: Kysely<Database>;
  readonly relyingParty: RelyingParty;
}

/** How long a customer may take to answer the browser's question. */
export const timeoutMs = 120_000;

/** A browser's answer, for a session. */
export interface PasskeyAnswer extends OfSession {
  readonly credential: Readonly<Record<string, unknown>>;
}

export const refused = (reason: string) =>
  fail('parameter_invalid', { param: 'credential', details: { reason } });
export const noChallenge = () => refusal('no_challenge');

const hashOf = (...facts: readonly unknown[]): string =>
  createHash('sha256').update(facts.join('|')).digest('base64url');

/**
 * The challenge of a confirmation, base64url: bound to session, record and amount, so that an answer
 * to one confirms no other, and not the same one at another price (rules/hosted#19).
 */
export const challengeOf = (
  nonce: string,
  { id, target_type, target_id }: SessionRow,
  { row }: Target,
): string => hashOf(nonce, id, target_type, target_id, row.amount);

/** The challenge of a proof of who is at the page: bound to its session alone. */
export const proofChallengeOf = (nonce: string, { id }: SessionRow): string =>
  hashOf(nonce, id, 'proof');

/** The challenge of a new passkey: bound to its session alone. */
export const newPasskeyChallenge = (nonce: string, { session_id }: ProgressRow): string =>
  hashOf(nonce, session_id, 'new');

/** The nonce of the challenge that may be answered now. @throws ApiError invalid_state */
export async function nonceOf(
  db: Kysely<Database>,
  tenantId: string,
  sessionId: string,
): Promise<string> {
  const row = await db
    .selectFrom('session_progress')
    .where('tenant_id', '=', tenantId)
    .where('session_id', '=', sessionId)
    .select('challenge')
    .executeTakeFirst();
  if (!row?.challenge) throw noChallenge();
  return row.challenge;
}

/** The form of every answer; the library checks what is in it. */
const isAnswer = (
  credential: unknown,
): credential is RegistrationResponseJSON & AuthenticationResponseJSON => {
  const { id, response } = Object(credential);
  return typeof id === 'string' && typeof response === 'object' && response !== null;
};

/** The pages in whose frames a passkey may answer: those that may frame the hosted pages at all. */
export async function frameOriginsOf(db: Kysely<Database>, tenantId: string): Promise<string[]> {
  const row = await db
    .selectFrom('tenants')
    .where('tenant_id', '=', tenantId)
    .select(['name', 'settings'])
    .executeTakeFirstOrThrow();
  return [...settingsOf(tenantId, row).frame_origins];
}

/**
 * In no frame of another site, or in one of these pages. The library lets pass a frame whose page is not named, and
 * any frame where a passkey is made (rules/hosted#20).
 */
async function isInKnownFrame(
  clientDataJSON: string,
  topOrigins: readonly string[],
): Promise<boolean> {
  const { decodeClientDataJSON } = await helpers();
  const { crossOrigin = false, topOrigin } = decodeClientDataJSON(clientDataJSON);
  if (topOrigin === undefined) return crossOrigin === false;
  return crossOrigin === true && topOrigins.includes(topOrigin);
}

/**
 * Has the library verify an answer. Which challenge it answers is read from the answer itself and
 * compared in `decide`, with the session and record that are committed on.
 * @param topOrigins the pages in whose frames it may be given
 * @throws ApiError parameter_invalid, reason not_verified: whatever the library throws
 */
export async function verify<T>(
  { credential }: Pick<PasskeyAnswer, 'credential'>,
  topOrigins: readonly string[],
  by: (
    response: RegistrationResponseJSON & AuthenticationResponseJSON,
    expectedChallenge: (given: string) => boolean,
  ) => Promise<T>,
): Promise<{ readonly challenge: string; readonly verified: T }> {
  if (!isAnswer(credential)) throw refused('not_verified');
  let challenge = '';
  try {
    const verified = await by(credential, (given) => {
      challenge = given;
      return true;
    });
    if (!(await isInKnownFrame(credential.response.clientDataJSON, topOrigins)))
      throw refused('not_verified');
    return { challenge, verified };
  } catch {
    throw refused('not_verified');
  }
}

/** The bytes of a base64url text, as the library takes them. */
export const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(base64url, 'base64url'));

/** How an authenticator is reached (WebAuthn Level 3, 5.8.4). */
const knownTransports = ['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal'];

/** The transports that are known, each once, whatever the page says: they are stored and sent back. */
export const transportsOf = (given: unknown): string =>
  Array.isArray(given) ? knownTransports.filter((name) => given.includes(name)).join(',') : '';
