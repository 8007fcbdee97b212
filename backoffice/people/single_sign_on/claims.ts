import { readableOf } from '@tenant-payments/contract/core/readable.ts';
import { Closed, Text } from '@tenant-payments/contract/core/schema.ts';
import { schemaCompiler } from '@tenant-payments/engine/json_schema.ts';
import { Email } from '../../contract/people/invitations.ts';
import { emailOf } from '../sign_in/secrets.ts';
import { SignOnFailed } from './words.ts';

/** Claims of a provider about a person, checked before they are used (rules/single-sign-on#8). */

export type Claims = Readonly<Record<string, unknown>>;

/** The person whom the provider means, by an ID token that was verified. */
export interface Claimed {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  readonly name: string;
}

const longestName = 100;
/** OpenID Connect Core, 2. */
const longestSubject = 255;

const isWellFormed = schemaCompiler().compile(
  Closed({ subject: Text(longestSubject), email: Email, name: Text(longestName) }),
);

const verdicts: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  ['true', true],
  ['false', false],
]);

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** Whether an address is missing, or what the provider says of it. Some send the verdict as text. */
export const isIncomplete = ({ email, email_verified }: Claims): boolean =>
  text(email) === '' || !verdicts.has(email_verified);

/**
 * The person of the claims.
 * @param trusts whether an address without a verdict is taken; one that the provider calls unverified never is
 * @throws SignOnFailed: an address that is not verified, or claims that no person here can have
 */
export function claimedBy(
  { issuer, trusts }: { readonly issuer: string; readonly trusts: boolean },
  about: Claims,
): Claimed {
  const email = text(about.email);
  const isVerified = verdicts.get(about.email_verified) ?? trusts;
  if (email === '' || !isVerified) throw new SignOnFailed('email_not_verified');
  const name = readableOf(text(about.name), longestName) ?? email.slice(0, longestName);
  const claimed = { subject: String(about.sub), email, name };
  if (!isWellFormed(claimed)) throw new SignOnFailed('malformed_claims');
  // Folded after it was checked: letters beyond ASCII fold to others.
  return { ...claimed, issuer, email: emailOf(email) };
}
