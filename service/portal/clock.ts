import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import type { advanceClock as contract } from '@tenant-payments/contract/portal/clock.ts';
import { fail } from '../core/fail.ts';
import type { Advance, ClockAnswer } from '../jobs/advance.ts';
import type { ReadContext } from '../resources/read_context.ts';

/** GET /portal/api/clock */
export const getClock =
  (advance: Advance) =>
  ({ tenantId }: ReadContext): Promise<ClockAnswer> =>
    advance.clock(tenantId);

/**
 * POST /portal/api/clock/advance: either `seconds` or `to`.
 * @throws ApiError sandbox_only; parameter_missing; parameter_invalid; invalid_state
 */
export const advanceClock =
  (advance: Advance) =>
  async (
    { tenantId }: ReadContext,
    { seconds, to }: BodyOf<typeof contract>,
  ): Promise<ClockAnswer> => {
    if (seconds !== undefined && to !== undefined)
      throw fail('parameter_invalid', { param: 'to', details: { reason: 'seconds_given' } });
    if (to !== undefined) return advance.advance(tenantId, { to });
    if (seconds !== undefined) return advance.advance(tenantId, { seconds });
    throw fail('parameter_missing', { param: 'seconds' });
  };
