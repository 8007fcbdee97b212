import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { Invitation } from '../../contract/people/invitations.ts';
import type { InvitationRow } from './table.ts';

/** Invitations as they are shown (rules/sign-in#12): a link that works once, for one address and its roles. */

type Row = Pick<
  InvitationRow,
  'id' | 'kind' | 'email' | 'created_at' | 'expires_at' | 'accepted_at' | 'revoked_at'
> & { readonly roles: readonly Invitation['roles'][number][] };

export function statusOf(
  { accepted_at, revoked_at, expires_at }: Omit<Row, 'roles'>,
  now: string,
): Invitation['status'] {
  if (accepted_at !== null) return 'accepted';
  if (revoked_at !== null) return 'revoked';
  return expires_at <= now ? 'expired' : 'open';
}

export const invitationView = (row: Row, now: string): Invitation => ({
  id: row.id,
  kind: row.kind,
  email: row.email,
  roles: [...row.roles],
  created_at: row.created_at,
  expires_at: row.expires_at,
  status: statusOf(row, now),
});

/** The invitations of the last 30 days, newest first. */
export async function listInvitations(
  db: Queryable,
  { clocks }: Pick<Service, 'clocks'>,
  scope: string,
): Promise<Invitation[]> {
  const now = instantOf(clocks.realNow());
  const { rows } = await db.query<Row>(
    `select id, kind, email, roles, created_at, expires_at, accepted_at, revoked_at
     from control.invitations
     where scope = $1 and created_at > $2::timestamptz - interval '30 days'
     order by created_at desc, id desc`,
    [scope, now],
  );
  return rows.map((row) => invitationView(row, now));
}
