import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { expect, test } from 'vitest';
import type { Reply } from '../../test/kit/http/http.ts';
import { uuid } from '../../test/kit/ids.ts';
import { openServer } from '../../test/kit/server.ts';

const server = await openServer({ manual: true });
const { api, engine } = server;

/** The requests that caused the events of a record, oldest first. */
async function causes(objectId: string): Promise<(string | null)[]> {
  const rows = await engine.query<{ request_id: string | null }>(
    'select request_id from events where tenant_id = $1 and object_id = $2 order by id',
    objectId,
  );
  return rows.map(({ request_id }) => request_id && publicId('request', request_id));
}
const idOf = ({ headers }: Reply) => headers.get('service-request-id');

let made = 0;
const createCustomer = () => {
  made += 1;
  const body = {
    type: 'individual',
    external_ref: `ref-${made}`,
    email: 'ana@example.com',
    mobile_number: `+1202555012${made}`,
  };
  return server.call('POST', '/v1/customers', { key: `key-${made}`, body });
};

test('an event names the API request that caused it, also among others of its batch', async () => {
  const replies = await Promise.all(Array.from({ length: 8 }, createCustomer));
  for (const reply of replies) {
    expect(reply.status).toBe(201);
    expect(await causes(uuid('customer', reply.body.id))).toEqual([idOf(reply)]);
  }
});

test('a reply that is repeated causes no event, and each change names its own request', async () => {
  const shop = await api.approved('business');
  const body = { type: 'dynamic', merchant_customer_id: shop.customerId, amount: 5_00 };
  const first = await server.call('POST', '/v1/payment-requests', { key: 'same', body });
  const again = await server.call('POST', '/v1/payment-requests', { key: 'same', body });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  const path = `/v1/payment-requests/${first.body.id}/cancel`;
  const cancelled = await server.call('POST', path, { key: 'cancel' });
  const found = await causes(uuid('payment_request', first.body.id));
  expect(found).toEqual([idOf(first), idOf(cancelled)]);
});

test('an event that a portal request made names that request', async () => {
  const reply = await server.call('POST', '/portal/api/sample-events', {
    body: { type: 'customer.created' },
  });
  const [row] = await engine.query<{ request_id: string }>(
    'select request_id from events where tenant_id = $1 and sample',
  );
  expect(publicId('request', row?.request_id ?? '')).toBe(idOf(reply));
});

test('an event that a job made names no request', async () => {
  const shop = await api.approved('business');
  const { body } = await server.call('POST', '/v1/payment-requests', {
    key: 'expires',
    body: { type: 'dynamic', merchant_customer_id: shop.customerId, amount: 5_00 },
  });
  await api.advance(3_600);
  const found = await causes(uuid('payment_request', body.id));
  expect(found).toHaveLength(2);
  expect(found[1]).toBeNull();
});

test('what caused an event is never changed, not by the owner of the tables either', async () => {
  const change = server.owner.query('update events set request_id = null');
  await expect(change).rejects.toThrow('append-only');
});
