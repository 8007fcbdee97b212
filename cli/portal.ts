import { endpoint } from '@tenant-payments/contract/core/endpoint.ts';
import { Closed, Instant, Text } from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';

/** The operations of the portal's JSON that the command line uses (surfaces: Portal JSON). */

const Clock = Closed({
  now: Instant("The tenant's time"),
  real_now: Instant('The time of the world'),
  fired: Type.Integer({ description: 'What the advance ran: due rows and webhook attempts' }),
  pending: Type.Integer({ description: 'What still falls due before its target' }),
});
export type Clock = Static<typeof Clock>;

export const getClock = endpoint({
  id: 'getClock',
  method: 'GET',
  path: '/portal/api/clock',
  summary: "The tenant's clock",
  idempotent: 'none',
  success: { status: 200, schema: Clock },
  errors: [],
});

export const advanceClock = endpoint({
  id: 'advanceClock',
  method: 'POST',
  path: '/portal/api/clock/advance',
  summary: 'Move the clock forward and run what falls due',
  idempotent: 'none',
  body: Closed({
    seconds: Type.Optional(Type.Integer({ minimum: 1 })),
    to: Type.Optional(Instant('Where the clock is to stand')),
  }),
  success: { status: 200, schema: Clock },
  errors: ['parameter_invalid', 'invalid_state'],
});

const Verification = Closed({
  ok: Type.Boolean(),
  checked: Type.Integer({ description: 'Rows of the book that were looked at' }),
  violations: Type.Array(Type.Unknown()),
});

export const verifyLedger = endpoint({
  id: 'verifyLedger',
  method: 'GET',
  path: '/portal/api/ledger/verify',
  summary: 'Prove the whole book of the tenant',
  idempotent: 'none',
  success: { status: 200, schema: Verification },
  errors: [],
});

/** The shape of `DATA_DIR/sandbox.json` (surfaces: Start). */
const SandboxFacts = Closed({
  base_url: Type.String(),
  client_id: Type.String(),
  client_secret: Type.String(),
  webhook_secret: Type.String(),
  portal_url: Type.String(),
  shop_url: Type.String(),
  docs_url: Type.String(),
});
export type SandboxFacts = Static<typeof SandboxFacts>;

export const createTenant = endpoint({
  id: 'createTenant',
  method: 'POST',
  path: '/portal/api/tenants',
  summary: 'Make a further tenant; for the operator of the machine alone',
  idempotent: 'none',
  // It is the operator's key that stands where a Tenant's access token would.
  authenticated: false,
  body: Closed({
    name: Text(100),
    rate_limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Requests in 60 s' })),
  }),
  success: { status: 201, schema: SandboxFacts },
  errors: ['parameter_invalid', 'authentication_required'],
});
