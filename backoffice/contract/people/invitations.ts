import { List } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
  Readable,
  Secret,
} from '@tenant-payments/contract/core/schema.ts';
import { PasskeyAnswer, PasskeyOptions } from '@tenant-payments/contract/hosted/confirm.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';
import { MemberRoles, StaffRoles } from './members.ts';
import { CurrentSession, Role } from './session.ts';

/** Invitations to work for a Tenant or for the platform, and how they are accepted (rules/sign-in). */

const invitationKinds = ['join', 'reset'] as const;

const about = {
  id: Id('Invitation identifier'),
  kind: OneOf(invitationKinds, 'join: gives roles. reset: replaces the passkeys of a person'),
  email: Type.String({ description: 'Whom it invites, in lower case' }),
  roles: Type.Array(Role, { description: 'What it gives' }),
  created_at: Instant('When it was made'),
  expires_at: Instant('Until when it can be accepted'),
};

export const Invitation = Closed({
  ...about,
  status: OneOf(['open', 'accepted', 'revoked', 'expired'], 'Whether it can be accepted'),
});
export type Invitation = Static<typeof Invitation>;

export const NewInvitation = Closed({
  ...about,
  link: Nullable(
    Secret('The address that accepts it, shown only once; null: it is sent to the address'),
  ),
});
export type NewInvitation = Static<typeof NewInvitation>;

/** The invitation that somebody with the link sees before accepting. */
export const OpenInvitation = Closed({
  kind: OneOf(invitationKinds, 'join: gives roles. reset: replaces the passkeys of a person'),
  email: Type.String({ description: 'Whom it invites' }),
  scope_name: Type.String({ description: "`Platform`, or the Tenant's name" }),
  roles: Type.Array(Role, { description: 'What it gives' }),
  expires_at: Instant('Until when it can be accepted'),
  has_passkey: Type.Boolean({
    description: 'The person is known here: the passkey there is accepts it, and none is made',
  }),
});
export type OpenInvitation = Static<typeof OpenInvitation>;

export const AcceptedInvitation = Closed({
  session: CurrentSession,
  recovery_codes: Nullable(
    Type.Array(Secret('Shown only once'), {
      description: 'null: the person has some already',
    }),
  ),
});
export type AcceptedInvitation = Static<typeof AcceptedInvitation>;

const ofTenant = { idempotent: 'none', may: ['owner', 'admin'], of: 'tenant' } as const;
const ofPlatform = { idempotent: 'none', may: ['admin'], of: 'platform' } as const;
const byLink = { idempotent: 'none', authenticated: false, may: 'anybody', of: 'person' } as const;
const params = Closed({ id: IdInput('Invitation identifier') });
/** An address as an invitation takes it; a provider's claim is held to the same. */
export const Email = Type.String({
  format: 'email',
  maxLength: 254,
  description: 'Whom to invite',
});
const token = Secret('The token behind `#invitation=` of the link');

export const listInvitations = portalEndpoint({
  id: 'listInvitations',
  method: 'GET',
  path: '/portal/api/invitations',
  summary: 'List the invitations to this Tenant of the last 30 days, newest first',
  ...ofTenant,
  success: { status: 200, schema: List(Invitation) },
  errors: [],
});

export const createInvitation = portalEndpoint({
  id: 'createInvitation',
  method: 'POST',
  path: '/portal/api/invitations',
  summary: 'Invite somebody to this Tenant; replaces an open invitation of the same address',
  ...ofTenant,
  stepUp: true,
  body: Closed({ email: Email, roles: MemberRoles }),
  success: { status: 201, schema: NewInvitation },
  errors: ['invalid_state'],
});

export const revokeInvitation = portalEndpoint({
  id: 'revokeInvitation',
  method: 'DELETE',
  path: '/portal/api/invitations/:id',
  summary: 'Revoke an open invitation to this Tenant',
  ...ofTenant,
  params,
  success: { status: 200, schema: Invitation },
  errors: ['invalid_state', 'not_found'],
});

export const listStaffInvitations = portalEndpoint({
  id: 'listStaffInvitations',
  method: 'GET',
  path: '/portal/api/staff-invitations',
  summary: 'List the invitations to the platform of the last 30 days, newest first',
  ...ofPlatform,
  success: { status: 200, schema: List(Invitation) },
  errors: [],
});

export const createStaffInvitation = portalEndpoint({
  id: 'createStaffInvitation',
  method: 'POST',
  path: '/portal/api/staff-invitations',
  summary: 'Invite somebody to the platform; replaces an open invitation of the same address',
  ...ofPlatform,
  stepUp: true,
  body: Closed({ email: Email, roles: StaffRoles }),
  success: { status: 201, schema: NewInvitation },
  errors: ['invalid_state'],
});

export const revokeStaffInvitation = portalEndpoint({
  id: 'revokeStaffInvitation',
  method: 'DELETE',
  path: '/portal/api/staff-invitations/:id',
  summary: 'Revoke an open invitation to the platform',
  ...ofPlatform,
  params,
  success: { status: 200, schema: Invitation },
  errors: ['invalid_state', 'not_found'],
});

export const openInvitation = portalEndpoint({
  id: 'openInvitation',
  method: 'POST',
  path: '/portal/api/accept-invitation/open',
  summary: 'Get what an invitation gives, with its token; changes nothing',
  ...byLink,
  body: Closed({ token }),
  success: { status: 200, schema: OpenInvitation },
  errors: ['invalid_state', 'not_found'],
});

export const beginAcceptance = portalEndpoint({
  id: 'beginAcceptance',
  method: 'POST',
  path: '/portal/api/accept-invitation/begin',
  summary: 'Get the options with which a browser makes, or asks for, the passkey that accepts',
  ...byLink,
  body: Closed({ token, name: Type.Optional(Readable(100, 'Name of a new person')) }),
  success: { status: 200, schema: PasskeyOptions },
  errors: ['invalid_state', 'not_found'],
});

export const finishAcceptance = portalEndpoint({
  id: 'finishAcceptance',
  method: 'POST',
  path: '/portal/api/accept-invitation/finish',
  summary: "Accept an invitation with the passkey's answer, and sign in; it works once",
  ...byLink,
  body: Closed({
    token,
    name: Type.Optional(Readable(100, 'Name of a new person')),
    ...PasskeyAnswer.properties,
  }),
  success: { status: 200, schema: AcceptedInvitation },
  errors: ['invalid_state', 'not_found'],
});
