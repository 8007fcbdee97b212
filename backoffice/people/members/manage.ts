import { wholeList } from '@tenant-payments/engine/pages.ts';
import { requestEvent } from '@tenant-payments/service/http/log/security.ts';
import {
  type AfterCommit,
  serveHandler,
  servePlatform,
} from '@tenant-payments/service/http/serve/serve.ts';
import type { Messages } from '@tenant-payments/service/rails/messages.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { FastifyInstance } from 'fastify';
import * as invitation from '../../contract/people/invitations.ts';
import * as member from '../../contract/people/members.ts';
import { listInvitations } from '../invitations/invitations.ts';
import type { ToldInvitation } from '../invitations/make.ts';
import { createInvitation, revokeInvitation } from '../invitations/manage.ts';
import { openInvitationSending } from '../invitations/send_invitation.ts';
import { changeNotice } from '../notices/change_notice.ts';
import type { Notices } from '../notices/notices.ts';
import { ofPlatform, ofTenant } from '../scope.ts';
import {
  type ChangedRoles,
  changeMember,
  type EndedSessions,
  endMemberSessions,
} from './change.ts';
import { listMembers } from './members.ts';

/** The operations of one kind of scope. */
const served = [
  {
    scopeOf: ofTenant,
    list: member.listMembers,
    put: member.putMember,
    remove: member.removeMember,
    endSessions: member.endMemberSessions,
    invitations: invitation.listInvitations,
    invite: invitation.createInvitation,
    revoke: invitation.revokeInvitation,
  },
  {
    scopeOf: ofPlatform,
    list: member.listStaff,
    put: member.putStaff,
    remove: member.removeStaff,
    endSessions: member.endStaffSessions,
    invitations: invitation.listStaffInvitations,
    invite: invitation.createStaffInvitation,
    revoke: invitation.revokeStaffInvitation,
  },
] as const;

/** Registers who manages members, staff and invitations: the same acts in a Tenant and on the platform. */
export function serveManaging(
  scope: FastifyInstance,
  service: Service,
  messages: Messages,
  notices: Notices,
): void {
  const { control, log } = service;
  const sending = openInvitationSending(service, messages);

  const changed: AfterCommit<ChangedRoles> = (told, request) => {
    const { id, roles } = told.after;
    requestEvent(log, request, 'roles_changed', { member_id: id, scope: told.scope, roles });
    notices.tell(changeNotice(told.scope, told));
  };
  const ended: AfterCommit<EndedSessions> = ({ scope: of, personId }, request) =>
    requestEvent(log, request, 'sessions_ended', { member_id: personId, scope: of });
  const invited: AfterCommit<ToldInvitation> = (told, request) => {
    const { id, roles } = told.made;
    requestEvent(log, request, 'person_invited', { invitation_id: id, scope: told.scope, roles });
    sending.send(told);
  };
  const revoked: AfterCommit<{ id: string; scope: string }> = ({ id, scope: of }, request) =>
    requestEvent(log, request, 'invitation_revoked', { invitation_id: id, scope: of });

  for (const { scopeOf, ...of } of served) {
    serveHandler(scope, service, of.list, async (caller) =>
      wholeList(await listMembers(control, scopeOf(caller))),
    );
    const change = changeMember(service, scopeOf);
    servePlatform(scope, service, of.put, change, changed);
    servePlatform(scope, service, of.remove, change, changed);
    servePlatform(scope, service, of.endSessions, endMemberSessions(service, scopeOf), ended);
    serveHandler(scope, service, of.invitations, async (caller) =>
      wholeList(await listInvitations(control, service, scopeOf(caller))),
    );
    const invite = createInvitation(service, scopeOf, sending.shown);
    servePlatform(scope, service, of.invite, invite, invited);
    servePlatform(scope, service, of.revoke, revokeInvitation(scopeOf), revoked);
  }
}
