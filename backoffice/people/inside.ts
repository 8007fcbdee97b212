import type { Role } from '@tenant-payments/contract/core/roles.ts';
import type { Actor } from '@tenant-payments/engine/actor.ts';
import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { idMaker } from '@tenant-payments/engine/new_id.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { Member } from '../contract/people/members.ts';
import { isBootstrapping } from './bootstrap.ts';
import { highestRole } from './grant.ts';
import { isByCommandLine } from './invitations/invitation_row.ts';
import {
  assertInvitable,
  type Invited,
  type MadeInvitation,
  newInvitation,
} from './invitations/make.ts';
import type { InvitationRow } from './invitations/table.ts';
import { memberOf } from './members/members.ts';
import { lockPeople, platform } from './scope.ts';
import { endSessions } from './sessions/sessions.ts';
import type { RoleGrantRow } from './table.ts';

/**
 * What a transaction past the engine does to people, until it is a command: an approval of the platform, and a
 * sign-in at a provider.
 */

type By = Pick<Actor, 'kind' | 'id' | 'personId'>;

const newId = idMaker();

interface Given {
  readonly scope: string;
  readonly personId: string;
  readonly roles: readonly Role[];
  readonly by: string | null;
  readonly bootstrap?: boolean;
}

/** A table of another server takes no `on conflict do update`, so that the roles that have ended come first. */
async function give(
  tx: Queryable,
  now: string,
  { scope, personId, roles, by, bootstrap = false }: Given,
): Promise<void> {
  const values = [scope, personId, roles, now, by, bootstrap];
  await tx.query(
    `update control.role_grants set ended_at = null, granted_at = $4, granted_by = $5, bootstrap = $6
     where scope = $1 and person_id = $2 and role = any ($3) and ended_at is not null`,
    values,
  );
  await tx.query(
    `insert into control.role_grants (scope, person_id, role, granted_at, granted_by, bootstrap)
     select $1, $2, role, $4, $5, $6 from unnest($3::text[]) as role on conflict do nothing`,
    values,
  );
}

/** @throws ApiError not_found; invalid_state: own roles, or the last admin or owner */
export async function changeRolesInside(
  tx: Queryable,
  { clocks }: Pick<Service, 'clocks'>,
  change: { scope: string; personId: string; roles: readonly Role[]; by: By },
): Promise<{ readonly before: Member; readonly after: Member }> {
  const { scope, personId, roles, by } = change;
  const now = instantOf(clocks.realNow());
  await lockPeople(tx);
  const before = await memberOf(tx, scope, personId);
  if (by.personId === before.id) throw fail('invalid_state', { details: { reason: 'own_roles' } });
  await tx.query(
    `update control.role_grants set ended_at = $4
     where scope = $1 and person_id = $2 and role <> all ($3) and ended_at is null`,
    [scope, before.id, roles, now],
  );
  await give(tx, now, { scope, personId: before.id, roles, by: by.personId });
  const highest = highestRole(scope);
  if (before.roles.includes(highest)) {
    // A command that has read these rows waits for this transaction, and decides again.
    const { rowCount } = await tx.query(
      `select from control.role_grants r join control.people p on p.id = r.person_id
       where r.scope = $1 and r.role = $2 and r.ended_at is null and p.disabled_at is null
       for share of r`,
      [scope, highest],
    );
    if (rowCount === 0) throw fail('invalid_state', { details: { reason: `last_${highest}` } });
  }
  await endSessions(tx, { clocks }, { personId: before.id, scope }, 'roles_changed');
  return { before, after: { ...before, roles: [...roles].sort() } };
}

/** @throws ApiError invalid_state: holds roles there already */
export async function inviteInside(
  tx: Queryable,
  parts: Pick<Service, 'clocks' | 'config' | 'vault'>,
  invited: Omit<Invited, 'kind'>,
): Promise<MadeInvitation> {
  await assertInvitable(tx, invited.scope, invited.email);
  const nowMs = parts.clocks.realNow();
  const about = { id: newId(nowMs), now: instantOf(nowMs) };
  const { row, made } = newInvitation(parts, { ...invited, kind: 'join' }, about);
  await tx.query(
    `update control.invitations set revoked_at = $4
     where kind = $1 and scope = $2 and email = $3 and accepted_at is null and revoked_at is null`,
    [row.kind, row.scope, row.email, about.now],
  );
  const names = Object.keys(row);
  await tx.query(
    `insert into control.invitations (${names.join(', ')})
     values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  );
  return made;
}

/** Gives the roles of an invitation. */
export async function grantInside(
  tx: Queryable,
  service: Pick<Service, 'clocks'>,
  {
    scope,
    roles,
    invited_by,
    invited_person: by,
  }: Pick<InvitationRow, 'scope' | 'roles' | 'invited_by' | 'invited_person'>,
  personId: string,
): Promise<void> {
  const now = instantOf(service.clocks.realNow());
  const staff = await tx.query<RoleGrantRow>('select * from control.role_grants where scope = $1', [
    platform,
  ]);
  const bootstrap =
    scope === platform && isByCommandLine(invited_by) && isBootstrapping(staff.rows, now);
  await give(tx, now, { scope, personId, roles, by, bootstrap });
}
