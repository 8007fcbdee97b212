import { setTimeout as sleep } from 'node:timers/promises';
import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { anyIdOf } from '@tenant-payments/contract/core/ids.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { listAttempts } from '@tenant-payments/service/webhooks/attempts.ts';
import type { Dispatcher } from '@tenant-payments/service/webhooks/dispatch/dispatcher.ts';
import { assertEndpoint, targetOf } from '@tenant-payments/service/webhooks/recover.ts';
import { secretUuidOf } from '@tenant-payments/service/webhooks/secrets.ts';
import { sql } from 'kysely';
import {
  testWebhookEndpoint as contract,
  type TestDelivery,
} from '../../contract/traffic/deliveries.ts';
import { findRecord } from '../records/find.ts';
import { createSampleEvent } from '../sandbox/sample_events.ts';

const waitsMs = 15_000;
const pollMs = 50;

/** @throws ApiError not_found: unknown, retired, another endpoint's, or another Tenant's */
async function activeSecret(
  { db, tenantId }: ReadContext,
  id: string,
  endpointId: string | null,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from webhook_secrets
    where tenant_id = ${tenantId} and id = ${secretUuidOf(id)} and retired_at is null
      and endpoint_id is not distinct from ${endpointId}::uuid`.execute(db);
  if (!rows[0]) throw fail('not_found', { param: 'secret_id' });
  return rows[0].id;
}

/** A report is named by its day, which is no id. @throws ApiError not_found */
async function assertKnown(context: ReadContext, id: string): Promise<void> {
  const named = anyIdOf(id);
  if (named && !(await findRecord(context, named.kind, named.uuid)))
    throw fail('not_found', { param: 'object_id' });
}

/**
 * POST /portal/api/webhook-endpoint/test: a sample event, whose first attempt is waited for
 * (rules/webhooks#33).
 * @throws ApiError sandbox_only; invalid_state: no endpoint is enabled; not_found: no active secret
 */
export const testWebhookEndpoint =
  (service: Pick<Service, 'sandboxTools' | 'engine'>, dispatcher: Dispatcher) =>
  async (context: ReadContext, body: BodyOf<typeof contract>): Promise<TestDelivery> => {
    const { type = 'payment.completed', secret_id, ...shown } = body;
    const { endpoint_id } = body;
    const { db, tenantId } = context;
    const target = endpoint_id === undefined ? null : await targetOf(db, tenantId, endpoint_id);
    const signedBy =
      secret_id === undefined ? null : await activeSecret(context, secret_id, target?.id ?? null);
    if (shown.object_id !== undefined) await assertKnown(context, shown.object_id);
    await assertEndpoint(db, tenantId, target);
    const sample = { type, ...shown, ...(signedBy === null ? {} : { signedBy }) };
    const { id } = await createSampleEvent(service, contract)(context, sample);
    const until = performance.now() + waitsMs;
    // Also in a process without the role worker, beside whichever worker finds it first.
    await dispatcher.deliverDue(tenantId);
    const of = endpoint_id === undefined ? { id } : { id, endpoint_id };
    for (;;) {
      const { data } = await listAttempts(context, of);
      const [attempt = null] = data;
      if (attempt !== null || performance.now() > until) return { event_id: id, attempt };
      await sleep(pollMs);
    }
  };
