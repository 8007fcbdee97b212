import { Cents } from '@tenant-payments/contract/core/money.ts';
import { List } from '@tenant-payments/contract/core/page.ts';
import { Closed, Id, IdInput, Instant, Nullable } from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** A record of a customer that is or was a case of the desk (rules/review#37). */
export const CustomerCase = Closed({
  object: Type.Literal('customer_case'),
  resource: Type.String({ description: 'As in the path of a case' }),
  id: Id('The record'),
  status: Type.String({ description: 'Status of the record' }),
  amount: Nullable(Cents),
  waiting_since: Nullable(Instant('Since when it waits for a person; null: it does not wait')),
  last_move: Nullable(Type.String({ description: 'The last decision; null: none was made' })),
  last_moved_at: Nullable(Instant("When that was made, on the Tenant's clock")),
});
export type CustomerCase = Static<typeof CustomerCase>;

/** Cases of one customer that are listed at most. */
export const maximumCases = 50;

export const listCustomerCases = portalEndpoint({
  id: 'listCustomerCases',
  method: 'GET',
  path: '/portal/api/customers/:id/cases',
  summary: 'List what waits for a person of one customer, and what was decided, newest first',
  idempotent: 'none',
  may: ['support'],
  of: 'tenant',
  params: Closed({ id: IdInput('Customer identifier') }),
  success: { status: 200, schema: List(CustomerCase) },
  errors: ['not_found'],
});
