import { readColumns } from '@tenant-payments/engine/table.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../../database.ts';
import {
  isUsable,
  type PasskeyRow,
  passkeys,
} from '../../../resources/customers/credentials/passkeys.ts';
import type { OpenedSession } from '../session.ts';
import {
  bytesOf,
  type Dependencies,
  frameOriginsOf,
  noChallenge,
  nonceOf,
  type PasskeyAnswer,
  type RelyingParty,
  refused,
  timeoutMs,
  verify,
  webauthn,
} from './challenge.ts';

/** A passkey's answer to a challenge: to confirm a record, or to prove who is at the page. */

/** A challenge, and the passkeys that may answer it. */
export interface PasskeyChallenge {
  readonly challenge: string;
  readonly allowed: readonly Pick<PasskeyRow, 'credential_id' | 'transports'>[];
}

/** The options by which a browser answers with a passkey (WebAuthn Level 3, JSON form). */
export async function optionsOf(
  { relyingParty }: Pick<Dependencies, 'relyingParty'>,
  { challenge, allowed }: PasskeyChallenge,
): Promise<object> {
  const { generateAuthenticationOptions } = await webauthn();
  return generateAuthenticationOptions({
    rpID: relyingParty.id,
    challenge: bytesOf(challenge),
    timeout: timeoutMs,
    userVerification: 'required',
    allowCredentials: allowed.map(({ credential_id, transports }) => ({
      id: credential_id,
      ...(transports === '' ? {} : { transports: transports.split(',') }),
    })),
  });
}

/** Base64url, and no longer than an authenticator makes one (WebAuthn Level 3, 4: 1,023 bytes). */
export const isCredentialId = (given: unknown): given is string =>
  typeof given === 'string' && /^[\w-]{1,1364}$/.test(given);

/** @throws ApiError parameter_invalid */
async function passkeyOf(db: Kysely<Database>, tenantId: string, credentialId: unknown) {
  const row = isCredentialId(credentialId)
    ? await db
        .selectFrom('passkeys')
        .where('tenant_id', '=', tenantId)
        .where('credential_id', '=', credentialId)
        .select(readColumns(passkeys))
        .executeTakeFirst()
    : undefined;
  if (!row || !isUsable(row)) throw refused('unknown_credential');
  return row;
}

/** A passkey as it is stored. */
interface Stored {
  readonly credential_id: string;
  readonly public_key: string;
  readonly counter: number;
}

/** The contents of an answer whose signature is right. */
interface Assertion {
  readonly challenge: string;
  readonly newCounter: number;
  /** Its counter is not ahead of the last one: no refusal of a passkey that several devices have (rules/hosted#52). */
  readonly isBehind: boolean;
}

/** The place of the flags in an authenticator's data, and the flag of a passkey that may be backed up. */
const [flagsAt, mayBeBackedUp] = [32, 8];

/** Believed because the data is signed, which the library verifies. */
const isOfSeveralDevices = (authenticatorData: string): boolean =>
  ((bytesOf(authenticatorData)[flagsAt] ?? 0) & mayBeBackedUp) > 0;

/** @param topOrigins the pages in whose frames it may be given @throws ApiError parameter_invalid */
export async function assertionOf(
  { id, origin }: RelyingParty,
  stored: Stored,
  answered: Pick<PasskeyAnswer, 'credential'>,
  topOrigins: string[] = [],
): Promise<Assertion> {
  const { verifyAuthenticationResponse } = await webauthn();
  const { challenge, verified } = await verify(
    answered,
    topOrigins,
    (response, expectedChallenge) =>
      verifyAuthenticationResponse({
        response,
        expectedChallenge,
        expectedOrigin: origin,
        expectedTopOrigin: topOrigins,
        expectedRPID: id,
        credential: {
          id: stored.credential_id,
          publicKey: bytesOf(stored.public_key),
          counter: isOfSeveralDevices(response.response.authenticatorData) ? 0 : stored.counter,
        },
        requireUserVerification: true,
      }),
  );
  if (!verified.verified) throw refused('not_verified');
  const { newCounter } = verified.authenticationInfo;
  return { challenge, newCounter, isBehind: stored.counter > 0 && newCounter <= stored.counter };
}

/** The proof by an answer, before the command that is to rest on it. */
export interface ProvenPasskey extends Assertion {
  readonly nonce: string;
  readonly passkey: Pick<PasskeyRow, 'id' | 'counter'>;
}

/** @throws ApiError parameter_invalid, invalid_state */
export async function verifyAnswer(
  { db, relyingParty }: Dependencies,
  input: PasskeyAnswer,
  tenantId: string,
): Promise<ProvenPasskey> {
  const nonce = await nonceOf(db, tenantId, input.sessionId);
  const passkey = await passkeyOf(db, tenantId, input.credential.id);
  const topOrigins = await frameOriginsOf(db, tenantId);
  return { nonce, passkey, ...(await assertionOf(relyingParty, passkey, input, topOrigins)) };
}

/**
 * Takes an answer in the transaction that rests on it: its challenge is good once.
 * @param wanted the challenge of the session as it is now
 * @throws ApiError parameter_invalid, invalid_state
 */
export function takeAnswer(
  work: Work,
  { session, progress }: OpenedSession,
  passkey: PasskeyRow,
  proven: ProvenPasskey,
  wanted: string,
): void {
  if (progress.challenge !== proven.nonce) throw noChallenge();
  if (proven.challenge !== wanted) throw refused('challenge');
  const isOwn = passkey.customer_id === session.customer_id;
  if (!isOwn || !isUsable(passkey)) throw refused('unknown_credential');
  // Another use of the same key since: this answer may be a copy of it.
  if (passkey.counter !== proven.passkey.counter) throw refused('counter');
  work.change(progress, { challenge: null });
  work.change(passkey, { counter: proven.newCounter, last_used_at: work.now });
}
