import type { Role } from '@tenant-payments/contract/core/roles.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { held } from '../grant.ts';
import { createPerson, takeInvitation } from '../invitations/accept.ts';
import { statusOf } from '../invitations/invitations.ts';
import { type InvitationRow, invitations } from '../invitations/table.ts';
import { platform } from '../scope.ts';
import { type PersonRow, people, type RoleGrantRow, roleGrants } from '../table.ts';
import type { Claimed } from './claims.ts';
import { type IdentityRow, linkedIdentities } from './table.ts';
import { SignOnFailed } from './words.ts';

/** Parts of commands about whom a provider has named (rules/single-sign-on#8). */

export interface Claim {
  readonly scope: string;
  readonly claimed: Claimed;
}

export interface Found {
  readonly personId: string;
  /** Matched now for the first time. */
  readonly isNew: boolean;
  /** The roles of the invitation that was accepted by it; null: there was none. */
  readonly roles: readonly Role[] | null;
}

/** The account, whoever's it is, also one that was forgotten. */
export const loadIdentity = (
  read: Read,
  { scope, claimed: { issuer, subject } }: Claim,
): Promise<IdentityRow | null> => read.maybe(linkedIdentities, { scope, issuer, subject });

/** Whether the account is matched with a person. */
export const matched = (identity: IdentityRow | null): identity is IdentityRow =>
  identity !== null && identity.ended_at === null;

/** Notes that the account was used. */
export function useIdentity(work: Work, identity: IdentityRow): void {
  work.change<typeof linkedIdentities>(identity, { last_used_at: work.now });
}

/** Reads what a person holds: roles, and accounts at providers. */
export async function loadHeld(read: Read, personId: string | null) {
  if (personId === null) return { grants: [], accounts: [] };
  const [grants, accounts] = await Promise.all([
    read.set(roleGrants, 'person_id', personId),
    read.set(linkedIdentities, 'person_id', personId),
  ]);
  return { grants, accounts };
}

export const holdsRole = (grants: readonly RoleGrantRow[], scope: string): boolean =>
  held(grants).some((one) => one.scope === scope);

/**
 * One account for each person of a scope: an address that was given to somebody else opens nothing.
 * @throws SignOnFailed
 */
export function bind(
  work: Work,
  { identity, accounts }: { identity: IdentityRow | null; accounts: readonly IdentityRow[] },
  { scope, claimed: { issuer, subject }, personId }: Claim & { readonly personId: string },
): void {
  const hasOther = accounts.some((one) => one.scope === scope && one.ended_at === null);
  if (matched(identity) || hasOther) throw new SignOnFailed('other_identity');
  const now = { person_id: personId, created_at: work.now, last_used_at: work.now, ended_at: null };
  if (identity) work.change<typeof linkedIdentities>(identity, now);
  else work.create(linkedIdentities, { scope, issuer, subject, ...now });
}

export async function loadClaim(read: Read, claim: Claim) {
  const { scope, claimed } = claim;
  const identity = await loadIdentity(read, claim);
  const known = matched(identity) ? await read.maybe(people, identity.person_id) : null;
  const email = known?.email ?? claimed.email;
  const person = known ?? (await read.by(people, 'email', { email }));
  const [holds, invited, staff] = await Promise.all([
    loadHeld(read, person?.id ?? null),
    read.set(invitations, 'email', email),
    scope === platform ? read.set(roleGrants, 'scope', platform) : [],
  ]);
  return { identity, person, invited, staff, ...holds };
}
type LoadedClaim = Awaited<ReturnType<typeof loadClaim>>;

/** The open invitation. One that somebody has made for themselves is none (rules/sign-in#14). @throws SignOnFailed */
function invitationTo(scope: string, now: string, { invited, person }: LoadedClaim) {
  const found = invited.find(
    (one) =>
      one.kind === 'join' &&
      one.scope === scope &&
      statusOf(one, now) === 'open' &&
      one.invited_person !== person?.id,
  );
  if (!found) throw new SignOnFailed('not_invited');
  return found;
}

function personIn(
  work: Work,
  parts: Pick<Service, 'vault'>,
  person: PersonRow | null,
  { invitation, name }: { invitation: InvitationRow | null; name: string },
): string {
  if (person) return person.id;
  if (!invitation) throw new SignOnFailed('not_invited');
  return createPerson(work, parts, invitation, name);
}

/**
 * Finds the person, or makes one of an invitation. A person who exists is never matched by address:
 * whoever chooses the provider could otherwise act as them.
 * @throws SignOnFailed
 */
export function personOfClaim(
  work: Work,
  parts: Pick<Service, 'vault'>,
  loaded: LoadedClaim,
  claim: Claim,
): Found {
  const { scope, claimed } = claim;
  const { identity, person, grants, staff } = loaded;
  if (person?.disabled_at) throw new SignOnFailed('disabled');
  const isMember = person !== null && holdsRole(grants, scope);
  const invitation = isMember ? null : invitationTo(scope, work.now, loaded);
  const isKnown = matched(identity);
  if (!isKnown && person !== null) throw new SignOnFailed('link_first');
  const personId = personIn(work, parts, person, { invitation, name: claimed.name });
  if (invitation) takeInvitation(work, invitation, personId, { grants, staff });
  if (isKnown) useIdentity(work, identity);
  else bind(work, loaded, { ...claim, personId });
  return { personId, isNew: !isKnown, roles: invitation?.roles ?? null };
}
