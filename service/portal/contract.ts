import { endpoint } from '@tenant-payments/contract/core/endpoint.ts';
import { List, pageQuery } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  Secret,
} from '@tenant-payments/contract/core/schema.ts';
import { Settings } from '@tenant-payments/contract/core/settings.ts';
import Type from 'typebox';
import { longestAdvanceSeconds } from '../jobs/advance.ts';

/** The portal's JSON as data, in the style of the contract (surfaces, Portal JSON). */

const Url = Type.String({ minLength: 1, maxLength: 2048 });
const idParam = { params: Closed({ id: IdInput('Identifier') }) };

const WebhookEndpoint = Closed({
  url: Nullable(Type.String({ description: 'Where events are sent; null before any was set' })),
  enabled: Type.Boolean(),
});

export const getWebhookEndpoint = endpoint({
  id: 'getWebhookEndpoint',
  method: 'GET',
  path: '/portal/api/webhook-endpoint',
  summary: 'The address that events are sent to',
  idempotent: 'none',
  success: { status: 200, schema: WebhookEndpoint },
  errors: [],
});

export const putWebhookEndpoint = endpoint({
  id: 'putWebhookEndpoint',
  method: 'PUT',
  path: '/portal/api/webhook-endpoint',
  summary: 'Set the address; enabling it sends nothing by itself',
  idempotent: 'none',
  body: Closed({ url: Url, enabled: Type.Optional(Type.Boolean()) }),
  success: { status: 200, schema: WebhookEndpoint },
  errors: ['parameter_invalid'],
});

const WebhookSecret = Closed({
  id: Id('Secret identifier'),
  created_at: Instant('Made'),
  retired_at: Nullable(Instant('Taken out of use')),
});

export const listWebhookSecrets = endpoint({
  id: 'listWebhookSecrets',
  method: 'GET',
  path: '/portal/api/webhook-secrets',
  summary: 'The signing secrets, newest first, without the secrets themselves',
  idempotent: 'none',
  success: { status: 200, schema: List(WebhookSecret) },
  errors: [],
});

export const createWebhookSecret = endpoint({
  id: 'createWebhookSecret',
  method: 'POST',
  path: '/portal/api/webhook-secrets',
  summary: 'Make a signing secret, shown this once; at most three are active',
  idempotent: 'none',
  success: {
    status: 201,
    schema: Closed({
      id: Id('Secret identifier'),
      secret: Secret('The key, prefix included'),
      created_at: Instant('Made'),
    }),
  },
  errors: ['invalid_state'],
});

export const retireWebhookSecret = endpoint({
  id: 'retireWebhookSecret',
  method: 'DELETE',
  path: '/portal/api/webhook-secrets/:id',
  summary: 'Retire a secret: nothing is signed with it from a second later on',
  idempotent: 'none',
  ...idParam,
  success: { status: 200, schema: WebhookSecret },
  errors: ['not_found'],
});

const Clock = Closed({
  now: Instant('The time of the tenant'),
  real_now: Instant('The time of the world'),
  fired: Type.Integer({ description: 'What the advance has run: due rows and webhook attempts' }),
  pending: Type.Integer({ description: 'What still falls due before its target' }),
});

export const getClock = endpoint({
  id: 'getClock',
  method: 'GET',
  path: '/portal/api/clock',
  summary: 'The clock of the tenant',
  idempotent: 'none',
  success: { status: 200, schema: Clock },
  errors: [],
});

export const advanceClock = endpoint({
  id: 'advanceClock',
  method: 'POST',
  path: '/portal/api/clock/advance',
  summary: 'Move the clock forward through all that falls due',
  idempotent: 'none',
  body: Closed({
    seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: longestAdvanceSeconds })),
    to: Type.Optional(Instant('Where the clock is to stand')),
  }),
  success: { status: 200, schema: Clock },
  errors: ['parameter_missing', 'parameter_invalid', 'sandbox_only', 'invalid_state'],
});

export const getSettings = endpoint({
  id: 'getSettings',
  method: 'GET',
  path: '/portal/api/settings',
  summary: 'The settings of the tenant',
  idempotent: 'none',
  success: { status: 200, schema: Settings },
  errors: [],
});

export const putSettings = endpoint({
  id: 'putSettings',
  method: 'PUT',
  path: '/portal/api/settings',
  summary: 'Replace the top-level settings that are given',
  idempotent: 'none',
  body: Type.Partial(Settings, { additionalProperties: false }),
  success: { status: 200, schema: Settings },
  errors: ['parameter_invalid'],
});

const Headers = Type.Record(Type.String(), Type.String());

export const listEventAttempts = endpoint({
  id: 'listEventAttempts',
  method: 'GET',
  path: '/portal/api/events/:id/attempts',
  summary: 'Every attempt to deliver an event, the first one first',
  idempotent: 'none',
  ...idParam,
  success: {
    status: 200,
    schema: List(
      Closed({
        number: Type.Integer({ minimum: 1 }),
        at: Instant('Start, on the clock of the tenant'),
        url: Type.String(),
        request_headers: Headers,
        request_body: Type.String(),
        response_status: Nullable(Type.Integer()),
        response_headers: Nullable(Headers),
        response_body: Nullable(Type.String({ description: 'The first 64 kB' })),
        duration_ms: Type.Integer(),
        error: Nullable(Type.String()),
      }),
    ),
  },
  errors: ['not_found'],
});

export const listLedgerEntries = endpoint({
  id: 'listLedgerEntries',
  method: 'GET',
  path: '/portal/api/ledger/entries',
  summary: 'The entries of the book, newest first',
  idempotent: 'none',
  query: Closed({
    account_id: Type.Optional(IdInput('Only of this Digital Account')),
    source_id: Type.Optional(IdInput('Only of this record')),
    ...pageQuery,
  }),
  success: {
    status: 200,
    schema: List(
      Closed({
        id: Id('Entry'),
        account_id: Nullable(Id("Digital Account; null for the tenant's own books")),
        pocket: Type.String({ description: 'Pocket or book' }),
        delta: Type.Integer({ description: 'Cents, signed' }),
        number: Nullable(Type.Integer({ description: 'Its place among those of the account' })),
        balance_after: Nullable(Type.Integer({ description: 'Of the pocket' })),
        ledger_after: Nullable(Type.Integer({ description: 'Of the account' })),
        source_type: Type.String(),
        source_id: Id('The record that moved'),
        step: Type.String({ description: 'The recipe' }),
        transaction_type: Nullable(Type.String()),
        amount: Nullable(Type.Integer({ description: 'Gross cents of the Transaction' })),
        fee_amount: Nullable(Type.Integer()),
        created_at: Instant('Posted'),
      }),
    ),
  },
  errors: ['parameter_invalid'],
});

export const verifyTenantLedger = endpoint({
  id: 'verifyLedger',
  method: 'GET',
  path: '/portal/api/ledger/verify',
  summary: 'Prove the whole book of the tenant',
  idempotent: 'none',
  success: {
    status: 200,
    schema: Closed({
      ok: Type.Boolean(),
      checked: Type.Integer({ description: 'Rows of the book that were looked at' }),
      violations: Type.Array(
        Closed({
          invariant: Type.String(),
          tenant_id: Type.String(),
          subject: Type.String(),
          message: Type.String(),
        }),
      ),
    }),
  },
  errors: [],
});
