import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Kysely } from 'kysely';
import { command } from '../../core/command.ts';
import type { Read } from '../../core/reader.ts';
import {
  isUsable,
  type PasskeyRow,
  passkeys,
} from '../../resources/customers/credentials/passkeys.ts';
import type { Database } from '../../resources/database.ts';
import { completeConfirmation } from '../complete.ts';
import { assertOpen, type OfSession, readOpened } from './opened.ts';
import { bytesOf, challengeOf, isCredentialId } from './passkey_facts.ts';
import {
  type Answered,
  isTaken,
  noChallenge,
  nonceOf,
  noPasskey,
  type PasskeyParts,
  refused,
  webauthn,
} from './passkey_parts.ts';

/** A passkey confirms a record: WebAuthn with user verification (decisions 1.8). */

/** Makes a challenge for the record of a session. @throws ApiError invalid_state {reason?} */
export const beginConfirmation = command('passkey_challenge', {
  load: async (read: Read, input: OfSession) => {
    const opened = await readOpened(read, input);
    const keys = await read.set(passkeys, 'customer_id', opened.session.customer_id);
    return { opened, keys: keys.filter(isUsable) };
  },
  decide: (work, { opened, keys }) => {
    const { session, progress, target } = opened;
    assertOpen(work, session, ['payment_confirm']);
    if (keys.length === 0 || !target) throw noPasskey();
    const nonce = work.newSecret('pc');
    work.change(progress, { challenge: nonce });
    return {
      value: {
        challenge: challengeOf(nonce, session, target),
        allowed: keys.map(({ credential_id, transports }) => ({ credential_id, transports })),
      },
      sealed: true,
    };
  },
});

interface Proven {
  /** What the answer was proven against; another nonce by now makes it worthless. */
  readonly nonce: string;
  readonly challenge: string;
  readonly passkeyId: string;
  readonly counter: number;
  readonly newCounter: number;
}

async function found(db: Kysely<Database>, tenantId: string, credentialId: unknown) {
  if (!isCredentialId(credentialId)) return undefined;
  return db
    .selectFrom('passkeys')
    .where('tenant_id', '=', tenantId)
    .where('credential_id', '=', credentialId)
    .selectAll()
    .executeTakeFirst();
}

const credentialOf = (row: Pick<PasskeyRow, 'credential_id' | 'public_key' | 'counter'>) => ({
  id: row.credential_id,
  publicKey: bytesOf(row.public_key),
  counter: row.counter,
});

/** Whose pages may hold the frame in which a passkey answers: the same that may frame it at all. */
async function frameOriginsOf(db: Kysely<Database>, tenantId: string): Promise<string[]> {
  const { settings } = await db
    .selectFrom('tenants')
    .where('tenant_id', '=', tenantId)
    .select('settings')
    .executeTakeFirstOrThrow();
  return [...settings.frame_origins];
}

/**
 * Proves an answer with the library before the batch. Which challenge it was is told by the answer
 * itself and proven in `decide`, where session, record and amount are those that are committed on.
 */
async function prove(
  { db, relyingParty }: PasskeyParts,
  tenantId: string,
  { sessionId, credential }: Answered,
): Promise<Proven & { customerId: string }> {
  const nonce = await nonceOf(db, tenantId, sessionId);
  const row = await found(db, tenantId, credential.id);
  if (!row || !isUsable(row)) throw refused('unknown_credential');
  const expectedTopOrigin = await frameOriginsOf(db, tenantId);
  let challenge = '';
  const { verifyAuthenticationResponse } = await webauthn();
  const { verified, authenticationInfo } = await isTaken(() =>
    verifyAuthenticationResponse({
      response: credential as unknown as AuthenticationResponseJSON,
      expectedChallenge(given) {
        challenge = given;
        return true;
      },
      expectedOrigin: relyingParty.origin,
      expectedTopOrigin,
      expectedRPID: relyingParty.id,
      credential: credentialOf(row),
      requireUserVerification: true,
    }),
  );
  if (!verified) throw refused('not_verified');
  const { newCounter } = authenticationInfo;
  return {
    nonce,
    challenge,
    passkeyId: row.id,
    customerId: row.customer_id,
    counter: row.counter,
    newCounter,
  };
}

/** Confirms a record by a passkey's answer. @throws ApiError parameter_invalid, invalid_state */
export const confirmByPasskey = (parts: PasskeyParts) =>
  command('confirm_by_passkey', {
    prepare: (input: Answered, { tenantId }) => prove(parts, tenantId, input),
    load: async (read, input, { passkeyId }) => {
      const [opened, passkey] = await Promise.all([
        readOpened(read, input),
        read.one(passkeys, passkeyId),
      ]);
      return { opened, passkey };
    },
    decide: (work, { opened, passkey }, _input, proven) => {
      const { session, progress, target } = opened;
      assertOpen(work, session, ['payment_confirm']);
      if (!target || progress.challenge !== proven.nonce) throw noChallenge();
      if (proven.challenge !== challengeOf(proven.nonce, session, target))
        throw refused('challenge');
      if (passkey.customer_id !== session.customer_id) throw refused('unknown_credential');
      // Another use of the same key since: this answer may be a copy of it.
      if (passkey.counter !== proven.counter) throw refused('counter');
      work.change(progress, { challenge: null });
      work.change(passkey, { counter: proven.newCounter });
      completeConfirmation(work, session, target);
      return { value: null };
    },
  });
