import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

/** Only the two ceremonies, and only when one is begun. */
const library = () => import('@simplewebauthn/browser');

export const hasWebAuthn = (): boolean => typeof PublicKeyCredential === 'function';

type Json = Record<string, unknown>;
const asJson = (answer: object): Json => ({ ...answer });

/** Asks for a passkey's answer to a challenge. @throws when the customer gives none */
export async function askPasskey(options: Json): Promise<Json> {
  const { startAuthentication } = await library();
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return asJson(await startAuthentication({ optionsJSON }));
}

/** Makes a passkey. @throws when the customer makes none */
export async function makePasskey(options: Json): Promise<Json> {
  const { startRegistration } = await library();
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return asJson(await startRegistration({ optionsJSON }));
}
