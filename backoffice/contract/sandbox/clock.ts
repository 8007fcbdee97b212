import { List } from '@tenant-payments/contract/core/page.ts';
import { Closed, Id, Instant, Nullable, OneOf } from '@tenant-payments/contract/core/schema.ts';
import { longestAdvanceSeconds } from '@tenant-payments/contract/sandbox/clock.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** The Tenant's clock (rules/clock#1). */

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
  may: ['reader', 'support'],
  playsOutside: true,
  of: 'tenant',
  success: { status: 200, schema: Clock },
  errors: [],
});

export const advanceClock = portalEndpoint({
  id: 'advanceClock',
  method: 'POST',
  path: '/portal/api/clock/advance',
  summary: 'Move the clock forward and run every job that becomes due; answers within 60 s',
  idempotent: 'none',
  may: ['developer', 'admin'],
  sandboxOnly: true,
  of: 'tenant',
  // Longer than the 60 s that an advance may take (rules/clock#16).
  longestMs: 75_000,
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

/** A job or delivery that falls due next. */
export const Upcoming = Closed({
  kind: OneOf(['job', 'delivery']),
  name: Type.String({ description: 'Of the job; `attempt` of a delivery' }),
  does: Type.String({ description: 'The same in words' }),
  record_id: Nullable(Id('The record or event that it is about, where it has an id')),
  at: Instant("When it falls due, on the Tenant's clock"),
});
export type Upcoming = Static<typeof Upcoming>;

/** Rows that are given. */
export const maximumUpcoming = 50;

export const listUpcoming = portalEndpoint({
  id: 'listUpcoming',
  method: 'GET',
  path: '/portal/api/clock/upcoming',
  summary: 'List the next 50 jobs and webhook attempts that fall due, the first one first',
  idempotent: 'none',
  may: ['reader', 'support'],
  playsOutside: true,
  of: 'tenant',
  success: { status: 200, schema: List(Upcoming) },
  errors: [],
});

/** An instant that is worth a visit. */
export const jumpNames = ['next_retry', 'next_due', 'business_day', 'month_end'] as const;

export const ClockJump = Closed({
  name: OneOf(jumpNames),
  does: Type.String({ description: 'What happens there, in words' }),
  at: Nullable(Instant("On the Tenant's clock; null: there is none")),
});
export type ClockJump = Static<typeof ClockJump>;

export const listClockJumps = portalEndpoint({
  id: 'listClockJumps',
  method: 'GET',
  path: '/portal/api/clock/jumps',
  summary: 'List instants to move the clock to: a retry, the next job, a business day, a month',
  idempotent: 'none',
  may: ['reader', 'support'],
  playsOutside: true,
  of: 'tenant',
  success: { status: 200, schema: List(ClockJump) },
  errors: [],
});
