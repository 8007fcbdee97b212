import type { Role } from '@tenant-payments/contract/core/roles.ts';
import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { addPersonInside, grantInside } from '../inside.ts';
import { inviteeOf } from '../invitations/invitation_row.ts';
import type { InvitationRow } from '../invitations/table.ts';
import { lockPeople } from '../scope.ts';
import type { Claimed } from './claims.ts';
import { SignOnFailed } from './words.ts';

/** Who somebody is whom a provider has named (rules/single-sign-on#8). */

type Parts = Pick<Service, 'clocks' | 'vault'>;

export interface Found {
  readonly personId: string;
  /** Matched now for the first time. */
  readonly isNew: boolean;
  /** Of the invitation that was accepted by it; null: there was none. */
  readonly roles: readonly Role[] | null;
}

/** @returns null: nobody was matched with this account here */
export async function knownAs(
  connection: Queryable,
  now: string,
  scope: string,
  { issuer, subject }: Pick<Claimed, 'issuer' | 'subject'>,
): Promise<{ id: string; email: string } | null> {
  const { rows } = await connection.query<{ id: string; email: string }>(
    `update control.identities i set last_used_at = $4 from control.people p
     where i.scope = $1 and i.issuer = $2 and i.subject = $3 and p.id = i.person_id
     returning p.id, p.email`,
    [scope, issuer, subject, now],
  );
  return rows[0] ?? null;
}

export async function holdsRole(
  connection: Queryable,
  scope: string,
  personId: string,
): Promise<boolean> {
  const { rowCount } = await connection.query(
    'select from control.roles where scope = $1 and person_id = $2 limit 1',
    [scope, personId],
  );
  return rowCount !== 0;
}

/** One account for each person of a scope: an address that was given to somebody else opens nothing. */
export async function bind(
  connection: Queryable,
  { clocks }: Pick<Service, 'clocks'>,
  scope: string,
  { claimed: { issuer, subject }, personId }: { claimed: Claimed; personId: string },
): Promise<void> {
  const { rowCount } = await connection.query(
    `insert into control.identities (scope, issuer, subject, person_id, created_at, last_used_at)
     values ($1, $2, $3, $4, $5, $5) on conflict do nothing`,
    [scope, issuer, subject, personId, instantOf(clocks.realNow())],
  );
  if (rowCount === 0) throw new SignOnFailed('other_identity');
}

/** Takes the open invitation of an address. @throws SignOnFailed */
async function takeInvitation(
  connection: Queryable,
  now: string,
  scope: string,
  email: string,
): Promise<InvitationRow> {
  const { rows } = await connection.query<InvitationRow>(
    `update control.invitations set accepted_at = $3
     where kind = 'join' and scope = $1 and email = $2 and accepted_at is null
       and revoked_at is null and expires_at > $3
     returning *`,
    [scope, email, now],
  );
  if (!rows[0]) throw new SignOnFailed('not_invited');
  return rows[0];
}

/**
 * Finds the person, or makes one of an invitation. A person who exists is never matched by address:
 * whoever chooses the provider could otherwise act as them.
 * @throws SignOnFailed
 */
export async function personOfClaim(
  connection: Queryable,
  parts: Parts,
  scope: string,
  claimed: Claimed,
): Promise<Found> {
  await lockPeople(connection);
  const now = instantOf(parts.clocks.realNow());
  const known = await knownAs(connection, now, scope, claimed);
  const email = known?.email ?? claimed.email;
  const person = await inviteeOf(connection, email);
  if (person?.disabled_at) throw new SignOnFailed('disabled');
  const isMember = person !== null && (await holdsRole(connection, scope, person.id));
  const invitation = isMember ? null : await takeInvitation(connection, now, scope, email);
  if (!known && person !== null) throw new SignOnFailed('link_first');
  const personId =
    person?.id ??
    (invitation ? await addPersonInside(connection, parts, invitation, claimed.name) : undefined);
  if (personId === undefined) throw new SignOnFailed('not_invited');
  if (invitation) await grantInside(connection, parts, invitation, personId);
  if (!known) await bind(connection, parts, scope, { claimed, personId });
  return { personId, isNew: !known, roles: invitation?.roles ?? null };
}
