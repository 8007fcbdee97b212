import { expect, test } from 'vitest';
import { openDisputes } from '../../test/kit/disputes.ts';
import { portalPerson } from '../../test/kit/people.ts';

/** The tenant's time begins on 20 January 2026, at 10:00 in New York. */
const { server, api, caseOf } = await openDisputes({ own: true });

const support = await portalPerson(server, 'platform', ['support']);
const reviewer = await portalPerson(server, 'platform', ['reviewer']);
const idsOf = (data: { record: { id: string } }[]) => data.map(({ record }) => record.id);
const board = async (query = '', person = reviewer) =>
  (await person.ask('GET', `/dispute-board${query}`)).body;

test('the disputes of all Tenants stand in the order of their first open deadline', async () => {
  const other = await server.anotherTenant({ name: 'Harbor' });
  const [ana, ben] = [await api.funded('individual', 50_00), await api.funded('individual', 50_00)];
  const cara = await server.apiOf(other).funded('individual', 50_00);
  const outside = await api.dispute(ana, { type: 'purchase_dispute' });
  const received = await api.dispute(ana, {});
  const credited = await api.dispute(ben, {});
  await api.post(`/portal/api/review/disputes/${credited.id}/investigate`, {});
  await api.post(`/portal/api/review/disputes/${credited.id}/credit`, { amount: 5_00 });
  const elsewhere = await server.apiOf(other).dispute(cara, {});
  const { data } = await board();
  const place = (id: string) => idsOf(data).indexOf(id);
  expect(place(credited.id)).toBe(0);
  expect(data[0]).toMatchObject({
    object: 'board_dispute',
    tenant_id: server.tenant.tenantId,
    next: { deadline: 'credit_notice', at: '2026-01-23T05:00:00.000Z' },
    late: false,
    record: await caseOf(credited),
  });
  expect(data.at(-1)).toMatchObject({ next: null, late: false, record: { id: outside.id } });
  expect(place(elsewhere.id)).toBeGreaterThan(0);
  const ofOther = await board(`?tenant_id=${other.tenantId}`);
  expect(ofOther.data).toHaveLength(1);
  expect(ofOther.data[0]).toMatchObject({ tenant_name: 'Harbor', record: { id: elsewhere.id } });
  expect((await board('?tenant_id=nobody')).data).toEqual([]);
  const first = await board('?limit=2');
  const second = await board(`?limit=2&cursor=${first.next_cursor}`);
  expect(idsOf([...first.data, ...second.data])).toEqual(idsOf(data).slice(0, 4));
  expect(place(received.id)).toBeGreaterThan(0);
});

test('a deadline that has passed makes a dispute late until its duty is done', async () => {
  const dan = await api.funded('individual', 50_00);
  const { id } = await api.dispute(dan, {});
  await api.post(`/portal/api/review/disputes/${id}/investigate`, {});
  const found = async () =>
    (await board('?limit=100')).data.find(
      (row: { record: { id: string } }) => row.record.id === id,
    );
  expect((await found()).late).toBe(false);
  await api.advance(120 * 86_400);
  expect(await found()).toMatchObject({ late: true, next: { deadline: 'provisional_credit' } });
  await api.post(`/portal/api/review/disputes/${id}/resolve_withdrawn`, {});
  await api.advance(0);
  expect(await found()).toBeUndefined();
});

test('support sees no personal data, and a Tenant sees no board but its own', async () => {
  const eve = await api.funded('individual', 50_00);
  const { id } = await api.dispute(eve, { description: 'My card was stolen in Ogden' });
  const described = (data: { record: { id: string; description: string } }[]) =>
    data.find(({ record }) => record.id === id)?.record.description;
  expect(described((await board('?limit=100')).data)).toBe('My card was stolen in Ogden');
  expect(described((await board('?limit=100', support)).data)).toBe('[redacted]');
  const other = server.apiOf(await server.anotherTenant());
  expect((await other.get('/portal/api/dispute-board')).data).toEqual([]);
  const own = await api.get('/portal/api/dispute-board?limit=100');
  expect(described(own.data)).toBe('My card was stolen in Ogden');
  const member = await portalPerson(server, server.tenant.tenantId, ['owner']);
  expect((await member.ask('GET', '/dispute-board')).status).toBe(403);
});
