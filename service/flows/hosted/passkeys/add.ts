import { command } from '@tenant-payments/engine/command.ts';
import { isUsable, passkeys } from '../../../resources/customers/credentials/passkeys.ts';
import { tellCustomer } from '../../../resources/customers/messages/tell.ts';
import { displayName } from '../../../resources/customers/names.ts';
import { answerOf } from '../answer.ts';
import { refusal } from '../session.ts';
import {
  bytesOf,
  type Dependencies,
  frameOriginsOf,
  newPasskeyChallenge,
  noChallenge,
  nonceOf,
  type PasskeyAnswer,
  refused,
  timeoutMs,
  transportsOf,
  verify,
  webauthn,
} from './challenge.ts';
import { isPinProven, loadProofs, type Proofs } from './prove.ts';

/** A passkey is added after a right PIN, in the session that proved it (rules/hosted#20). */

const maximumPasskeys = 10;
/** The model of an authenticator that does not say what it is (WebAuthn Level 3, 6.5.1). */
const unknownModel = '00000000-0000-0000-0000-000000000000';

/**
 * Also when the right PIN has ended the session, but not once that PIN was reset or the account has
 * closed. @throws ApiError invalid_state {reason}
 */
function assertMayAdd({ opened, pin, keys }: Proofs): void {
  if (!isPinProven(opened.progress, pin)) throw refusal('pin_required');
  if (keys.filter(isUsable).length >= maximumPasskeys) throw refusal('too_many_passkeys');
}

interface NewPasskey {
  readonly challenge: string;
  readonly user_id: string;
  readonly name: string;
  readonly rp_name: string;
  readonly known: readonly string[];
}

const beginAdding = command('new_passkey_challenge', {
  load: loadProofs,
  decide: (work, rows) => {
    const { opened, customer, keys } = rows;
    assertMayAdd(rows);
    const nonce = work.newSecret('pc');
    work.change(opened.progress, { challenge: nonce });
    const value: NewPasskey = {
      challenge: newPasskeyChallenge(nonce, opened.progress),
      // The authenticator's name for the customer: it must not hold personal data.
      user_id: customer.id,
      name: displayName(customer) || work.tenant.settings.branding.name,
      rp_name: work.tenant.settings.branding.name,
      known: keys.filter(isUsable).map(({ credential_id }) => credential_id),
    };
    return { value, sealed: true };
  },
});

/** The options by which a browser makes a passkey (WebAuthn Level 3, JSON form). */
export const newPasskeyOptions =
  ({ engine, relyingParty }: Dependencies) =>
  async (tenantId: string, sessionId: string) => {
    const { challenge, user_id, name, rp_name, known } = await answerOf<NewPasskey>(
      engine.submit(beginAdding, { tenantId, input: { sessionId } }),
    );
    const { generateRegistrationOptions } = await webauthn();
    return generateRegistrationOptions({
      rpName: rp_name,
      rpID: relyingParty.id,
      userName: name,
      userDisplayName: name,
      userID: bytesOf(Buffer.from(user_id.replaceAll('-', ''), 'hex').toString('base64url')),
      challenge: bytesOf(challenge),
      timeout: timeoutMs,
      excludeCredentials: known.map((id) => ({ id })),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    });
  };

/** Stores a passkey that the browser made. @throws ApiError parameter_invalid, invalid_state */
export const addPasskey = ({ db, relyingParty }: Dependencies) =>
  command('add_passkey', {
    prepare: async (input: PasskeyAnswer, { tenantId }) => {
      const nonce = await nonceOf(db, tenantId, input.sessionId);
      const topOrigins = await frameOriginsOf(db, tenantId);
      const { verifyRegistrationResponse } = await webauthn();
      const { challenge, verified } = await verify(
        input,
        topOrigins,
        (response, expectedChallenge) =>
          verifyRegistrationResponse({
            response,
            expectedChallenge,
            expectedOrigin: relyingParty.origin,
            expectedRPID: relyingParty.id,
            requireUserVerification: true,
          }),
      );
      if (!verified.registrationInfo) throw refused('not_verified');
      const { credential: made, aaguid } = verified.registrationInfo;
      return { nonce, challenge, made, aaguid };
    },
    load: async (read, input, { made }) => ({
      ...(await loadProofs(read, input)),
      known: await read.by(passkeys, 'credential', { credential_id: made.id }),
    }),
    decide: (work, { known, ...rows }, _input, { nonce, challenge, made, aaguid }) => {
      const { progress, session } = rows.opened;
      assertMayAdd(rows);
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
        aaguid: aaguid === unknownModel ? '' : aaguid,
        created_at: work.now,
        last_used_at: null,
        removed_at: null,
      });
      tellCustomer(work, rows.customer, 'passkey_added');
      return { value: null };
    },
  });
