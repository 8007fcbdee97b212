import { expect, test } from 'vitest';
import { openApprovals } from '../../test/kit/approvals.ts';
import { customerInReview, newDispute, stagedCases } from '../../test/kit/desk.ts';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { type PortalPerson, portalPerson } from '../../test/kit/people.ts';
import { deskResources } from '../contract/operate/desk.ts';

const { server, admins, openCase } = await openApprovals();
const [maria, otto] = admins;
const staged = stagedCases(server);
const daySeconds = 86_400;

const desk = async (search = '', by: PortalPerson = maria): Promise<ReplyBody> => {
  const { status, body } = await by.ask('GET', `/desk?limit=100${search}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
};
const idsOf = (data: readonly ReplyBody[]): string[] => data.map(({ id }) => id);
const place = ({ due_at, waiting_since }: ReplyBody) => `${due_at ?? 'never'} ${waiting_since}`;

/** The cases that wait in two Tenants, of which the second is two months ahead. */
const one = await openCase();
const two = await openCase();
const first = await customerInReview(one);
const dispute = await newDispute(one);
const ask = { resource: 'reserve', id: 'reserve', move: 'fund', amount: 5_00, note: 'more' };
const asked = (await one.send(maria, 'POST', '/approvals', ask)).body.id;
const second = await customerInReview(two);
const overdue = await newDispute(two);
await two.engine.moveClock(60 * daySeconds);
const ofBoth = async (search = '') => {
  const tenants = [one, two].map(({ tenant }) => tenant.tenantId);
  return (await desk(search)).filter(({ tenant_id }: ReplyBody) => tenants.includes(tenant_id));
};

test('what is due first comes first, then what waits longest, over all Tenants', async () => {
  const found = await ofBoth();
  expect(idsOf(found)).toEqual([asked, ...idsOf(found).slice(1, 3), first, second]);
  expect(idsOf(found).slice(1, 3).sort()).toEqual([dispute, overdue].sort());
  expect(found.map(place)).toEqual(found.map(place).sort());
  expect(found.at(-1)).toMatchObject({
    tenant_id: two.tenant.tenantId,
    resource: 'customers',
    due_at: null,
    late: false,
    amount: null,
    assigned_to: null,
    notes_count: 0,
    moves: ['approve', 'reject', 'request_more'],
    record: { id: second },
  });
});

test("what is late is so on its Tenant's clock", async () => {
  const [of] = (await ofBoth()).filter(({ id }: ReplyBody) => id === dispute);
  const { deadlines } = of.record;
  const open = Object.values<string | null>(deadlines).flatMap((at) => at ?? []);
  expect(of).toMatchObject({ due_at: open.sort()[0], late: false, amount: 10_00 });
  expect(idsOf(await ofBoth('&late=true'))).toEqual([overdue]);
  expect(idsOf(await ofBoth('&late=false'))).toEqual([asked, dispute, first, second]);
});

test('a page ends where the next one begins, whatever its size', async () => {
  const all = idsOf(await desk());
  for (const limit of [1, 2, 3]) {
    const walked: string[] = [];
    let cursor = '';
    do {
      const page = (await maria.ask('GET', `/desk?limit=${limit}${cursor}`)).body;
      walked.push(...idsOf(page.data));
      cursor = page.has_more ? `&cursor=${page.next_cursor}` : '';
    } while (cursor !== '');
    expect(walked).toEqual(all);
  }
  const { body } = await maria.ask('GET', '/desk?limit=1');
  const other = await maria.ask('GET', `/desk?late=true&cursor=${body.next_cursor}`);
  expect(other.body.error).toMatchObject({ code: 'parameter_invalid', param: 'cursor' });
});

test('it can be of one Tenant and one resource', async () => {
  const { tenantId } = one.tenant;
  expect(idsOf(await desk(`&tenant_id=${tenantId}`))).toEqual([asked, dispute, first]);
  expect(idsOf(await desk(`&tenant_id=${tenantId}&resource=customers`))).toEqual([first]);
  expect(await desk('&tenant_id=nobody')).toEqual([]);
  const name = 'Far & Away';
  await server.owner.query('update tenants set name = $2 where tenant_id = $1', [tenantId, name]);
  const byName = await desk(`&tenant=${encodeURIComponent('r & AWAY')}`);
  expect(idsOf(byName)).toEqual([asked, dispute, first]);
  expect(await desk('&tenant=no%20such')).toEqual([]);
});

test('it can be of who has taken it', async () => {
  await one.send(maria, 'POST', `/cases/customers/${first}/take`, {});
  await two.send(otto, 'POST', `/cases/customers/${second}/take`, {});
  expect(idsOf(await ofBoth('&assigned=me'))).toEqual([first]);
  expect(idsOf(await ofBoth('&assigned=others'))).toEqual([second]);
  expect(idsOf(await ofBoth('&assigned=nobody'))).toHaveLength(3);
  expect((await ofBoth('&assigned=me'))[0].assigned_to).toMatchObject({ id: maria.id });
});

test.each(deskResources)('%s: what waits is at the desk until it is decided', async (resource) => {
  const of = await openCase();
  const { make, leave } = staged[resource];
  const id = await make(of);
  const search = `&tenant_id=${of.tenant.tenantId}&resource=${resource}`;
  const [found] = await desk(search);
  expect(found).toMatchObject({ resource, id, tenant_id: of.tenant.tenantId, record: { id } });
  expect(found.waiting_since).not.toBeNull();
  const left = await leave(of, id, [maria, otto]);
  expect(left.status, JSON.stringify(left.body)).toBe(200);
  expect(await desk(search)).toEqual([]);
  const { body } = await of.send(otto, 'GET', `/cases/${resource}/${id}`);
  expect(body).toMatchObject({ resource, id, waiting_since: null, due_at: null, late: false });
});

test('the maker of a request cannot decide it, others can', async () => {
  const search = `&tenant_id=${one.tenant.tenantId}&resource=approvals`;
  const moves = async (by: PortalPerson) => (await desk(search, by))[0].moves;
  expect(await moves(maria)).toEqual([]);
  expect(await moves(otto)).toEqual(['approve', 'refuse']);
});

test("a program of a sandbox sees its own Tenant's alone", async () => {
  const { data } = await one.api.get('/portal/api/desk?limit=100');
  expect(idsOf(data)).toEqual([asked, dispute, first]);
  const other = await one.api.get(`/portal/api/desk?tenant_id=${two.tenant.tenantId}`);
  expect(other.data).toEqual([]);
});

test('it is for staff: members of a Tenant and its support are refused', async () => {
  const owner = await portalPerson(server, one.tenant.tenantId, ['owner']);
  const support = await portalPerson(server, 'platform', ['support']);
  for (const person of [owner, support]) {
    expect((await person.ask('GET', '/desk')).status).toBe(403);
    expect((await person.ask('GET', `/cases/customers/${first}`)).status).toBe(403);
    expect((await person.ask('POST', `/cases/customers/${first}/take`, {})).status).toBe(403);
  }
});
