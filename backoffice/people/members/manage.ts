import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { wholeList } from '@tenant-payments/engine/pages.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import * as invitation from '../../contract/people/invitations.ts';
import * as member from '../../contract/people/members.ts';
import { invite, listInvitations, revokeInvitation } from '../invitations/invitations.ts';
import type { SendInvitation } from '../invitations/send_invitation.ts';
import { changeNotice } from '../notices/change_notice.ts';
import { lockPeople, platform } from '../scope.ts';
import { assertChangesAlone, assertInvitesAlone } from '../second_admin.ts';
import type { Call, PersonServing } from '../serve.ts';
import { endSessions } from '../sessions/sessions.ts';
import { changeRoles, listMembers, memberOf } from './members.ts';

/** Who manages members, staff and invitations: the same acts in the scope of a Tenant or the platform. */
function openManaging(service: Service, send: SendInvitation) {
  const { control } = service;

  async function change(call: Call, scope: string, personId: string, roles: readonly Role[]) {
    const by = call.request.actor;
    const { after } = await call.act(
      async (connection) => {
        await lockPeople(connection);
        const { roles: before } = await memberOf(connection, scope, personId);
        const isFirst =
          scope === platform &&
          (await assertChangesAlone(connection, service, by, { before, after: roles }));
        const changed = await changeRoles(connection, service, { scope, personId, roles, by });
        return { ...changed, isFirst };
      },
      ({ before, after, isFirst }) => ({
        event: 'roles_changed',
        facts: { member_id: personId, scope, roles },
        record: personId,
        scope,
        before: { roles: before.roles },
        after: { roles: after.roles, ...(isFirst && { bootstrap: true }) },
        notice: changeNotice(scope, { before, after }),
      }),
    );
    return after;
  }

  return {
    list: async (scope: string) => wholeList(await listMembers(control, scope)),
    change,
    remove: (call: Call, scope: string, id: string) => change(call, scope, id, []),
    async endSessions(call: Call, scope: string, id: string) {
      const { id: personId } = await memberOf(control, scope, id);
      const ended = await call.act(
        (connection) => endSessions(connection, service, { personId, scope }, 'ended_by_admin'),
        (ended) => ({
          event: 'sessions_ended',
          facts: { member_id: personId, scope },
          record: personId,
          scope,
          after: { ended },
        }),
      );
      return { ended };
    },
    invitations: async (scope: string) => wholeList(await listInvitations(control, service, scope)),
    async invite(call: Call, scope: string, { email, roles }: { email: string; roles: Role[] }) {
      const by = call.request.actor;
      const { made } = await call.act(
        async (connection) => {
          const isFirst =
            scope === platform &&
            (await assertInvitesAlone(connection, service, by, { email, roles }));
          const made = await invite(connection, service, { scope, email, roles, by });
          return { made, isFirst };
        },
        ({ made: { id }, isFirst }) => ({
          event: 'person_invited',
          facts: { invitation_id: id, scope, roles },
          record: id,
          scope,
          after: { roles, ...(isFirst && { bootstrap: true }) },
        }),
      );
      return send(scope, made);
    },
    revoke(call: Call, scope: string, id: string) {
      return call.act(
        (connection) => revokeInvitation(connection, service, scope, id),
        () => ({
          event: 'invitation_revoked',
          facts: { invitation_id: id, scope },
          record: id,
          scope,
        }),
      );
    },
  };
}

const tenantOf = ({ request }: Call): string => request.tenantId;

export function serveManaging(
  { serve }: PersonServing,
  service: Service,
  send: SendInvitation,
): void {
  const acts = openManaging(service, send);
  serve(member.listMembers, (call) => acts.list(tenantOf(call)));
  serve(member.putMember, (call, { id, roles }) => acts.change(call, tenantOf(call), id, roles));
  serve(member.removeMember, (call, { id }) => acts.remove(call, tenantOf(call), id));
  serve(member.endMemberSessions, (call, { id }) => acts.endSessions(call, tenantOf(call), id));
  serve(member.listStaff, () => acts.list(platform));
  serve(member.putStaff, (call, { id, roles }) => acts.change(call, platform, id, roles));
  serve(member.removeStaff, (call, { id }) => acts.remove(call, platform, id));
  serve(member.endStaffSessions, (call, { id }) => acts.endSessions(call, platform, id));

  serve(invitation.listInvitations, (call) => acts.invitations(tenantOf(call)));
  serve(invitation.createInvitation, (call, input) => acts.invite(call, tenantOf(call), input));
  serve(invitation.revokeInvitation, (call, { id }) => acts.revoke(call, tenantOf(call), id));
  serve(invitation.listStaffInvitations, () => acts.invitations(platform));
  serve(invitation.createStaffInvitation, (call, input) => acts.invite(call, platform, input));
  serve(invitation.revokeStaffInvitation, (call, { id }) => acts.revoke(call, platform, id));
}
