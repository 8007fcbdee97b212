import { List, pageQuery } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
} from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** Adjustments of accounts: those that were made and those that were asked for (rules/money-desk#9). */

export const adjustmentStatuses = ['made', 'waiting', 'refused', 'lapsed'] as const;

export const MadeAdjustment = Closed({
  object: Type.Literal('adjustment'),
  id: Id('The move, or the request of one that was not made'),
  status: OneOf(adjustmentStatuses),
  tenant_id: Id('The Tenant'),
  tenant_name: Type.String({ description: "The Tenant's name" }),
  account_id: Id('The account'),
  amount: Type.Integer({
    description: 'Integer cents; above zero the customer was credited, below zero debited',
  }),
  reason: Nullable(Type.String({ description: 'The note of who asked' })),
  asked_by: Type.String({ description: 'Name; the kind of caller where it is no person' }),
  decided_by: Nullable(Type.String({ description: 'Who approved or refused; null: nobody' })),
  decision_note: Nullable(Type.String()),
  approval_id: Nullable(Id('The request for a second person; null: one person was enough')),
  source_id: Nullable(Id('The source_id of its entries; null: it was not made')),
  created_at: Instant("When it was made or asked for, on the Tenant's clock"),
});
export type MadeAdjustment = Static<typeof MadeAdjustment>;

export const listAdjustments = portalEndpoint({
  id: 'listAdjustments',
  method: 'GET',
  path: '/portal/api/adjustments',
  summary: 'List the adjustments of all Tenants, made or asked for, newest first',
  idempotent: 'none',
  may: ['reviewer'],
  of: 'platform',
  ownTenant: true,
  query: Closed({
    tenant_id: Type.Optional(IdInput('Of this Tenant alone')),
    status: Type.Optional(OneOf(adjustmentStatuses)),
    ...pageQuery,
  }),
  success: { status: 200, schema: List(MadeAdjustment) },
  errors: ['parameter_invalid'],
});
