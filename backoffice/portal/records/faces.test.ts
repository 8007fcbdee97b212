import { beforeAll, expect, test } from 'vitest';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { portalPerson } from '../../../test/kit/people.ts';
import type { Person } from '../../../test/kit/person.ts';
import { openServer } from '../../../test/kit/server.ts';

const server = await openServer({ manual: true });
const { api } = server;

let ana: Person;
let cafe: Person;
let payment: ReplyBody;
beforeAll(async () => {
  ana = await api.funded('individual', 50_00);
  cafe = await api.banked('business');
  payment = await api.confirmed(api.pay(ana, cafe, 5_00, { order_reference: 'order-1042' }));
});

const look = async (ids: readonly string[], token = server.token) =>
  server.call('GET', `/portal/api/faces?ids=${ids.join(',')}`, { token });

async function facesOf(...ids: string[]): Promise<ReplyBody[]> {
  const { status, body } = await look(ids);
  expect(status).toBe(200);
  return body.data;
}

test('a payment is known by its two parties, its amount and its reference', async () => {
  const [face] = await facesOf(payment.id);
  expect(face).toMatchObject({
    id: payment.id,
    resource: 'payment',
    party: { id: ana.customerId },
    other: { id: cafe.customerId },
    label: 'order-1042',
    amount: 5_00,
    status: 'completed',
    at: payment.created_at,
  });
  expect(face.party.display_name).toMatch(/\w+ \w+/);
  expect(face.other.display_name).not.toBe('');
});

test('an account is known by its holder and its balance', async () => {
  const [face] = await facesOf(ana.accountId);
  expect(face).toMatchObject({ party: { id: ana.customerId }, amount: 45_00, status: 'active' });
});

test('a customer is known by the name, the reference of the Tenant and the state', async () => {
  const { external_ref } = await api.get(`/v1/customers/${ana.customerId}`);
  const [face] = await facesOf(ana.customerId);
  expect(face).toMatchObject({ label: external_ref, status: 'approved', amount: null });
});

test('ids that nobody has, of kinds without a face and of another Tenant are left out', async () => {
  const unknown = `pay_${'0'.repeat(32)}`;
  const other = await server.anotherTenant();
  const { body } = await look([payment.id], other.token);
  expect(body.data).toEqual([]);
  expect(await facesOf(unknown, `req_${'0'.repeat(32)}`, 'nonsense', '')).toEqual([]);
});

test('more than fifty ids are refused by name', async () => {
  const many = Array.from({ length: 51 }, (_, at) => `pay_${String(at).padStart(32, '0')}`);
  const { status, body } = await look(many);
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: 'parameter_invalid', param: 'ids' });
});

test('whoever may not see personal data sees neither a name nor a bank', async () => {
  const reader = await portalPerson(server, server.tenant.tenantId, ['reader']);
  const load = await api.load(ana, 25_00);
  const {
    body: { data },
  } = await reader.ask('GET', `/faces?ids=${payment.id},${load.id}`);
  const text = JSON.stringify(data);
  expect(data).toHaveLength(2);
  expect(text).toContain('"display_name":"[redacted]"');
  expect(text).toContain('"institution_name":"[redacted]"');
});
