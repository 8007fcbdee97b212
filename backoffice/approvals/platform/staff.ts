import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { rolesHeld } from '../../people/grant.ts';
import { addInvitation, assertInvitable, loadInvited } from '../../people/invitations/make.ts';
import type { InvitationSending } from '../../people/invitations/send_invitation.ts';
import { changeRoles, loadMember } from '../../people/members/change.ts';
import { memberOf } from '../../people/members/members.ts';
import { changeNotice } from '../../people/notices/change_notice.ts';
import type { Notices } from '../../people/notices/notices.ts';
import { platform } from '../../people/scope.ts';
import { emailOf } from '../../people/sign_in/secrets.ts';
import type { Seen } from '../seen.ts';
import { type PlatformAct, platformAct } from './act.ts';

/** The acts of two admins on the staff (rules/approvals#21). */

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
const changing = (
  { control }: Pick<Service, 'control'>,
  notices: Notices,
  takes?: readonly ['roles'],
): PlatformAct =>
  platformAct({
    ...(takes && { takes }),
    prepare: ({ id }) => memberOf(control, platform, id),
    load: (read, _asked, { id }) => loadMember(read, platform, id),
    look({ of: { grants } }, { id, given: { roles = [] } }) {
      const before = rolesHeld(grants, id);
      if (before.length === 0) throw fail('not_found');
      return rolesChange(id, before, roles);
    },
    run(work, loaded, { id, given: { roles = [] } }, { maker, ready: member }) {
      const change = { personId: id, roles, by: maker.personId };
      const before = { roles: changeRoles(work, loaded, change) };
      const after = { ...member, roles: [...roles].sort() };
      return {
        after: { roles: after.roles },
        committed() {
          notices.tell(changeNotice(platform, { before, after }));
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

export const staffActs = (service: Service, { sending, notices }: Telling) => ({
  'staff.invite': platformAct({
    takes: ['email', 'roles'],
    prepare: ({ given: { email = '' } }) => assertInvitable(service.control, platform, email),
    load: (read, { given: { email = '' } }) => loadInvited(read, email),
    look(_before, { id, given: { email = '', roles = [] } }) {
      if (id !== 'new') throw fail('not_found', { param: 'id' });
      const seen = rolesChange(id, [], roles);
      const to = { object: 'invitation', id, field: 'email', before: null, after: emailOf(email) };
      return { ...seen, effect: { postings: [], changes: [to, ...seen.effect.changes] } };
    },
    run(work, before, { given: { email = '', roles = [] } }, { maker: by }) {
      const invited = { kind: 'join', scope: platform, email, roles, by } as const;
      const made = addInvitation(work, service, before, invited);
      const committed = () => {
        sending.send({ scope: platform, made });
        return sending.shown(made).link;
      };
      return { after: { invitation_id: made.id, roles }, committed };
    },
    event: 'person_invited',
  }),
  'staff.change': changing(service, notices, ['roles']),
  'staff.remove': changing(service, notices),
});
