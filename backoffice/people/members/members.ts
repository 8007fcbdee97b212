import { isUuid } from '@tenant-payments/contract/core/ids.ts';
import type { Role } from '@tenant-payments/contract/core/roles.ts';
import type { Actor } from '@tenant-payments/engine/actor.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { Member } from '../../contract/people/members.ts';
import { lockPeople, platform, type Queryable } from '../scope.ts';
import { endSessions } from '../sessions/sessions.ts';

/** Members of a Tenant and staff of the platform, and their roles (rules/sign-in#14). */

type Parts = Pick<Service, 'clocks'>;

/** `$1` is the scope. */
const shown = `
  select p.id, p.email, p.name, p.disabled_at is not null as disabled,
    array(select role from control.roles r where r.scope = $1 and r.person_id = p.id order by role)
      as roles,
    (select count(*) from control.person_passkeys k where k.person_id = p.id) as passkeys,
    (select max(created_at) from control.sessions s where s.person_id = p.id) as last_signed_in_at
  from control.people p`;

const holds = 'exists (select from control.roles r where r.scope = $1 and r.person_id = p.id)';

export async function listMembers(db: Queryable, scope: string): Promise<Member[]> {
  const { rows } = await db.query<Member>(`${shown} where ${holds} order by p.email`, [scope]);
  return rows;
}

/** @throws ApiError not_found: holds no role there */
export async function memberOf(db: Queryable, scope: string, id: string): Promise<Member> {
  const { rows } = isUuid(id)
    ? await db.query<Member>(`${shown} where p.id = $2 and ${holds}`, [scope, id])
    : { rows: [] };
  if (!rows[0]) throw fail('not_found');
  return rows[0];
}

/** The role without which nobody could manage a scope. */
export const highestRole = (scope: string): Role => (scope === platform ? 'admin' : 'owner');

/**
 * After a change, under the lock: somebody who can sign in still holds the highest role.
 * @throws ApiError invalid_state
 */
export async function assertManaged(connection: Queryable, scope: string): Promise<void> {
  const role = highestRole(scope);
  const { rowCount } = await connection.query(
    `select from control.roles r join control.people p on p.id = r.person_id
     where r.scope = $1 and r.role = $2 and p.disabled_at is null limit 1`,
    [scope, role],
  );
  if (rowCount === 0) throw fail('invalid_state', { details: { reason: `last_${role}` } });
}

export interface RoleChange {
  readonly scope: string;
  readonly personId: string;
  /** Empty: none is left. */
  readonly roles: readonly Role[];
  readonly by: Pick<Actor, 'personId'>;
}

/**
 * Replaces the roles of a member in one transaction of the caller, and ends the member's sessions there.
 * @returns the member before and after
 * @throws ApiError not_found; invalid_state: own roles, or the last admin or owner
 */
export async function changeRoles(
  connection: Queryable,
  parts: Parts,
  { scope, personId, roles, by }: RoleChange,
): Promise<{ readonly before: Member; readonly after: Member }> {
  await lockPeople(connection);
  const before = await memberOf(connection, scope, personId);
  if (by.personId === before.id) throw fail('invalid_state', { details: { reason: 'own_roles' } });
  await connection.query(
    'delete from control.roles where scope = $1 and person_id = $2 and role <> all ($3)',
    [scope, before.id, roles],
  );
  await connection.query(
    `insert into control.roles (scope, person_id, role, granted_at, granted_by)
     select $1, $2, role, $4, $5 from unnest($3::text[]) as role on conflict do nothing`,
    [scope, before.id, roles, instantOf(parts.clocks.realNow()), by.personId],
  );
  if (before.roles.includes(highestRole(scope))) await assertManaged(connection, scope);
  await endSessions(connection, parts, { personId: before.id, scope }, 'roles_changed');
  return { before, after: { ...before, roles: [...roles].sort() } };
}
