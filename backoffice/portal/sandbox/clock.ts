import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { appendAudit, tellAudit } from '@tenant-payments/engine/write/append_audit.ts';
import type { AuditRow } from '@tenant-payments/engine/write/flush_audit.ts';
import type { Advance, ClockAnswer } from '@tenant-payments/service/jobs/advance.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { actOf } from '../../audit/acts.ts';
import { asDone } from '../../audit/beside.ts';
import { advanceClock as contract } from '../../contract/sandbox/clock.ts';

/** GET /portal/api/clock */
export const getClock =
  (advance: Advance) =>
  ({ tenantId }: ReadContext): Promise<ClockAnswer> =>
    advance.clock(tenantId);

/** @throws ApiError parameter_missing, parameter_invalid */
function stepOf({ seconds, to }: BodyOf<typeof contract>) {
  if (seconds !== undefined && to !== undefined)
    throw fail('parameter_invalid', { param: 'to', details: { reason: 'seconds_given' } });
  if (to !== undefined) return { to };
  if (seconds !== undefined) return { seconds };
  throw fail('parameter_missing', { param: 'seconds' });
}

/**
 * POST /portal/api/clock/advance: either `seconds` or `to`. Its row of the audit is written with the
 * target; the advance itself takes longer than a transaction.
 * @throws ApiError sandbox_only; parameter_missing; parameter_invalid; invalid_state
 */
export const advanceClock =
  (advance: Advance, { log }: Pick<Service, 'log'>) =>
  async ({ tenantId, actor }: ReadContext, body: BodyOf<typeof contract>): Promise<ClockAnswer> => {
    const step = stepOf(body);
    const entry = { scope: tenantId, actor, act: actOf(contract), record: null, after: step };
    let rows: readonly AuditRow[] = [];
    const answer = await advance.advance(tenantId, step, async (tx) => {
      rows = await appendAudit(tx, [asDone(entry)]);
    });
    tellAudit(log, rows);
    return answer;
  };
