import {
  Closed,
  Id,
  Nullable,
  OneOf,
  Readable,
  Secret,
} from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** What a sandbox is played with: its people, banks and amounts (rules/sandbox#18). */

const SamplePerson = Closed({
  external_ref: Type.String({ description: "The Tenant's own name of the sample customer" }),
  name: Type.String(),
  type: OneOf(['individual', 'business']),
  email: Type.String(),
  bank: Nullable(Type.String({ description: 'The linked bank; null: onboarding still waits' })),
});

const MagicName = Closed({
  name: Type.String({ description: 'Letter for letter' }),
  outcome: OneOf(['in_review', 'rejected'], 'Status in which the customer or owner ends'),
});

const MagicBank = Closed({
  bank: Type.String(),
  name: Type.String({ description: 'As customers see it' }),
  public_token: Type.String({ description: 'What the bank link takes' }),
  accounts: Type.Array(
    Closed({
      id: Nullable(
        Type.String({ description: 'aggregator_account_id, where the bank has several' }),
      ),
      account_type: OneOf(['checking', 'savings']),
      account_mask: Type.String(),
      withdrawal: Type.Boolean({ description: 'It takes withdrawals' }),
      load: Type.Boolean({ description: 'It takes loads and payments by bank' }),
    }),
  ),
  outcome: OneOf(
    ['verified', 'failed', 'held_for_review'],
    'How the checks of the linked account end in automatic mode',
  ),
  failure_code: Nullable(Type.String()),
});

const Answer = (description: string) => Nullable(Type.String({ description }));

const MagicAmount = Closed({
  cents: Type.Integer({ description: 'The last two digits of the amount; any other settles' }),
  requested: Answer('How a load or payment by bank fails; null: no answer comes'),
  sent: Answer('How a withdrawal or refund to a bank fails; null: no answer comes'),
});

export const Magic = Closed({
  pin: Type.String({ description: "Everybody's PIN" }),
  message_code: Type.String({ description: 'The value of the code in every message' }),
  answer_seconds: Type.Integer({
    description: 'Real seconds until the outside answers in automatic mode',
  }),
  people: Type.Array(SamplePerson),
  names: Type.Array(MagicName),
  banks: Type.Array(MagicBank),
  amounts: Type.Array(MagicAmount),
});
export type Magic = Static<typeof Magic>;

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
