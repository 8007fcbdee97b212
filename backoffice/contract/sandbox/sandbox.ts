import {
  Closed,
  Id,
  Instant,
  Nullable,
  Readable,
  Secret,
  Text,
} from '@tenant-payments/contract/core/schema.ts';
import { Magic } from '@tenant-payments/contract/sandbox/magic.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** The values that a sandbox is played with: its people, banks and amounts (rules/sandbox#18). */

export const getMagic = portalEndpoint({
  id: 'getMagic',
  method: 'GET',
  path: '/portal/api/sandbox/magic',
  summary: 'Get the sample people, and the names, banks and amounts that have a fixed outcome',
  idempotent: 'none',
  may: ['reader', 'support'],
  sandboxOnly: true,
  of: 'tenant',
  success: { status: 200, schema: Magic },
  errors: ['sandbox_only'],
});

const tenantName = Readable(100, 'The name of the Tenant');

export const NewSandboxTenant = Closed({
  id: Id('Identifier of the Tenant; the scope in which its owner acts'),
  object: Type.Literal('tenant'),
  name: Type.String(),
  client_id: Type.String(),
  client_secret: Secret('Shown only once'),
  webhook_secret: Secret('Shown only once'),
  base_url: Type.String({ description: 'Where its calls go' }),
});
export type NewSandboxTenant = Static<typeof NewSandboxTenant>;

export const createSandboxTenant = portalEndpoint({
  id: 'createSandboxTenant',
  method: 'POST',
  path: '/portal/api/sandbox/tenants',
  summary: 'Create another Tenant in this sandbox, which belongs to the person who calls',
  idempotent: 'none',
  may: ['developer', 'admin'],
  stepUp: true,
  sandboxOnly: true,
  of: 'tenant',
  body: Closed({
    name: tenantName,
    sample: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether it begins with the sample people' }),
    ),
  }),
  success: { status: 201, schema: NewSandboxTenant },
  errors: ['parameter_missing', 'parameter_invalid', 'sandbox_only'],
});

export const SandboxReset = Closed({
  id: Id('Identifier of the Tenant that takes the place of this one'),
  object: Type.Literal('tenant'),
  name: Type.String(),
  replaced_id: Id('Identifier of the Tenant as it was; nobody acts in it any more'),
});
export type SandboxReset = Static<typeof SandboxReset>;

export const resetSandbox = portalEndpoint({
  id: 'resetSandbox',
  method: 'POST',
  path: '/portal/api/sandbox/reset',
  summary:
    'Begin anew: a fresh sample Tenant takes over name, settings, people, credentials and endpoint',
  idempotent: 'none',
  may: ['developer', 'admin'],
  sandboxOnly: true,
  of: 'tenant',
  body: Closed({ name: tenantName }),
  success: { status: 200, schema: SandboxReset },
  errors: ['parameter_missing', 'parameter_invalid', 'sandbox_only', 'invalid_state'],
});

export const TemporaryClient = Closed({
  client_id: Type.String(),
  client_secret: Secret('Shown only once'),
  expires_at: Instant('When the secret ends, in real time'),
  webhook_secret: Nullable(
    Secret('The newest that signs events to the first endpoint; null: there is none'),
  ),
});
export type TemporaryClient = Static<typeof TemporaryClient>;

export const createTemporaryClient = portalEndpoint({
  id: 'createTemporaryClient',
  method: 'POST',
  path: '/portal/api/sandbox/client',
  summary: 'Make a secret of the client that ends after a day, for the command line',
  idempotent: 'none',
  may: ['developer', 'admin'],
  sandboxOnly: true,
  of: 'tenant',
  success: { status: 201, schema: TemporaryClient },
  errors: ['not_found'],
});

export const SignInLink = Closed({
  url: Secret('Signs in once as the sample person; the link before it ends'),
});
export type SignInLink = Static<typeof SignInLink>;

export const createSignInLink = portalEndpoint({
  id: 'createSignInLink',
  method: 'POST',
  path: '/portal/api/sandbox/sign-in-link',
  summary:
    "Make a link that signs in once as the sandbox's sample person; the operator key alone does it",
  idempotent: 'none',
  authenticated: false,
  key: 'operator',
  may: ['admin'],
  of: 'platform',
  stepUp: true,
  sandboxOnly: true,
  body: Closed({ client_id: Text(64, 'A client of the Tenant in which it acts') }),
  success: { status: 201, schema: SignInLink },
  errors: ['parameter_missing', 'parameter_invalid', 'not_found', 'authentication_required'],
});
