import { Closed, IdInput } from '@tenant-payments/contract/core/schema.ts';
import { PasskeyAnswer, PasskeyOptions } from '@tenant-payments/contract/hosted/confirm.ts';
import Type from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** How an approver signs what is approved (rules/approvals#23). */

/** The body of an approval, beside its note. */
export const signature = {
  credential: Type.Optional(PasskeyAnswer.properties.credential),
} as const;

const begins = {
  method: 'POST',
  summary:
    'Get the options with which a browser asks the approver for a passkey, over the hash of the request',
  idempotent: 'none',
  params: Closed({ id: IdInput('The request') }),
  success: { status: 200, schema: PasskeyOptions },
  errors: ['not_found', 'invalid_state'],
} as const;

export const beginApprovalConsent = portalEndpoint({
  id: 'beginApprovalConsent',
  path: '/portal/api/approvals/:id/consent',
  may: ['reviewer'],
  of: 'tenant',
  ...begins,
});

export const beginPlatformApprovalConsent = portalEndpoint({
  id: 'beginPlatformApprovalConsent',
  path: '/portal/api/platform-approvals/:id/consent',
  may: ['admin'],
  of: 'platform',
  ownTenant: true,
  ...begins,
});
