import { Closed } from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** The switch of a sandbox that answers as production would (rules/sandbox#48). It is the setting `production_rules`. */
export const ProductionRules = Closed({
  object: Type.Literal('production_rules'),
  enabled: Type.Boolean({
    description: 'A call that production would refuse is refused here, with the same answer',
  }),
});
export type ProductionRules = Static<typeof ProductionRules>;

export const getProductionRules = portalEndpoint({
  id: 'getProductionRules',
  method: 'GET',
  path: '/portal/api/sandbox/production-rules',
  summary: 'Get whether this sandbox answers as production would',
  idempotent: 'none',
  may: ['reader', 'support'],
  sandboxOnly: true,
  of: 'tenant',
  success: { status: 200, schema: ProductionRules },
  errors: ['sandbox_only'],
});

export const putProductionRules = portalEndpoint({
  id: 'putProductionRules',
  method: 'PUT',
  path: '/portal/api/sandbox/production-rules',
  summary: 'Let this sandbox answer as production would, or no longer; an access token can undo it',
  idempotent: 'none',
  may: ['developer', 'admin'],
  sandboxOnly: true,
  of: 'tenant',
  body: Closed({ enabled: Type.Boolean() }),
  success: { status: 200, schema: ProductionRules },
  errors: ['parameter_missing', 'parameter_invalid', 'sandbox_only'],
});
