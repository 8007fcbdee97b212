import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { command } from '../../core/command.ts';
import { fail } from '../../core/fail.ts';
import type { Read } from '../../core/reader.ts';
import { type PasskeyRow, passkeys } from '../../resources/customers/credentials/passkeys.ts';
import { displayName } from '../../resources/customers/names.ts';
import { customers } from '../../resources/customers/table.ts';
import { type OfSession, type Opened, readOpened } from './opened.ts';
import { newPasskeyChallenge, transportsOf } from './passkey_facts.ts';
import {
  type Answered,
  isTaken,
  noChallenge,
  nonceOf,
  type PasskeyParts,
  refused,
  webauthn,
} from './passkey_parts.ts';

/** A passkey is added after a right PIN, in the session that proved it. */

const maximumPasskeys = 10;

const readNewcomer = async (read: Read, input: OfSession) => {
  const opened = await readOpened(read, input);
  const { customer_id } = opened.session;
  const [customer, keys] = await Promise.all([
    read.one(customers, customer_id),
    read.set(passkeys, 'customer_id', customer_id),
  ]);
  return { opened, customer, keys };
};

/** After a right PIN alone, in the session that proved it: also when it has ended by it. */
function assertMayAdd({ progress }: Opened, keys: readonly PasskeyRow[]): void {
  const refuse = (reason: string) =>
    fail('invalid_state', { details: { current_status: 'created', allowed: [], reason } });
  if (!progress.pin_proven) throw refuse('pin_required');
  if (keys.length >= maximumPasskeys) throw refuse('too_many_passkeys');
}

/** Makes a challenge for a new passkey. @throws ApiError invalid_state {reason} */
export const beginAdding = command('new_passkey_challenge', {
  load: readNewcomer,
  decide: (work, { opened, customer, keys }) => {
    assertMayAdd(opened, keys);
    const nonce = work.newSecret('pc');
    work.change(opened.progress, { challenge: nonce });
    return {
      value: {
        challenge: newPasskeyChallenge(nonce, opened.progress),
        // The authenticator's name for the customer: it must not hold personal data.
        user_id: customer.id,
        name: displayName(customer) || work.tenant.settings.branding.name,
        rp_name: work.tenant.settings.branding.name,
        known: keys.map(({ credential_id }) => credential_id),
      },
      sealed: true,
    };
  },
});

/** Keeps a passkey that the browser made. @throws ApiError parameter_invalid, invalid_state */
export const addPasskey = (parts: PasskeyParts) =>
  command('add_passkey', {
    prepare: async ({ sessionId, credential }: Answered, { tenantId }) => {
      const nonce = await nonceOf(parts.db, tenantId, sessionId);
      let challenge = '';
      const { verifyRegistrationResponse } = await webauthn();
      const { registrationInfo } = await isTaken(() =>
        verifyRegistrationResponse({
          response: credential as unknown as RegistrationResponseJSON,
          expectedChallenge(given) {
            challenge = given;
            return true;
          },
          expectedOrigin: parts.relyingParty.origin,
          expectedRPID: parts.relyingParty.id,
          requireUserVerification: true,
        }),
      );
      if (!registrationInfo) throw refused('not_verified');
      return { nonce, challenge, made: registrationInfo.credential };
    },
    load: async (read, input, { made }) => ({
      ...(await readNewcomer(read, input)),
      known: await read.by(passkeys, 'credential', { credential_id: made.id }),
    }),
    decide: (work, { opened, keys, known }, _input, { nonce, challenge, made }) => {
      const { progress, session } = opened;
      assertMayAdd(opened, keys);
      if (progress.challenge !== nonce) throw noChallenge();
      if (challenge !== newPasskeyChallenge(nonce, progress)) throw refused('challenge');
      if (known) throw refused('known_credential');
      work.change(progress, { challenge: null });
      work.create(passkeys, {
        id: work.newId(),
        customer_id: session.customer_id,
        credential_id: made.id,
        public_key: Buffer.from(made.publicKey).toString('base64url'),
        counter: made.counter,
        transports: transportsOf(made.transports),
        created_at: work.now,
      });
      return { value: null };
    },
  });
