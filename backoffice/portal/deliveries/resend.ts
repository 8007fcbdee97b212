import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { WebhookEvent } from '@tenant-payments/contract/resources/webhook_events.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { assertEndpoint } from '@tenant-payments/service/webhooks/recover.ts';
import { resendToEndpoint, resendWebhookEvent } from '@tenant-payments/service/webhooks/resend.ts';
import { sql } from 'kysely';
import { resendEvent as contract } from '../../contract/traffic/deliveries.ts';

/**
 * POST /portal/api/events/{id}/resend (rules/portal-traffic#1).
 * @param wake has the dispatcher look for what is due
 * @throws ApiError not_found; invalid_state: no endpoint is enabled
 */
export const resendEvent =
  ({ engine }: Pick<Service, 'engine'>, wake: () => void) =>
  async (
    { tenantId, actor, db }: ReadContext,
    { id, endpoint_id }: { readonly id: string; readonly endpoint_id?: string },
  ): Promise<WebhookEvent> => {
    // An unknown id is refused before a missing endpoint.
    const { rows } = await sql`select from events
      where tenant_id = ${tenantId} and id = ${uuidOf('event', id)}`.execute(db);
    if (rows.length === 0) throw fail('not_found');
    const by = { tenantId, actor, act: { act: contract.id, record: id, scope: tenantId } };
    if (endpoint_id === undefined) await assertEndpoint(db, tenantId);
    const { body } =
      endpoint_id === undefined
        ? await engine.submit(resendWebhookEvent, { ...by, input: { id } })
        : await engine.submit(resendToEndpoint, { ...by, input: { id, endpoint_id } });
    wake();
    return JSON.parse(body);
  };
