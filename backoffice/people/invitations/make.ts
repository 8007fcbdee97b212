import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { type Actor, actorName } from '@tenant-payments/engine/actor.ts';
import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { addSeconds, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { consoleSite } from '@tenant-payments/service/config/sites.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { NewInvitation } from '../../contract/people/invitations.ts';
import { emailOf, newToken } from '../sign_in/secrets.ts';
import { storedSecret } from '../sign_in/stored_secrets.ts';
import { type InvitationRow, invitations } from './table.ts';

/** Parts of commands that invite (rules/sign-in#12). */

type Parts = Pick<Service, 'config' | 'vault'>;

/** With the link, which its inviter sees only where nothing sends it. */
export type MadeInvitation = NewInvitation & { readonly link: string };

/** An invitation that was made, for whoever sends it. */
export interface ToldInvitation {
  readonly scope: string;
  readonly made: MadeInvitation;
}

/** The inviter, whom an approval names. */
type By = Pick<Actor, 'kind' | 'id' | 'personId'>;

export interface Invited {
  readonly by: By;
  readonly kind: InvitationRow['kind'];
  readonly scope: string;
  readonly email: string;
  readonly roles: readonly Role[];
}

/** A row, and how whoever made it sees it, with the token of its link, this once. */
export function newInvitation(
  { config, vault }: Parts,
  { kind, scope, email, roles, by }: Invited,
  { id, now }: { readonly id: string; readonly now: Instant },
): { readonly row: InvitationRow; readonly made: MadeInvitation } {
  const token = newToken({ vault }, 'tpi');
  const about = {
    id,
    kind,
    email: emailOf(email),
    roles: [...roles],
    created_at: now,
    expires_at: addSeconds(now, lifetimes.personInvitation),
  };
  const row = {
    ...about,
    scope,
    token_hash: storedSecret({ vault }, 'invitation', token),
    invited_by: actorName(by),
    invited_person: by.personId,
    accepted_at: null,
    revoked_at: null,
  };
  return {
    row,
    made: { ...about, link: `${consoleSite(config)}/portal/sign-in#invitation=${token}` },
  };
}

/** The invitations of an address. */
export const loadInvited = (read: Read, email: string): Promise<readonly InvitationRow[]> =>
  read.set(invitations, 'email', emailOf(email));

/** Invites somebody. Those before it to the same scope are worth nothing from then on. */
export function addInvitation(
  work: Work,
  parts: Parts,
  before: readonly InvitationRow[],
  invited: Invited,
): MadeInvitation {
  const { now } = work;
  const { row, made } = newInvitation(parts, invited, { id: work.newId(), now });
  work.create(invitations, row);
  for (const one of before)
    if (one.kind === row.kind && one.scope === row.scope && !one.accepted_at && !one.revoked_at)
      work.change<typeof invitations>(one, { revoked_at: now });
  return made;
}

/**
 * Whether somebody may be invited: also a member whose account another provider has made worthless, since
 * nothing else lets such a person in (rules/single-sign-on#8).
 * @throws ApiError invalid_state: holds roles there already
 */
export async function assertInvitable(db: Queryable, scope: string, email: string): Promise<void> {
  const { rowCount } = await db.query(
    `select from control.roles r join control.people p on p.id = r.person_id
     where r.scope = $1 and p.email = $2 and (
       exists (select from control.person_passkeys k where k.person_id = p.id)
       or exists (select from control.identities i where i.person_id = p.id and i.scope = r.scope))
     limit 1`,
    [scope, emailOf(email)],
  );
  if ((rowCount ?? 0) > 0)
    throw fail('invalid_state', { param: 'email', details: { reason: 'already_member' } });
}
