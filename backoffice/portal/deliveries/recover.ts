import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import type { Recovery } from '@tenant-payments/contract/resources/webhook_recoveries.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import {
  assertEndpoint,
  missedIn,
  recoverMissed,
  targetOf,
} from '@tenant-payments/service/webhooks/recover.ts';
import { sql } from 'kysely';
import { actOf } from '../../audit/acts.ts';
import { beside } from '../../audit/beside.ts';
import { recoverEvents as contract } from '../../contract/traffic/deliveries.ts';
import { hasStatus, idsWanted } from '../activity/events.ts';

/**
 * POST /portal/api/events/recover (rules/webhooks#32), in the audit.
 * @param wake has the dispatcher look for what is due
 * @throws ApiError parameter_invalid: no instant; invalid_state: no endpoint is enabled
 */
export const recoverEvents =
  (service: Pick<Service, 'db' | 'log'>, wake: () => void) =>
  async (
    { tenantId, actor, db, now: clock }: ReadContext,
    body: BodyOf<typeof contract>,
  ): Promise<Recovery> => {
    const dryRun = body.dry_run ?? false;
    const now = await clock();
    const target =
      body.endpoint_id === undefined ? null : await targetOf(db, tenantId, body.endpoint_id);
    const status = body.delivery_status;
    const only = sql`${idsWanted(tenantId, body)} ${status === undefined ? sql`` : hasStatus[status]}`;
    const missed = { ...missedIn(body, now, target), only };
    if (!dryRun) await assertEndpoint(db, tenantId, target);
    const { reason, target: _, only: __, ...range } = missed;
    const { object_id, event_id, request_id } = body;
    const narrowed = { object_id, event_id, request_id, delivery_status: status };
    const by = { scope: tenantId, actor, act: actOf(contract), record: body.endpoint_id ?? null };
    const done = await beside<Recovery>(
      service,
      (done) => [{ ...by, after: { ...done, ...range, ...narrowed, missed: reason } }],
      (tx) => recoverMissed(tx, tenantId, missed, { now, dryRun }),
    );
    if (!dryRun) wake();
    return done;
  };
