import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { beforeAll, expect, test } from 'vitest';
import { openServer } from '../../../test/kit/server.ts';
import { deliveryKinds } from './kinds.ts';
import { type ClaimedDelivery, type DeliveryResult, keyOf, openDeliveryStore } from './store.ts';

const server = await openServer({ own: true, workers: false });
const endpoint = { url: 'http://127.0.0.1:9/', enabled: true };
await server.call('PUT', '/portal/api/webhook-endpoint', { body: endpoint });
const further = { name: 'Books', url: 'http://127.0.0.1:9/books' };
await server.call('POST', '/portal/api/webhook-endpoints', { body: further });
beforeAll(async () => {
  const body = {
    type: 'individual',
    external_ref: 'ref-1',
    email: 'ana@example.com',
    mobile_number: '+12025550101',
  };
  await server.call('POST', '/v1/customers', { key: 'key-1', body });
});

const answerOf = (status: number) =>
  ({ status, headers: {}, body: '', durationMs: 1, error: null }) as const;
const requestHeaders = {};

/** The result of an attempt. */
function resultOf(
  claimed: ClaimedDelivery,
  answer: number,
  more: Partial<DeliveryResult['state']>,
): DeliveryResult {
  const at = instantOf(Date.now());
  const made = { attempts: 1, first_attempt_at: at, last_attempt_at: at };
  return {
    claimed,
    state: { ...claimed.state, ...made, last_response_status: answer, ...more },
    attempt: { at, url: claimed.url ?? '', requestHeaders, answer: answerOf(answer) },
  };
}

test.each(Object.values(deliveryKinds))(
  'an attempt whose lease has ended writes nothing while another one holds the delivery: of $deliveries',
  async (kind) => {
    const store = openDeliveryStore(server.service.pool, kind);
    const after = (seconds: number) => instantOf(Date.now() + seconds * 1_000);
    const [late] = await store.claim(after(1), after(30), 1, []);
    const [held] = await store.claim(after(31), after(61), 1, []);
    if (!late || !held) throw new Error('the delivery was not claimed twice');
    expect(held.eventId).toBe(late.eventId);
    const failed = resultOf(late, 500, { status: 'retrying', next_attempt_at: after(60) });
    expect(await store.record([failed])).toEqual(new Set());
    const delivered = resultOf(held, 200, { status: 'delivered', due_at: null });
    expect(await store.record([delivered])).toEqual(new Set([keyOf(held)]));
    const { rows } = await server.service.pool.query(
      `select status, attempts from ${kind.deliveries} where tenant_id = $1`,
      [server.tenant.tenantId],
    );
    expect(rows).toEqual([{ status: 'delivered', attempts: 1 }]);
  },
);
