import { List, pageQuery } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
} from '@tenant-payments/contract/core/schema.ts';
import { DisputeCase } from '@tenant-payments/contract/resources/dispute_cases.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** The disputes of all Tenants by their deadlines (rules/disputes#44). */

/** The deadlines of a dispute, in the order in which they usually fall. */
export const deadlineNames = [
  'provisional_credit',
  'credit_notice',
  'result',
  'correction',
  'result_notice',
  'reversal',
] as const satisfies readonly (keyof DisputeCase['deadlines'])[];

export const BoardDispute = Closed({
  object: Type.Literal('board_dispute'),
  tenant_id: Id('The Tenant'),
  tenant_name: Type.String({ description: "The Tenant's name" }),
  now: Instant("The Tenant's clock, which the deadlines go by"),
  next: Nullable(
    Closed(
      { deadline: OneOf(deadlineNames), at: Instant('When it ends') },
      'The first deadline that is open; null: none is',
    ),
  ),
  late: Type.Boolean({ description: 'That deadline has passed' }),
  record: DisputeCase,
});
export type BoardDispute = Static<typeof BoardDispute>;

export const listDisputeBoard = portalEndpoint({
  id: 'listDisputeBoard',
  method: 'GET',
  path: '/portal/api/dispute-board',
  summary: 'List the disputes of all Tenants that are not closed, the first deadline at the top',
  idempotent: 'none',
  may: ['support'],
  of: 'platform',
  ownTenant: true,
  personal: 'data',
  query: Closed({
    tenant_id: Type.Optional(IdInput('Of this Tenant alone')),
    ...pageQuery,
  }),
  success: { status: 200, schema: List(BoardDispute) },
  errors: ['parameter_invalid'],
});
