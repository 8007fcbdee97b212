import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { Member } from '../../contract/people/members.ts';
import {
  endRoles,
  type Granting,
  grantRoles,
  held,
  highestRole,
  loadGrants,
  rolesHeld,
  type ScopeGrants,
} from '../grant.ts';
import { type InScope, platform } from '../scope.ts';
import { assertChangesAlone } from '../second_admin.ts';
import { endSessions, sessionsIn } from '../sessions/open.ts';
import { type SessionRow, sessions } from '../sessions/table.ts';
import { memberOf } from './members.ts';

/** Commands that change the roles of members and staff, and end their sessions (rules/sign-in#14). */

type Parts = Pick<Service, 'config' | 'control'>;

/** Somebody of a scope. */
interface OfMember {
  readonly id: string;
  readonly tenantId: string;
}

/** The change of a member's roles, for whoever is told. */
export interface ChangedRoles {
  readonly scope: string;
  readonly before: Pick<Member, 'roles'>;
  readonly after: Member;
}

/** The person whose sessions were ended. */
export interface EndedSessions {
  readonly scope: string;
  readonly personId: string;
}

/**
 * After a change: somebody who can sign in still holds the highest role. Of two commands at once the later
 * has read what the earlier has changed, whichever processes they run in.
 * @throws ApiError invalid_state
 */
export function assertManaged({ scope, grants, managers }: ScopeGrants): void {
  const role = highestRole(scope);
  const able = new Set(
    managers.filter(({ disabled_at }) => disabled_at === null).map(({ id }) => id),
  );
  const stay = held(grants).some((grant) => grant.role === role && able.has(grant.person_id));
  if (!stay) throw fail('invalid_state', { details: { reason: `last_${role}` } });
}

interface LoadedMember {
  readonly of: ScopeGrants;
  readonly sessions: readonly SessionRow[];
}

export const loadMember = async (
  read: Read,
  scope: string,
  personId: string,
): Promise<LoadedMember> => {
  const [of, found] = await Promise.all([
    loadGrants(read, scope),
    read.set(sessions, 'person_id', personId),
  ]);
  return { of, sessions: sessionsIn(found, scope) };
};

/**
 * Replaces the roles of a member, and ends the member's sessions there.
 * @param roles empty: none is left; `by`: who asks for it, which an approval names
 * @returns those before
 * @throws ApiError not_found; invalid_state: own roles, or the last admin or owner
 */
export function changeRoles(
  work: Work,
  { of, sessions }: LoadedMember,
  { personId, roles, by }: Pick<Granting, 'personId' | 'roles' | 'by'>,
): Role[] {
  const { scope, grants } = of;
  const before = rolesHeld(grants, personId);
  if (before.length === 0) throw fail('not_found');
  endRoles(work, grants, { personId, but: roles });
  grantRoles(work, grants, { scope, personId, roles, by });
  if (before.includes(highestRole(scope))) assertManaged(of);
  endSessions(work, sessions, 'roles_changed');
  return before;
}

/** PUT and DELETE of a member: without `roles` none is left. */
export const changeMember = (parts: Parts, scopeOf: InScope) =>
  command('change_roles', {
    prepare: async ({ id, tenantId }: OfMember & { readonly roles?: readonly Role[] }) =>
      memberOf(parts.control, scopeOf({ tenantId }), id),
    load: (read, input, { id }) => loadMember(read, scopeOf(input), id),
    decide: (work, loaded, { roles = [] }, member) => {
      const { scope, grants } = loaded.of;
      const by = work.actor.personId;
      const change = { before: rolesHeld(grants, member.id), after: roles };
      const isFirst =
        scope === platform && assertChangesAlone(parts, { work, staff: grants }, change);
      const before = { roles: changeRoles(work, loaded, { personId: member.id, roles, by }) };
      const after: Member = { ...member, roles: [...roles].sort() };
      work.audit({
        record: member.id,
        before,
        after: { roles: after.roles, ...(isFirst && { bootstrap: true }) },
      });
      return { value: after, told: { scope, before, after } satisfies ChangedRoles };
    },
  });

/** DELETE of a member's sessions. */
export const endMemberSessions = (parts: Parts, scopeOf: InScope) =>
  command('end_sessions', {
    prepare: async ({ id, tenantId }: OfMember) =>
      memberOf(parts.control, scopeOf({ tenantId }), id),
    load: async (read, input, { id }) =>
      sessionsIn(await read.set(sessions, 'person_id', id), scopeOf(input)),
    decide: (work, open, input, { id: personId }) => {
      const ended = endSessions(work, open, 'ended_by_admin');
      work.audit({ record: personId, after: { ended } });
      const told: EndedSessions = { scope: scopeOf(input), personId };
      return { value: { ended }, told };
    },
  });
