import { beforeAll, expect, test } from 'vitest';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { type PortalPerson, portalPerson } from '../../../test/kit/people.ts';
import { openServer } from '../../../test/kit/server.ts';

const server = await openServer({ manual: true });
const elsewhere = await server.anotherTenant({ name: 'Zephyr Market' });
const theirs = server.apiOf(elsewhere);

let reviewer: PortalPerson;
let support: PortalPerson;
let customer: ReplyBody;
let payment: ReplyBody;
beforeAll(async () => {
  reviewer = await portalPerson(server, 'platform', ['reviewer']);
  support = await portalPerson(server, 'platform', ['support']);
  customer = await theirs.post('/v1/customers', {
    type: 'individual',
    external_ref: 'zephyr-user-1',
    email: 'zelda@zephyr.example',
    mobile_number: '+12025559876',
    prefill: { first_name: 'Zelda', last_name: 'Quill' },
  });
  const payer = await theirs.funded('individual', 2_000_00);
  payment = await theirs.pay(payer, await theirs.banked('business'), 1_234_56, {
    order_reference: 'zephyr-order-9',
  });
});

const find = async (person: PortalPerson, q: string): Promise<ReplyBody[]> => {
  const { status, body } = await person.ask('GET', `/search/tenants?q=${encodeURIComponent(q)}`);
  expect([q, status]).toEqual([q, 200]);
  return body.data;
};
const idsBy = async (person: PortalPerson, q: string): Promise<string[]> =>
  (await find(person, q)).map(({ id }) => id);

test.each<[string, () => string, () => string]>([
  ['a name', () => 'zelda', () => customer.id],
  ['a family name', () => 'Quill', () => customer.id],
  ['an address', () => 'zelda@ze', () => customer.id],
  ['the last four digits of a phone', () => '9876', () => customer.id],
  ['a reference', () => 'zephyr-order-9', () => payment.id],
  ['a part of a reference', () => 'yr-order', () => payment.id],
  ['an amount', () => '$1,234.56', () => payment.id],
  ['an id', () => payment.id, () => payment.id],
  ['the beginning of an id', () => payment.id.slice(0, 32), () => payment.id],
  ['the name of the Tenant', () => 'phyr mark', () => elsewhere.tenantId],
])('a reviewer finds a record of any Tenant by %s', async (_, q, id) => {
  expect(await idsBy(reviewer, q())).toContain(id());
});

test('a hit says of which Tenant it is, and shows what it is', async () => {
  expect(await find(reviewer, 'zephyr-order-9')).toMatchObject([
    {
      resource: 'payment',
      tenant_id: elsewhere.tenantId,
      tenant_name: 'Zephyr Market',
      amount: 1_234_56,
      party: { display_name: 'Ana Reyes' },
      other: { display_name: 'Corner Cafe LLC' },
    },
  ]);
});

test('an event and a request of any Tenant are found by their ids', async () => {
  const [event] = (await theirs.get(`/portal/api/events?object_id=${payment.id}`)).data;
  expect(await find(reviewer, event.id)).toMatchObject([
    { id: event.id, resource: 'event', tenant_id: elsewhere.tenantId },
  ]);
  await server.service.requestLog.flush();
  expect(await idsBy(reviewer, event.request_id)).toEqual([event.request_id]);
});

test('support finds nobody by name, address or phone, and sees no name of what it finds', async () => {
  for (const q of ['zelda', 'quill', 'zelda@ze', '9876'])
    expect(await idsBy(support, q)).not.toContain(customer.id);
  const [hit] = await find(support, 'zephyr-order-9');
  expect([hit?.id, hit?.party.display_name]).toEqual([payment.id, '[redacted]']);
});

test('whoever is shown people by it leaves one row with their Tenant, whoever sees none leaves nothing', async () => {
  const owner = await portalPerson(server, elsewhere.tenantId, ['owner']);
  const another = await portalPerson(server, 'platform', ['reviewer']);
  const leftBy = async ({ id }: PortalPerson): Promise<ReplyBody[]> =>
    (await owner.ask('GET', `/access-records?person_id=${id}`)).body.data;
  await find(another, 'nobody of this name');
  expect(await leftBy(another)).toEqual([]);
  await find(another, 'zelda');
  await find(another, 'quill');
  expect(await leftBy(another)).toMatchObject([
    { kind: 'search', record: 'searchTenants', acted_as: 'staff' },
  ]);
  await find(support, 'zephyr-order-9');
  expect(await leftBy(support)).toEqual([]);
});

test("members of a Tenant may not search all, and a Tenant's program searches its own alone", async () => {
  const owner = await portalPerson(server, elsewhere.tenantId, ['owner']);
  expect((await owner.ask('GET', '/search/tenants?q=zelda')).status).toBe(403);
  for (const q of ['zelda', payment.id, 'zephyr-order-9', 'Zephyr']) {
    const path = `/portal/api/search/tenants?q=${encodeURIComponent(q)}`;
    const { status, body } = await server.call('GET', path, { token: server.token });
    expect([q, status, body.data]).toEqual([q, 200, []]);
  }
});
