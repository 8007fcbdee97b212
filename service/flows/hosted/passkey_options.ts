import { answerOf } from './answer.ts';
import { beginAdding } from './passkey_add.ts';
import { beginConfirmation } from './passkey_confirm.ts';
import { bytesOf } from './passkey_facts.ts';
import { type PasskeyParts, webauthn } from './passkey_parts.ts';

/** How long a customer may take to answer the browser's question. */
const timeoutMs = 120_000;

interface Challenged {
  readonly challenge: string;
  readonly allowed: readonly { readonly credential_id: string; readonly transports: string }[];
}

interface Adding {
  readonly challenge: string;
  readonly user_id: string;
  readonly name: string;
  readonly rp_name: string;
  readonly known: readonly string[];
}

/** The options that the browser's own interface takes (WebAuthn Level 3, JSON forms). */
export function openPasskeyOptions({ engine, relyingParty }: PasskeyParts) {
  return {
    async forConfirmation(tenantId: string, sessionId: string) {
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
    },
    async forNew(tenantId: string, sessionId: string) {
      const { challenge, user_id, name, rp_name, known } = await answerOf<Adding>(
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
    },
  };
}
