import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';

export const hasWebAuthn = (): boolean => typeof PublicKeyCredential === 'function';

type Json = Record<string, unknown>;
const asJson = (answer: object): Json => ({ ...answer });

/** Signs a challenge with a passkey. @throws when the person cancels */
export async function askPasskey(options: Json): Promise<Json> {
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return asJson(await startAuthentication({ optionsJSON }));
}

/** Creates a passkey. @throws when the person cancels */
export async function makePasskey(options: Json): Promise<Json> {
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return asJson(await startRegistration({ optionsJSON }));
}
