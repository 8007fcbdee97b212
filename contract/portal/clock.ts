import Type, { type Static } from 'typebox';
import { Closed, Instant } from '../core/schema.ts';
import { portalEndpoint } from './endpoint.ts';

/** The Tenant's clock (rules/clock#1). */

/** Ten years, in seconds. */
export const longestAdvanceSeconds = 10 * 366 * 24 * 60 * 60;

export const Clock = Closed({
  now: Instant('Time of the Tenant'),
  real_now: Instant('Real time'),
  fired: Type.Integer({ description: 'Jobs and webhook attempts that the advance has run' }),
  pending: Type.Integer({ description: 'Jobs and webhook attempts still due before its target' }),
});
export type Clock = Static<typeof Clock>;

export const getClock = portalEndpoint({
  id: 'getClock',
  method: 'GET',
  path: '/portal/api/clock',
  summary: "Get the Tenant's clock",
  idempotent: 'none',
  role: 'reader',
  success: { status: 200, schema: Clock },
  errors: [],
});

export const advanceClock = portalEndpoint({
  id: 'advanceClock',
  method: 'POST',
  path: '/portal/api/clock/advance',
  summary: 'Move the clock forward and run every job that becomes due; answers within 60 s',
  idempotent: 'none',
  role: 'developer',
  body: Closed({
    seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: longestAdvanceSeconds,
        description: 'Seconds to move by; give this or `to`',
      }),
    ),
    to: Type.Optional(Instant('Time to move to')),
  }),
  success: { status: 200, schema: Clock },
  errors: ['parameter_missing', 'parameter_invalid', 'sandbox_only', 'invalid_state'],
});
