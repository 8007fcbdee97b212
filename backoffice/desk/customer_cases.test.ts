import { expect, test } from 'vitest';
import { portalPerson } from '../../test/kit/people.ts';
import { openServer } from '../../test/kit/server.ts';

/** The cases of one customer that wait for a person, and past decisions (rules/review#37). */

const server = await openServer({ manual: true });
const { api, tenant } = server;

const casesOf = async (id: string) =>
  (await api.get(`/portal/api/customers/${id}/cases`)).data.map(
    ({ resource, status, amount, waiting_since, last_move }: Record<string, unknown>) => [
      resource,
      status,
      amount,
      waiting_since === null ? 'decided' : 'waits',
      last_move,
    ],
  );

test('a customer without a case has none, one in review waits, and its decision stays', async () => {
  const { id } = await api.applied('individual');
  expect(await casesOf(id)).toEqual([]);
  await api.simulate('customer.in_review', id);
  expect(await casesOf(id)).toEqual([['customers', 'in_review', null, 'waits', null]]);
  await api.post(`/portal/api/review/customers/${id}/approve`, {});
  expect(await casesOf(id)).toEqual([['customers', 'approved', null, 'decided', 'approve']]);
});

test('a dispute is a case from its first day, with its amount, and of nobody else', async () => {
  const ana = await api.funded('individual', 80_00);
  const shop = await api.approved('business');
  const payment = await api.confirmed(api.pay(ana, shop, 25_00));
  const { id } = await api.dispute(ana, { payment_id: payment.id });
  expect(await casesOf(ana.customerId)).toEqual([['disputes', 'received', 25_00, 'waits', null]]);
  await api.post(`/portal/api/review/disputes/${id}/investigate`, {});
  expect(await casesOf(ana.customerId)).toEqual([
    ['disputes', 'investigating', 25_00, 'waits', 'investigate'],
  ]);
  expect(await casesOf(shop.customerId)).toEqual([]);
});

test('support reads them, a member of the Tenant does not, and another Tenant has no such customer', async () => {
  const ana = await api.approved('individual');
  const path = `/customers/${ana.customerId}/cases`;
  const named = { headers: { 'tenant-id': tenant.tenantId } };
  const support = await portalPerson(server, 'platform', ['support']);
  expect((await support.ask('GET', path, undefined, named)).status).toBe(200);
  const owner = await portalPerson(server, tenant.tenantId, ['owner']);
  expect((await owner.ask('GET', path)).status).toBe(403);
  const { token } = await server.anotherTenant();
  expect(await server.call('GET', `/portal/api${path}`, { token })).toMatchObject({ status: 404 });
});
