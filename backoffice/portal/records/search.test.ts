import { beforeAll, expect, test } from 'vitest';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { portalPerson } from '../../../test/kit/people.ts';
import { openServer } from '../../../test/kit/server.ts';

const server = await openServer({ manual: true });
const { api } = server;

const find = async (q: string, token = server.token): Promise<ReplyBody[]> => {
  const path = `/portal/api/search?q=${encodeURIComponent(q)}`;
  const { status, body } = await server.call('GET', path, { token });
  expect([q, status]).toEqual([q, 200]);
  return body.data;
};

const email = 'Ana.Lopez@example.com';
let customer: ReplyBody;
let payment: ReplyBody;
beforeAll(async () => {
  customer = await api.post(
    '/v1/customers',
    {
      type: 'individual',
      external_ref: 'user-7',
      email,
      mobile_number: '+12025550123',
    },
    'made-7',
  );
  const ana = await api.funded('individual', 50_00);
  const cafe = await api.banked('business');
  payment = await api.pay(ana, cafe, 5_00, { order_reference: 'order-1042' });
});

test.each([
  ['its id', () => customer.id, () => customer],
  ['its external_ref', () => 'user-7', () => customer],
  ['its e-mail, in any case', () => email.toUpperCase(), () => customer],
  ['the key of the call that made it', () => 'made-7', () => customer],
  ['its reference, with blanks around it', () => ' order-1042 ', () => payment],
])('a record is found by %s', async (_by, q, record) => {
  const found = await find(q());
  expect(found.map(({ id }) => id)).toEqual([record().id]);
});

test('a hit says what it is and how it stands', async () => {
  expect(await find('order-1042')).toEqual([
    {
      id: payment.id,
      resource: 'payment',
      title: 'order-1042',
      status: 'requires_confirmation',
    },
  ]);
});

test('an event and a request are found by their ids', async () => {
  const [event] = (await api.get(`/portal/api/events?object_id=${payment.id}`)).data;
  expect(await find(event.id)).toMatchObject([{ id: event.id, resource: 'event' }]);
  await server.service.requestLog.flush();
  expect(await find(event.request_id)).toMatchObject([{ resource: 'request', status: '201' }]);
});

test.each(['rder-9', '%', 'order-104_', 'pay_x', 'nobody@example.com', "' or true --", 'ключ'])(
  'nothing is found by %s',
  async (q) => expect(await find(q)).toEqual([]),
);

test("another tenant's records are found by nothing", async () => {
  const { token } = await server.anotherTenant();
  for (const q of [customer.id, 'user-7', email, 'made-7', 'order-1042'])
    expect(await find(q, token)).toEqual([]);
});

test.each([
  ['reader', 0],
  ['developer', 1],
  ['finance', 1],
] as const)('a %s finds %i customers by an e-mail', async (role, count) => {
  const person = await portalPerson(server, server.tenant.tenantId, [role]);
  const byEmail = await person.ask('GET', `/search?q=${encodeURIComponent(email)}`);
  expect(byEmail.body.data).toHaveLength(count);
  const byReference = await person.ask('GET', '/search?q=user-7');
  expect(byReference.body.data).toHaveLength(1);
});

test('a part of a reference is found where nothing has the whole, from three characters on', async () => {
  const ids = async (q: string) => (await find(q)).map(({ id }) => id);
  expect(await ids('DER-10')).toEqual([payment.id]);
  expect(await ids('lopez@')).toEqual([customer.id]);
  expect(await ids('de')).toEqual([]);
  expect(await ids('100%')).toEqual([]);
});
