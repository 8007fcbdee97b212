import Type, { type Static } from 'typebox';
import { Closed, Nullable, Secret, Text } from '../core/schema.ts';
import { portalEndpoint } from './endpoint.ts';

/** The shape of `DATA_DIR/sandbox.json` (rules/sandbox#24). */
export const SandboxFacts = Closed({
  client_id: Type.String(),
  client_secret: Secret('Shown only once'),
  webhook_secret: Secret('Shown only once'),
  base_url: Type.String(),
  portal_url: Type.String(),
  shop_url: Nullable(Type.String({ description: 'null: no example shop is open' })),
  docs_url: Type.String(),
});
export type SandboxFacts = Static<typeof SandboxFacts>;

export const createTenant = portalEndpoint({
  id: 'createTenant',
  method: 'POST',
  path: '/portal/api/tenants',
  summary: 'Create another Tenant in this sandbox; takes the operator key',
  idempotent: 'none',
  authenticated: false,
  key: 'operator',
  role: 'operator',
  body: Closed({
    name: Text(100),
    rate_limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'Requests in 60 s' }),
    ),
  }),
  success: { status: 201, schema: SandboxFacts },
  errors: ['parameter_missing', 'parameter_invalid', 'authentication_required'],
});
