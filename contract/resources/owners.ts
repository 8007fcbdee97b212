import Type, { type Static } from 'typebox';
import { endpoint } from '../core/endpoint.ts';
import { lifecycle } from '../core/lifecycle.ts';
import { List } from '../core/page.ts';
import { Closed, Id, IdInput, Instant, Nullable, OneOf } from '../core/schema.ts';

export const ownerRoles = ['owner', 'control_person', 'owner_and_control_person'] as const;

/**
 * The owners of a business (rules/owners#6). An owner begins as `invited` when a link was sent, or
 * as `pending` when present in the flow.
 */
export const ownerLifecycle = lifecycle(
  'owner',
  ['invited', 'pending', 'in_review', 'approved', 'rejected'],
  {
    invite: { from: 'new', to: 'invited', by: 'customer', event: 'owner.invited' },
    add: { from: 'new', to: 'pending', by: 'customer', event: 'owner.pending' },
    resend: { from: ['invited'], to: 'same', by: 'customer', event: 'owner.invited' },
    submit: { from: ['invited'], to: 'pending', by: 'owner', simulate: 'owner.pending' },
    unclear: { from: ['pending'], to: 'in_review', by: 'identity', simulate: 'owner.in_review' },
    approve: {
      from: ['pending', 'in_review'],
      to: 'approved',
      by: ['identity', 'reviewer'],
      simulate: 'owner.approved',
    },
    reject: {
      from: ['pending', 'in_review'],
      to: 'rejected',
      by: ['identity', 'reviewer'],
      simulate: 'owner.rejected',
    },
    invite_again: { from: ['rejected'], to: 'invited', by: 'customer' },
  },
);

export const Owner = Closed({
  id: Id('Owner identifier'),
  object: Type.Literal('owner'),
  customer_id: Id('Business customer'),
  name: Type.String({ description: 'The name as entered by the merchant' }),
  role: OneOf(ownerRoles),
  ownership_percent: Nullable(Type.Integer({ description: 'For owners' })),
  verification_status: OneOf(ownerLifecycle.states),
  invited_at: Nullable(Instant('When a verification link was sent')),
  updated_at: Instant('Last change'),
});
export type Owner = Static<typeof Owner>;

export const listOwners = endpoint({
  id: 'listOwners',
  method: 'GET',
  path: '/v1/customers/:id/owners',
  summary: 'List the owners of a business customer',
  idempotent: 'none',
  params: Closed({ id: IdInput('Customer identifier') }),
  success: { status: 200, schema: List(Owner) },
  errors: ['not_found', 'invalid_state'],
});
