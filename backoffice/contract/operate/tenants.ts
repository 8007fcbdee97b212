import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  Readable,
  Secret,
  Text,
} from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** The shape of `DATA_DIR/sandbox.json` (rules/sandbox#24). */
export const SandboxFacts = Closed({
  client_id: Type.String(),
  client_secret: Secret('Shown only once'),
  webhook_secret: Secret('Shown only once'),
  base_url: Type.String(),
  portal_url: Type.String(),
  portal_sign_in_url: Nullable(
    Secret('Signs in once as the sample person, who owns the Tenant; null in production'),
  ),
  shop_url: Nullable(Type.String({ description: 'null: no example shop is open' })),
  docs_url: Nullable(Type.String({ description: 'null: the documentation is not served' })),
});
export type SandboxFacts = Static<typeof SandboxFacts>;

/** The facts that a new Tenant begins with, and the only copy of its secrets. */
export const NewTenant = Closed({
  tenant_id: Id('Identifier of the Tenant'),
  ...SandboxFacts.properties,
});
export type NewTenant = Static<typeof NewTenant>;

export const createTenant = portalEndpoint({
  id: 'createTenant',
  method: 'POST',
  path: '/portal/api/tenants',
  summary: 'Create a Tenant; in a sandbox the operator key does it too',
  idempotent: 'none',
  // A client of ours fetches no access token for it.
  authenticated: false,
  key: 'operator',
  may: ['admin'],
  of: 'platform',
  stepUp: true,
  body: Closed({
    name: Readable(100),
    rate_limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'Requests in 60 s' }),
    ),
    cell: Type.Optional(Text(63, 'The cell that it is made in; absent: the first of this service')),
  }),
  success: { status: 201, schema: NewTenant },
  errors: ['parameter_missing', 'parameter_invalid', 'authentication_required'],
});

export const TenantState = Closed({
  id: Id('Identifier of the Tenant'),
  object: Type.Literal('tenant'),
  suspended_at: Nullable(Instant('Since when its client gets no access token; in real time')),
});
export type TenantState = Static<typeof TenantState>;

const ofOne = {
  idempotent: 'none',
  may: ['admin'],
  of: 'platform',
  ownTenant: true,
  params: Closed({ id: IdInput('The Tenant') }),
  success: { status: 200, schema: TenantState },
} as const;

export const suspendTenant = portalEndpoint({
  id: 'suspendTenant',
  method: 'POST',
  path: '/portal/api/tenants/:id/suspend',
  summary:
    'End the access tokens of a Tenant and give it none; in production a second admin approves it',
  ...ofOne,
  stepUp: true,
  body: Closed({ reason: Readable(500, 'Why; only staff see it') }),
  errors: ['parameter_missing', 'parameter_invalid', 'not_found', 'invalid_state'],
});

export const resumeTenant = portalEndpoint({
  id: 'resumeTenant',
  method: 'POST',
  path: '/portal/api/tenants/:id/resume',
  summary: 'Give the client of a suspended Tenant access tokens again',
  ...ofOne,
  stepUp: true,
  errors: ['parameter_invalid', 'not_found', 'invalid_state'],
});
