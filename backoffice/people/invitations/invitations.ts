import { isUuid } from '@tenant-payments/contract/core/ids.ts';
import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { type Actor, actorName } from '@tenant-payments/engine/actor.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { idMaker } from '@tenant-payments/engine/new_id.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { consoleSite } from '@tenant-payments/service/config/sites.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { Invitation, NewInvitation } from '../../contract/people/invitations.ts';
import type { Queryable } from '../scope.ts';
import { emailOf, newToken } from '../sign_in/secrets.ts';
import { storedSecret } from '../sign_in/stored_secrets.ts';

/** Invitations (rules/sign-in#12): a link that works once, for one address and its roles. */

type Parts = Pick<Service, 'clocks' | 'config' | 'vault'>;

export type By = Pick<Actor, 'kind' | 'id'> & Partial<Pick<Actor, 'personId'>>;

/** With the link, which its inviter sees only where nothing sends it. */
export type MadeInvitation = NewInvitation & { readonly link: string };

export interface Invited {
  readonly scope: string;
  readonly email: string;
  readonly roles: readonly Role[];
  readonly by: By;
}

const newId = idMaker();

/** Once a new one is made, those before it are worth nothing. */
async function revokeOpen(
  connection: Queryable,
  now: string,
  which: Pick<Invited, 'scope' | 'email'> & { readonly kind: string },
): Promise<void> {
  await connection.query(
    `update control.invitations set revoked_at = $4
     where kind = $1 and scope = $2 and email = $3 and accepted_at is null and revoked_at is null`,
    [which.kind, which.scope, which.email, now],
  );
}

export async function addInvitation(
  connection: Queryable,
  { clocks, config, vault }: Parts,
  kind: 'join' | 'reset',
  { scope, roles, by, email: given }: Invited,
): Promise<MadeInvitation> {
  const email = emailOf(given);
  const nowMs = clocks.realNow();
  const now = instantOf(nowMs);
  await revokeOpen(connection, now, { kind, scope, email });
  const token = newToken('tpi');
  const { rows } = await connection.query<Omit<NewInvitation, 'link'>>(
    `insert into control.invitations
       (id, kind, scope, email, roles, token_hash, invited_by, invited_person, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     returning id, kind, email, roles, created_at, expires_at`,
    [
      newId(nowMs),
      kind,
      scope,
      email,
      roles,
      storedSecret({ vault }, 'invitation', token),
      actorName(by),
      by.personId ?? null,
      now,
      instantOf(nowMs + lifetimes.personInvitation * 1_000),
    ],
  );
  const [made] = rows;
  if (!made) throw new Error('an insert returns its row');
  return { ...made, link: `${consoleSite(config)}/portal/sign-in#invitation=${token}` };
}

/**
 * Whether somebody may be invited: also a member whose account another provider has made worthless, since
 * nothing else lets such a person in (rules/single-sign-on#8).
 * @throws ApiError invalid_state: holds roles there already
 */
export async function assertInvitable(
  connection: Queryable,
  scope: string,
  email: string,
): Promise<void> {
  const { rowCount } = await connection.query(
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

/** Invites somebody to a scope. @throws ApiError invalid_state: holds roles there already */
export async function invite(
  connection: Queryable,
  parts: Parts,
  invited: Invited,
): Promise<MadeInvitation> {
  await assertInvitable(connection, invited.scope, invited.email);
  return addInvitation(connection, parts, 'join', invited);
}

/** `$2` is now. */
const shown = `id, kind, email, roles, created_at, expires_at,
  case when accepted_at is not null then 'accepted' when revoked_at is not null then 'revoked'
    when expires_at <= $2 then 'expired' else 'open' end as status`;

/** Those of the last 30 days, newest first. */
export async function listInvitations(
  db: Queryable,
  { clocks }: Pick<Service, 'clocks'>,
  scope: string,
): Promise<Invitation[]> {
  const { rows } = await db.query<Invitation>(
    `select ${shown} from control.invitations
     where scope = $1 and created_at > $2::timestamptz - interval '30 days'
     order by created_at desc, id desc`,
    [scope, instantOf(clocks.realNow())],
  );
  return rows;
}

/** @throws ApiError not_found; invalid_state: accepted, revoked or expired */
export async function revokeInvitation(
  connection: Queryable,
  { clocks }: Pick<Service, 'clocks'>,
  scope: string,
  id: string,
): Promise<Invitation> {
  if (!isUuid(id)) throw fail('not_found');
  const values = [scope, instantOf(clocks.realNow()), id];
  const { rows } = await connection.query<Invitation>(
    `update control.invitations set revoked_at = $2
     where scope = $1 and id = $3 and accepted_at is null and revoked_at is null and expires_at > $2
     returning ${shown}`,
    values,
  );
  if (rows[0]) return rows[0];
  const { rows: others } = await connection.query<Invitation>(
    `select ${shown} from control.invitations where scope = $1 and id = $3`,
    values,
  );
  if (!others[0]) throw fail('not_found');
  throw fail('invalid_state', { details: { reason: others[0].status } });
}
