import { expect, test } from 'vitest';
import { uuid } from '../../test/kit/ids.ts';
import { openServer } from '../../test/kit/server.ts';

/** By which id the bank knows an order. What a restore has lost is proven by test/faults/restore. */

const server = await openServer({ manual: true });
const { api, engine } = server;

/** The order of a confirmed record, by its public id. */
async function orderOf(kind: 'load' | 'withdrawal' | 'refund' | 'payment', id: string) {
  const [order] = await engine.query(
    'select id, kind from instructions where tenant_id = $1 and source_id = $2',
    uuid(kind, id),
  );
  return order as { readonly id: string; readonly kind: string };
}

const loadUnder = async (key: string, customer_id: string) => {
  const { body } = await api.call('POST', '/v1/loads', {
    key,
    body: { customer_id, amount: 20_00 },
  });
  return body.id as string;
};
const days = 24 * 3600;

test('a key that is used again after its 30 days is another order, and a second before the same one', async () => {
  const ana = await api.banked('individual');
  const first = await loadUnder('autumn', ana.customerId);
  await api.confirmed({ id: first });
  await api.simulate('load.settled', first);
  await api.advance(30 * days - 60);
  expect(await loadUnder('autumn', ana.customerId)).toBe(first);
  await api.advance(61);
  const second = await loadUnder('autumn', ana.customerId);
  expect(second).not.toBe(first);
  await api.confirmed({ id: second });
  const [one, two] = [await orderOf('load', first), await orderOf('load', second)];
  expect(one.id).not.toBe(two.id);
});

test('two Tenants with the same key have two orders', async () => {
  const ids: string[] = [];
  for (const one of [
    server,
    await server.anotherTenant().then((t) => ({ api: server.apiOf(t), tenant: t })),
  ]) {
    const ana = await one.api.banked('individual');
    const { body } = await one.api.call('POST', '/v1/loads', {
      key: 'same',
      body: { customer_id: ana.customerId, amount: 20_00 },
    });
    const { rows } = await server.service.pool.query(
      'select bank_order_id from loads where tenant_id = $1 and id = $2',
      [one.tenant.tenantId, uuid('load', body.id)],
    );
    ids.push(rows[0].bank_order_id);
  }
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(2);
});
