import { isUuid } from '@tenant-payments/contract/core/ids.ts';
import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { NewInvitation } from '../../contract/people/invitations.ts';
import { assertOther, rolesHeld } from '../grant.ts';
import { type InScope, platform } from '../scope.ts';
import { assertInvitesAlone } from '../second_admin.ts';
import { emailOf } from '../sign_in/secrets.ts';
import { people, roleGrants } from '../table.ts';
import { invitationView, statusOf } from './invitations.ts';
import {
  addInvitation,
  assertInvitable,
  loadInvited,
  type MadeInvitation,
  type ToldInvitation,
} from './make.ts';
import { invitations } from './table.ts';

/** Commands that invite somebody to a scope, and take it back (rules/sign-in#12). */

type Parts = Pick<Service, 'config' | 'control' | 'vault'>;

interface Inviting {
  readonly tenantId: string;
  readonly email: string;
  readonly roles: readonly Role[];
}

/**
 * @param shown as its inviter sees it; absent: with the link
 * @throws ApiError invalid_state: holds roles there already, invites themselves, or a second admin must approve it
 */
export const createInvitation = (
  parts: Parts,
  scopeOf: InScope,
  shown: (made: MadeInvitation) => NewInvitation = (made) => made,
) =>
  command('create_invitation', {
    prepare: ({ email, tenantId }: Inviting) =>
      assertInvitable(parts.control, scopeOf({ tenantId }), email),
    load: async (read, input) => {
      const [before, person, staff] = await Promise.all([
        loadInvited(read, input.email),
        read.by(people, 'email', { email: emailOf(input.email) }),
        scopeOf(input) === platform ? read.set(roleGrants, 'scope', platform) : null,
      ]);
      return { before, person, staff };
    },
    decide: (work, { before, person, staff }, { tenantId, email, roles }) => {
      assertOther(work.actor.personId, person?.id ?? null);
      const scope = scopeOf({ tenantId });
      const given = staff ? [...roles, ...rolesHeld(staff, person?.id ?? null)] : roles;
      const isFirst = staff !== null && assertInvitesAlone(parts, { work, staff }, given);
      const invited = { kind: 'join', scope, email, roles, by: work.actor } as const;
      const made = addInvitation(work, parts, before, invited);
      if (isFirst) work.audit({ record: made.id, after: { roles, bootstrap: true } });
      return { value: shown(made), told: { scope, made } satisfies ToldInvitation };
    },
  });

/** @throws ApiError not_found; invalid_state: accepted, revoked or expired */
export const revokeInvitation = (scopeOf: InScope) =>
  command('revoke_invitation', {
    load: async (read, { id }: { readonly id: string; readonly tenantId: string }) => {
      if (!isUuid(id)) throw fail('not_found');
      return read.one(invitations, id);
    },
    decide: (work, row, { tenantId }) => {
      if (row.scope !== scopeOf({ tenantId })) throw fail('not_found');
      const status = statusOf(row, work.now);
      if (status !== 'open') throw fail('invalid_state', { details: { reason: status } });
      const revoked = work.change<typeof invitations>(row, { revoked_at: work.now });
      const told = { id: row.id, scope: row.scope };
      return { value: invitationView(revoked, work.now), told };
    },
  });
