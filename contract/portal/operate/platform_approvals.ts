import { List } from '../../core/page.ts';
import { Closed, IdInput, Readable } from '../../core/schema.ts';
import { portalEndpoint } from '../endpoint.ts';
import {
  Approval,
  approveApproval,
  listApprovals,
  platformMoves,
  refuseApproval,
} from './approvals.ts';

/** Requests for acts on the platform, which are of no Tenant (rules/approvals#13). */

const ofPlatform = { idempotent: 'none', may: ['admin'], of: 'platform' } as const;
const errors = ['parameter_missing', 'parameter_invalid', 'not_found', 'invalid_state'] as const;

export const listPlatformApprovals = portalEndpoint({
  id: 'listPlatformApprovals',
  method: 'GET',
  path: '/portal/api/platform-approvals',
  summary:
    'List the requests for acts on the platform, newest first; those that wait with their effect',
  ...ofPlatform,
  query: listApprovals.query,
  success: { status: 200, schema: List(Approval) },
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
    id: IdInput('The Tenant, or the key'),
    move: IdInput('An act on it'),
    note: Readable(500, 'Reason; only staff see it'),
  }),
  success: { status: 201, schema: Approval },
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
  success: { status: 200, schema: Approval },
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
  success: { status: 200, schema: Approval },
  errors: ['parameter_invalid', 'not_found', 'invalid_state'],
});
