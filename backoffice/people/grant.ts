import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { platform } from './scope.ts';
import { type PersonRow, people, type RoleGrantRow, roleGrants } from './table.ts';

/** Parts of commands that give roles and take them away (rules/sign-in#14). */

/**
 * Nobody changes their own roles, nor asks for it (rules/sign-in#14). @param by null: nobody with roles
 * @throws ApiError invalid_state
 */
export function assertOther(by: string | null, personId: string | null): void {
  if (by !== null && by === personId)
    throw fail('invalid_state', { details: { reason: 'own_roles' } });
}

/** The role without which nobody could manage a scope. */
export const highestRole = (scope: string): Role => (scope === platform ? 'admin' : 'owner');

/** The roles of a scope, those that have ended too, and the people who manage it. */
export interface ScopeGrants {
  readonly scope: string;
  readonly grants: readonly RoleGrantRow[];
  readonly managers: readonly PersonRow[];
}

/** Reads the grants of a scope; of two commands at once that change them, the later decides again. */
export async function loadGrants(read: Read, scope: string): Promise<ScopeGrants> {
  const grants = await read.set(roleGrants, 'scope', scope);
  const highest = held(grants).filter(({ role }) => role === highestRole(scope));
  const managers = await Promise.all(highest.map(({ person_id: id }) => read.one(people, id)));
  return { scope, grants, managers };
}

export const held = (grants: readonly RoleGrantRow[]): readonly RoleGrantRow[] =>
  grants.filter(({ ended_at }) => ended_at === null);

/** The roles that somebody holds of these, by name. */
export const rolesHeld = (grants: readonly RoleGrantRow[], personId: string | null): Role[] =>
  held(grants)
    .filter(({ person_id }) => person_id === personId)
    .map(({ role }) => role)
    .sort();

export interface Granting {
  readonly scope: string;
  readonly personId: string;
  readonly roles: readonly Role[];
  /** The giver; null: nobody, such as the command line. */
  readonly by: string | null;
  readonly bootstrap?: boolean;
}

/**
 * Gives roles that are not held. One that has ended is given anew, and counts from now.
 * @param grants those of the scope, or of the person
 * @throws ApiError invalid_state: own roles
 */
export function grantRoles(
  work: Work,
  grants: readonly RoleGrantRow[],
  { scope, personId, roles, by, bootstrap = false }: Granting,
): void {
  assertOther(by, personId);
  const given = { granted_at: work.now, granted_by: by, bootstrap, ended_at: null };
  for (const role of roles) {
    const row = grants.find(
      (one) => one.scope === scope && one.person_id === personId && one.role === role,
    );
    if (!row) work.create(roleGrants, { scope, person_id: personId, role, ...given });
    else if (row.ended_at !== null) work.change<typeof roleGrants>(row, given);
  }
}

/** Takes away what somebody holds of these, but for some roles. */
export function endRoles(
  work: Work,
  grants: readonly RoleGrantRow[],
  { personId, but }: { readonly personId: string; readonly but: readonly Role[] },
): void {
  for (const row of held(grants))
    if (row.person_id === personId && !but.includes(row.role))
      work.change<typeof roleGrants>(row, { ended_at: work.now });
}
