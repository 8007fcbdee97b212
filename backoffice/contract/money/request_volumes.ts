import { requestUses } from '@tenant-payments/contract/core/request_uses.ts';
import { Closed, Instant, OneOf } from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** How a Tenant's Requests for Payment went (rules/request-uses#6). */

const Count = (description: string) => Type.Integer({ minimum: 0, description });

const counts = {
  sent: Count('Ordered at the bank'),
  paid: Count('Of them, paid, whatever came after'),
  refused: Count('Of them, refused by the customer or their bank'),
  opted_out: Count('Of them, refused because the customer takes no requests'),
  expired: Count('Of them, not answered in time'),
};

const UseVolume = Closed({
  use_case: OneOf(requestUses, 'What they were for'),
  ...counts,
});

export const RequestVolumes = Closed({
  object: Type.Literal('request_volumes'),
  from: Instant("Since when, on the Tenant's clock"),
  to: Instant('Until when'),
  total: Closed(counts, 'All of them'),
  uses: Type.Array(UseVolume, { description: 'By use; each has its entry' }),
});
export type RequestVolumes = Static<typeof RequestVolumes>;

export const mostDays = 31;

export const getRequestVolumes = portalEndpoint({
  id: 'getRequestVolumes',
  method: 'GET',
  path: '/portal/api/request-volumes',
  summary: 'Count the Requests for Payment of the last days, by use and by how they ended',
  idempotent: 'none',
  may: ['finance', 'support'],
  of: 'tenant',
  query: Closed({
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: mostDays, description: 'Days of 24 hours; default 30' }),
    ),
  }),
  success: { status: 200, schema: RequestVolumes },
  errors: ['parameter_invalid'],
});
