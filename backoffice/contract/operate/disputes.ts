import { List, pageQuery } from '@tenant-payments/contract/core/page.ts';
import { Closed, OneOf } from '@tenant-payments/contract/core/schema.ts';
import { DisputeCase } from '@tenant-payments/contract/resources/dispute_cases.ts';
import { disputeLifecycle } from '@tenant-payments/contract/resources/disputes.ts';
import Type from 'typebox';
import { portalEndpoint } from '../endpoint.ts';
import { asFile, inOrder, madeBetween, ofCustomer } from '../records/list_filters.ts';

export const listDisputes = portalEndpoint({
  id: 'listDisputes',
  method: 'GET',
  path: '/portal/api/disputes',
  summary: 'List disputes with their case and deadlines, newest first',
  idempotent: 'none',
  may: ['reader', 'support'],
  of: 'tenant',
  personal: 'data',
  access: 'export',
  stepUp: 'by_format',
  query: Closed({
    status: Type.Optional(OneOf<readonly string[]>(disputeLifecycle.states)),
    ...ofCustomer,
    ...madeBetween,
    ...inOrder,
    ...asFile,
    ...pageQuery,
  }),
  success: { status: 200, schema: List(DisputeCase) },
  errors: ['parameter_invalid'],
});
