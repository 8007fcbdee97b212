import { ApiError } from '@tenant-payments/engine/fail.ts';

/** Why a sign-in at a provider came to nothing: words for the page, the log and the reply. */
export const failures = {
  unknown_attempt: 'it was used already, has expired, or belongs to another browser',
  refused_by_provider: 'the provider refused it, or the person canceled it',
  not_verified: "the provider's answer does not prove what was asked",
  unreachable: 'the provider cannot be reached, or answers too slowly',
  not_discovered: 'its discovery document is missing, or is of another issuer',
  no_code_flow: 'the provider has no authorization code flow',
  no_pkce: 'the provider does not know PKCE with S256',
  address: 'the provider names an address that is not allowed',
  email_not_verified: 'the provider does not say that the e-mail address is verified',
  malformed_claims: 'the provider names an address, a name or a subject that nobody here can have',
  not_invited: 'nobody with this e-mail address is a member or is invited',
  link_first:
    'this person is known here: sign in with a passkey, or open a new invitation, and link the account once',
  other_identity: 'this person is known by another account of the provider',
  disabled: 'this person is disabled',
  not_fresh: 'the provider did not ask the person to sign in again',
  session_ended: 'the session that began it has ended',
  other_person: 'somebody else signed in than the person of the session',
  too_many_attempts: 'too many attempts failed; a later one may work',
  not_set_up: 'single sign-on is not set up here',
} as const;

export type Failure = keyof typeof failures;

/** An attempt that ends without a sign-in. A command refuses by it. */
export class SignOnFailed extends ApiError {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super('invalid_state', { details: { reason: failure }, message: failures[failure] });
    this.failure = failure;
  }
}
