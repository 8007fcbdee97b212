import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { PlatformAct } from '../../approvals/platform/act.ts';
import type { Seen } from '../../approvals/seen.ts';
import { changeRolesInside, inviteInside } from '../inside.ts';
import { assertInvitable } from '../invitations/make.ts';
import type { InvitationSending } from '../invitations/send_invitation.ts';
import { memberOf } from '../members/members.ts';
import { changeNotice } from '../notices/change_notice.ts';
import type { Notices } from '../notices/notices.ts';
import { platform, queryableOf } from '../scope.ts';
import { emailOf } from '../sign_in/secrets.ts';

/** What two admins do to the staff (rules/approvals#21). */

const named = (roles: readonly Role[]): string | null =>
  roles.length === 0 ? null : [...roles].sort().join(', ');

const rolesChange = (id: string, before: readonly Role[], after: readonly Role[]): Seen => ({
  facts: {},
  effect: {
    postings: [],
    changes: [{ object: 'staff', id, field: 'roles', before: named(before), after: named(after) }],
  },
});

/** The roles of one of the staff become others, or none. */
const changing = (service: Service, notices: Notices, takes?: readonly ['roles']): PlatformAct => ({
  ...(takes && { takes }),
  async look(db, { id, given: { roles = [] } }) {
    const { roles: before } = await memberOf(queryableOf(db), platform, id);
    return rolesChange(id, before, roles);
  },
  async run(tx, { id, given: { roles = [] } }, { maker: by }) {
    const change = { scope: platform, personId: id, roles, by };
    const changed = await changeRolesInside(queryableOf(tx), service, change);
    return {
      after: { roles: changed.after.roles },
      committed() {
        notices.tell(changeNotice(platform, changed));
        return null;
      },
    };
  },
  event: 'roles_changed',
});

/** How people learn of an act. */
export interface Telling {
  readonly sending: InvitationSending;
  readonly notices: Notices;
}

export const staffActs = (service: Service, { sending, notices }: Telling) =>
  ({
    'staff.invite': {
      takes: ['email', 'roles'],
      async look(db, { id, given: { email = '', roles = [] } }) {
        if (id !== 'new') throw fail('not_found', { param: 'id' });
        await assertInvitable(queryableOf(db), platform, email);
        const seen = rolesChange(id, [], roles);
        const to = {
          object: 'invitation',
          id,
          field: 'email',
          before: null,
          after: emailOf(email),
        };
        return { ...seen, effect: { postings: [], changes: [to, ...seen.effect.changes] } };
      },
      async run(tx, { given: { email = '', roles = [] } }, { maker: by }) {
        const invited = { scope: platform, email, roles, by };
        const made = await inviteInside(queryableOf(tx), service, invited);
        const after = { invitation_id: made.id, roles };
        const committed = () => {
          sending.send({ scope: platform, made });
          return sending.shown(made).link;
        };
        return { after, committed };
      },
      event: 'person_invited',
    },
    'staff.change': changing(service, notices, ['roles']),
    'staff.remove': changing(service, notices),
  }) satisfies Readonly<Record<string, PlatformAct>>;
