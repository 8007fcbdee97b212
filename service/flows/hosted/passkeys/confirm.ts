import type { Kysely } from 'kysely';
import { command } from '../../../core/command.ts';
import type { Read } from '../../../core/load/reader.ts';
import { isUsable, passkeys } from '../../../resources/customers/credentials/passkeys.ts';
import type { Database } from '../../../resources/database.ts';
import { confirm } from '../../confirm.ts';
import { answerOf } from '../answer.ts';
import { assertOpen, loadOpenedSession, type OfSession, refusal } from '../session.ts';
import {
  type Answered,
  bytesOf,
  challengeOf,
  type Dependencies,
  noChallenge,
  nonceOf,
  refused,
  timeoutMs,
  verify,
  webauthn,
} from './challenge.ts';

/** A passkey confirms a record: WebAuthn with user verification (rules/hosted#19). */

interface Challenged {
  readonly challenge: string;
  readonly allowed: readonly { readonly credential_id: string; readonly transports: string }[];
}

const beginConfirmation = command('passkey_challenge', {
  load: async (read: Read, input: OfSession) => {
    const opened = await loadOpenedSession(read, input);
    const keys = await read.set(passkeys, 'customer_id', opened.session.customer_id);
    return { opened, keys: keys.filter(isUsable) };
  },
  decide: (work, { opened, keys }) => {
    const { session, progress, target } = opened;
    assertOpen(work, session, ['payment_confirm']);
    if (keys.length === 0 || !target) throw refusal('no_passkey');
    const nonce = work.newSecret('pc');
    work.change(progress, { challenge: nonce });
    const value: Challenged = {
      challenge: challengeOf(nonce, session, target),
      allowed: keys.map(({ credential_id, transports }) => ({ credential_id, transports })),
    };
    return { value, sealed: true };
  },
});

/** The options by which a browser answers with a passkey (WebAuthn Level 3, JSON form). */
export const confirmationOptions =
  ({ engine, relyingParty }: Dependencies) =>
  async (tenantId: string, sessionId: string) => {
    const { challenge, allowed } = await answerOf<Challenged>(
      engine.submit(beginConfirmation, { tenantId, input: { sessionId } }),
    );
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
  };

/** Base64url, and no longer than an authenticator makes one (WebAuthn Level 3, 4: 1,023 bytes). */
const isCredentialId = (given: unknown): given is string =>
  typeof given === 'string' && /^[\w-]{1,1364}$/.test(given);

/** @throws ApiError parameter_invalid */
async function passkeyOf(db: Kysely<Database>, tenantId: string, credentialId: unknown) {
  const row = isCredentialId(credentialId)
    ? await db
        .selectFrom('passkeys')
        .where('tenant_id', '=', tenantId)
        .where('credential_id', '=', credentialId)
        .selectAll()
        .executeTakeFirst()
    : undefined;
  if (!row || !isUsable(row)) throw refused('unknown_credential');
  return row;
}

/** The pages in whose frames a passkey may answer: those that may frame the hosted pages at all. */
async function frameOriginsOf(db: Kysely<Database>, tenantId: string): Promise<string[]> {
  const { settings } = await db
    .selectFrom('tenants')
    .where('tenant_id', '=', tenantId)
    .select('settings')
    .executeTakeFirstOrThrow();
  return [...settings.frame_origins];
}

/** Confirms a record by a passkey's answer. @throws ApiError parameter_invalid, invalid_state */
export const confirmByPasskey = ({ db, relyingParty }: Dependencies) =>
  command('confirm_by_passkey', {
    prepare: async (input: Answered, { tenantId }) => {
      const nonce = await nonceOf(db, tenantId, input.sessionId);
      const passkey = await passkeyOf(db, tenantId, input.credential.id);
      const expectedTopOrigin = await frameOriginsOf(db, tenantId);
      const { verifyAuthenticationResponse } = await webauthn();
      const { challenge, verified } = await verify(input, (response, expectedChallenge) =>
        verifyAuthenticationResponse({
          response,
          expectedChallenge,
          expectedOrigin: relyingParty.origin,
          expectedTopOrigin,
          expectedRPID: relyingParty.id,
          credential: {
            id: passkey.credential_id,
            publicKey: bytesOf(passkey.public_key),
            counter: passkey.counter,
          },
          requireUserVerification: true,
        }),
      );
      if (!verified.verified) throw refused('not_verified');
      const { newCounter } = verified.authenticationInfo;
      return { nonce, challenge, passkey, newCounter };
    },
    load: async (read, input, proven) => {
      const [opened, passkey] = await Promise.all([
        loadOpenedSession(read, input),
        read.one(passkeys, proven.passkey.id),
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
      if (passkey.counter !== proven.passkey.counter) throw refused('counter');
      work.change(progress, { challenge: null });
      work.change(passkey, { counter: proven.newCounter });
      confirm(work, session, target);
      return { value: null };
    },
  });
