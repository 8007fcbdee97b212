import { List } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  IdInput,
  Nullable,
  Readable,
  Secret,
} from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';
import { Email } from '../people/invitations.ts';
import { StaffRoles } from '../people/members.ts';
import { putSingleSignOn } from '../people/single_sign_on.ts';
import {
  Approval,
  approveApproval,
  listApprovals,
  platformMoves,
  refuseApproval,
} from './approvals.ts';

/** Requests for acts on the platform, which are of no Tenant (rules/approvals#13). */

const { client_secret: _, ...provider } = putSingleSignOn.body.properties;
const takes = {
  email: Type.Optional(Email),
  roles: Type.Optional(StaffRoles),
};

/** The fields of an act on the platform, as they are kept and shown. */
export const PlatformGiven = Closed({ ...takes, provider: Type.Optional(Closed(provider)) });
export type PlatformGiven = Static<typeof PlatformGiven>;

export const PlatformApproval = Closed({
  ...Approval.properties,
  resource: Type.String({ description: `One of ${Object.keys(platformMoves).join(', ')}` }),
  move: Type.String({ description: 'The act' }),
  body: PlatformGiven,
  people: Type.Array(
    Closed({
      id: Type.String({ description: 'Person identifier' }),
      name: Type.String({ description: 'Name' }),
      email: Type.String({ description: 'Email address' }),
    }),
    { description: 'Whom the request names by id, also such as have left since' },
  ),
  tenant_name: Nullable(Type.String({ description: 'Of the Tenant that it is about; null: none' })),
});
export type PlatformApproval = Static<typeof PlatformApproval>;

export const ApprovedPlatformApproval = Closed({
  ...PlatformApproval.properties,
  link: Nullable(
    Secret('Of an invitation that no message sends: to pass on, shown only once; else null'),
  ),
});
export type ApprovedPlatformApproval = Static<typeof ApprovedPlatformApproval>;

const ofPlatform = {
  idempotent: 'none',
  may: ['admin'],
  of: 'platform',
  ownTenant: true,
} as const;
const errors = ['parameter_missing', 'parameter_invalid', 'not_found', 'invalid_state'] as const;

export const listPlatformApprovals = portalEndpoint({
  id: 'listPlatformApprovals',
  method: 'GET',
  path: '/portal/api/platform-approvals',
  summary:
    'List the requests for acts on the platform, newest first; those that wait with their effect',
  ...ofPlatform,
  query: listApprovals.query,
  success: { status: 200, schema: List(PlatformApproval) },
  errors: ['parameter_invalid'],
});

export const createPlatformApproval = portalEndpoint({
  id: 'createPlatformApproval',
  method: 'POST',
  path: '/portal/api/platform-approvals',
  summary: 'Ask a second admin to approve an act on the platform',
  ...ofPlatform,
  stepUp: true,
  body: Closed({
    resource: IdInput(`One of ${Object.keys(platformMoves).join(', ')}`),
    id: IdInput(
      'The Tenant, the key, the restore, the order of the bank or the person; `new` of who is invited, `platform` of the provider',
    ),
    move: IdInput('An act on it'),
    ...takes,
    provider: Type.Optional(putSingleSignOn.body),
    note: Readable(500, 'Reason; only staff see it'),
  }),
  success: { status: 201, schema: PlatformApproval },
  errors,
});

export const approvePlatformApproval = portalEndpoint({
  id: 'approvePlatformApproval',
  method: 'POST',
  path: '/portal/api/platform-approvals/:id/approve',
  summary: 'Approve a request of another admin; its act is done in the same transaction',
  ...ofPlatform,
  stepUp: 'by_consent',
  params: approveApproval.params,
  body: approveApproval.body,
  success: { status: 200, schema: ApprovedPlatformApproval },
  errors,
});

export const refusePlatformApproval = portalEndpoint({
  id: 'refusePlatformApproval',
  method: 'POST',
  path: '/portal/api/platform-approvals/:id/refuse',
  summary: 'Refuse a request for an act on the platform, or take back an own one',
  ...ofPlatform,
  params: refuseApproval.params,
  body: refuseApproval.body,
  success: { status: 200, schema: PlatformApproval },
  errors: ['parameter_invalid', 'not_found', 'invalid_state'],
});
