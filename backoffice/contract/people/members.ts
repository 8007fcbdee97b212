import { List } from '@tenant-payments/contract/core/page.ts';
import { memberRoles, staffRoles } from '@tenant-payments/contract/core/roles.ts';
import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
} from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static, type TSchema } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';
import { EndedSessions, Role } from './session.ts';

/** People who work for a Tenant or for the platform (rules/sign-in). */

export const Member = Closed({
  id: Id('Person identifier'),
  email: Type.String({ description: 'Email address in lower case' }),
  name: Type.String({ description: 'Name' }),
  roles: Type.Array(Role, { description: 'Held here' }),
  disabled: Type.Boolean({ description: 'The person cannot sign in' }),
  passkeys: Type.Integer({ minimum: 0, description: 'How many passkeys the person has' }),
  last_signed_in_at: Nullable(Instant('When the person last signed in')),
});
export type Member = Static<typeof Member>;

const some = <T extends TSchema>(role: T) =>
  Type.Array(role, { minItems: 1, maxItems: 4, uniqueItems: true, description: 'All roles held' });

export const MemberRoles = some(OneOf(memberRoles));
export const StaffRoles = some(OneOf(staffRoles));

/** Owners manage the members of their Tenant, admins those of every Tenant. */
const ofTenant = { idempotent: 'none', may: ['owner', 'admin'], of: 'tenant' } as const;
/** Admins manage the staff of the platform. */
const ofPlatform = { idempotent: 'none', may: ['admin'], of: 'platform' } as const;
const params = Closed({ id: IdInput('Person identifier') });

export const listMembers = portalEndpoint({
  id: 'listMembers',
  method: 'GET',
  path: '/portal/api/members',
  summary: 'List the members of the Tenant, by email address',
  ...ofTenant,
  success: { status: 200, schema: List(Member) },
  errors: [],
});

export const putMember = portalEndpoint({
  id: 'putMember',
  method: 'PUT',
  path: '/portal/api/members/:id',
  summary: "Replace a member's roles; ends the member's sessions in this Tenant",
  ...ofTenant,
  stepUp: true,
  params,
  body: Closed({ roles: MemberRoles }),
  success: { status: 200, schema: Member },
  errors: ['invalid_state', 'not_found'],
});

export const removeMember = portalEndpoint({
  id: 'removeMember',
  method: 'DELETE',
  path: '/portal/api/members/:id',
  summary: "Take all roles in this Tenant from a member, and end the member's sessions in it",
  ...ofTenant,
  stepUp: true,
  params,
  success: { status: 200, schema: Member },
  errors: ['invalid_state', 'not_found'],
});

export const endMemberSessions = portalEndpoint({
  id: 'endMemberSessions',
  method: 'DELETE',
  path: '/portal/api/members/:id/sessions',
  summary: "End a member's sessions in this Tenant",
  ...ofTenant,
  params,
  success: { status: 200, schema: EndedSessions },
  errors: ['not_found'],
});

export const listStaff = portalEndpoint({
  id: 'listStaff',
  method: 'GET',
  path: '/portal/api/staff',
  summary: 'List the staff of the platform, by email address',
  ...ofPlatform,
  success: { status: 200, schema: List(Member) },
  errors: [],
});

export const putStaff = portalEndpoint({
  id: 'putStaff',
  method: 'PUT',
  path: '/portal/api/staff/:id',
  summary: "Replace the roles of one of the staff; ends the person's sessions on the platform",
  ...ofPlatform,
  stepUp: true,
  params,
  body: Closed({ roles: StaffRoles }),
  success: { status: 200, schema: Member },
  errors: ['invalid_state', 'not_found'],
});

export const removeStaff = portalEndpoint({
  id: 'removeStaff',
  method: 'DELETE',
  path: '/portal/api/staff/:id',
  summary: "Take all roles on the platform from one of the staff, and end the person's sessions",
  ...ofPlatform,
  stepUp: true,
  params,
  success: { status: 200, schema: Member },
  errors: ['invalid_state', 'not_found'],
});

export const endStaffSessions = portalEndpoint({
  id: 'endStaffSessions',
  method: 'DELETE',
  path: '/portal/api/staff/:id/sessions',
  summary: "End the platform's sessions of one of the staff",
  ...ofPlatform,
  params,
  success: { status: 200, schema: EndedSessions },
  errors: ['not_found'],
});
