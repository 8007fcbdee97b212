import type { Kysely } from 'kysely';
import type { Engine } from '../../core/engine.ts';
import { fail } from '../../core/fail.ts';
import type { Database } from '../../resources/database.ts';
import type { OfSession } from './opened.ts';
import type { RelyingParty } from './passkey_facts.ts';

/**
 * What the uses of a passkey share. The library is loaded when the first one is used: a start does
 * not wait for it.
 */
export const webauthn = () => import('@simplewebauthn/server');

export interface PasskeyParts {
  readonly engine: Pick<Engine, 'submit'>;
  readonly db: Kysely<Database>;
  readonly relyingParty: RelyingParty;
}

/** A browser's answer, for a session. */
export interface Answered extends OfSession {
  readonly credential: Readonly<Record<string, unknown>>;
}

export const refused = (reason: string) =>
  fail('parameter_invalid', { param: 'credential', details: { reason } });

const state = (reason: string) =>
  fail('invalid_state', { details: { current_status: 'created', allowed: [], reason } });
export const noChallenge = () => state('no_challenge');
export const noPasskey = () => state('no_passkey');

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

/** Whether the library takes the answer; whatever it throws says that it does not. */
export async function isTaken<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch {
    throw refused('not_verified');
  }
}
