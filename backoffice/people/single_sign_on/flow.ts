import type { Service } from '@tenant-payments/service/service.ts';
import { type Attempt, addAttempt } from './attempt.ts';
import { type Claimed, claimedBy, isIncomplete } from './claims.ts';
import { failureOf, openid, type Providers } from './provider.ts';
import { clientOf, providerOf, redirectUri } from './providers.ts';
import { SignOnFailed } from './words.ts';

/** The authorization code flow with PKCE, state and nonce (rules/single-sign-on#6). */

/** The age limit of a step-up: how old the provider's own sign-in may be. */
const maxAgeSeconds = 300;
/** By how much a provider's clock may be behind. */
const clockDifferenceMs = 30_000;

export interface Begun {
  readonly address: string;
  readonly browser: string;
}

async function configurationOf(service: Service, providers: Providers, scope: string) {
  const row = await providerOf(service.control, scope);
  if (row === null) throw new SignOnFailed('not_set_up');
  return { row, config: await providers.of(clientOf(service, row)) };
}

/** @throws SignOnFailed */
export async function beginAtProvider(
  service: Service,
  providers: Providers,
  about: Pick<Attempt, 'scope' | 'purpose' | 'session_id' | 'return_to'>,
): Promise<Begun> {
  const { config } = await configurationOf(service, providers, about.scope);
  const { state, nonce, verifier, browser } = await addAttempt(service, about);
  const client = await openid();
  const fresh = { prompt: 'login', max_age: String(maxAgeSeconds) };
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri(service, about.scope),
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(about.purpose === 'step_up' ? fresh : {}),
  });
  return { address: address.href, browser };
}

/** The provider must have asked after the attempt began: an older sign-in proves nothing new. */
function assertFresh(authTime: unknown, { created_at }: Attempt): void {
  const at = typeof authTime === 'number' ? authTime * 1_000 : 0;
  if (at < Date.parse(created_at) - clockDifferenceMs) throw new SignOnFailed('not_fresh');
}

/**
 * Exchanges the code of an attempt that came back.
 * @param query of the callback, as it came
 * @throws SignOnFailed
 */
export async function finishAtProvider(
  service: Service,
  providers: Providers,
  attempt: Attempt,
  { query, state }: { readonly query: string; readonly state: string },
): Promise<Claimed> {
  const { scope, nonce, verifier, purpose } = attempt;
  const { row, config } = await configurationOf(service, providers, scope);
  const client = await openid();
  const current = new URL(`${redirectUri(service, scope)}?${query}`);
  const stepsUp = purpose === 'step_up';
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
  try {
    const tokens = await client.authorizationCodeGrant(config, current, {
      ...checks,
      ...(stepsUp ? { maxAge: maxAgeSeconds } : {}),
    });
    const claims = tokens.claims();
    if (!claims) throw new SignOnFailed('not_verified');
    if (stepsUp) assertFresh(claims.auth_time, attempt);
    // By the standard these are in the answer for user information; many have them in the ID token, or
    // the address there and the verdict in the other.
    const asks = isIncomplete(claims) && config.serverMetadata().userinfo_endpoint;
    const more = asks ? await client.fetchUserInfo(config, tokens.access_token, claims.sub) : {};
    return claimedBy({ issuer: row.issuer, trusts: row.trust_email }, { ...claims, ...more });
  } catch (error) {
    throw failureOf(error, 'not_verified');
  }
}
