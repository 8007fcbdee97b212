import Type, { type Static } from 'typebox';
import { Closed, Instant } from '../core/schema.ts';
import { portalEndpoint } from './endpoint.ts';

/** The tenant's clock (surfaces, Portal JSON; decisions 2.5). */

/** Ten years: far enough for every deadline, near enough for every date. */
export const longestAdvanceSeconds = 10 * 366 * 24 * 60 * 60;

export const Clock = Closed({
  now: Instant('The time of the tenant'),
  real_now: Instant('The time of the world'),
  fired: Type.Integer({ description: 'What the advance has run: jobs and webhook attempts' }),
  pending: Type.Integer({ description: 'What still falls due before its target' }),
});
export type Clock = Static<typeof Clock>;

export const getClock = portalEndpoint({
  id: 'getClock',
  method: 'GET',
  path: '/portal/api/clock',
  summary: 'The clock of the tenant',
  idempotent: 'none',
  role: 'reader',
  success: { status: 200, schema: Clock },
  errors: [],
});

export const advanceClock = portalEndpoint({
  id: 'advanceClock',
  method: 'POST',
  path: '/portal/api/clock/advance',
  summary: 'Move the clock forward through all that falls due; answers after 60 s at the latest',
  idempotent: 'none',
  role: 'developer',
  body: Closed({
    seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: longestAdvanceSeconds,
        description: 'By so much; give this or `to`',
      }),
    ),
    to: Type.Optional(Instant('Where the clock is to stand')),
  }),
  success: { status: 200, schema: Clock },
  errors: ['parameter_missing', 'parameter_invalid', 'sandbox_only', 'invalid_state'],
});
