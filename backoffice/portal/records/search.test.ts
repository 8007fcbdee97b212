import { beforeAll, expect, test } from 'vitest';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { portalPerson } from '../../../test/kit/people.ts';
import type { Person } from '../../../test/kit/person.ts';
import { openServer } from '../../../test/kit/server.ts';
import { centsIn, foundBy, waysOf } from './search_ways.ts';

// Its own: the plans of its searches must not depend on what other files have stored.
const server = await openServer({ manual: true, own: true });
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
let payer: Person;
let shop: Person;
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
  payer = await api.funded('individual', 50_00);
  shop = await api.banked('business');
  payment = await api.pay(payer, shop, 5_00, { order_reference: 'order-1042' });
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
      amount: 5_00,
      party: { id: payer.customerId, display_name: 'Ana Reyes' },
      other: { id: shop.customerId, display_name: 'Corner Cafe LLC' },
      label: 'order-1042',
      institution_name: null,
      at: payment.created_at,
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

const idsBy = async (q: string) => (await find(q)).map(({ id }) => id);

test.each([
  ['the beginning of the name', 'ana rey'],
  ['the given name in any case', 'ANA'],
  ['the family name', 'reyes'],
  ['the name as papers have it', 'Reyes Ana'],
])('a person is found by %s', async (_, q) => {
  expect(await idsBy(q)).toContain(payer.customerId);
});

test.each(['0123', '+1 (202) 555-0123', '202.555.0123'])(
  'a person is found by the phone %s',
  async (q) => {
    expect(await idsBy(q)).toContain(customer.id);
  },
);

test('a business is found by the beginning of its name, an address by its own', async () => {
  expect(await idsBy('corner caf')).toEqual([shop.customerId]);
  expect(await idsBy('ana.lo')).toEqual([customer.id]);
});

test('a record is found by the beginning of its id, and by the short id that pages show', async () => {
  expect(await idsBy(payment.id.slice(0, 30))).toEqual([payment.id]);
  expect(await idsBy(`pay_…${payment.id.slice(-6)}`)).toEqual([payment.id]);
  expect(await idsBy('pay_')).toEqual([payment.id]);
});

test.each(['$5.00', '5', '5.0', '$5'])('a payment is found by its amount as %s', async (q) => {
  expect(await idsBy(q)).toContain(payment.id);
});

test('at most five of a kind are found', async () => {
  for (let made = 0; made < 7; made += 1)
    await api.post('/v1/customers', {
      type: 'individual',
      external_ref: `crowd-${made}`,
      email: `crowd-${made}@example.com`,
      mobile_number: `+1202555014${made}`,
      prefill: { first_name: 'Quentin', last_name: `Crowd${made}` },
    });
  expect(await find('quentin')).toHaveLength(5);
  expect(await idsBy('crowd6')).toHaveLength(1);
});

test.each([
  ['1,250.5', 1_250_50],
  ['$80', 80_00],
  ['80.00', 80_00],
  ['12,5', null],
  ['80.000', null],
  ['-5', null],
  ['order 80', null],
])('%s is the amount %s', (text, cents) => expect(centsIn(text)).toBe(cents));

test('every way but those that look through the newest is an index of the Tenant, in its order', async () => {
  const client = await server.service.pool.connect();
  try {
    await client.query('begin; set local enable_seqscan = off; set local enable_bitmapscan = off');
    const asked = ['ana 0101', '0101', 'order-1042', 'pay_019'];
    const ways = asked.flatMap((text) => waysOf(text, true));
    const indexed = ways.filter(({ looksAt }) => looksAt === undefined);
    expect(indexed.length).toBeGreaterThan(20);
    for (const way of indexed) {
      const { sql, parameters } = foundBy([server.tenant.tenantId], way, 5).compile(
        server.service.db,
      );
      const { rows } = await client.query(`explain (costs off) ${sql}`, [...parameters]);
      const plan = rows.map((row) => Object.values(row)[0]).join('\n');
      expect(plan).toMatch(/Index (Only )?Scan/);
      expect(plan).toMatch(/Index Cond: \(\(tenant_id = k\.tenant_id\) AND \(/);
      expect(plan).not.toMatch(/Seq Scan|Filter: .*(lower|mobile_last4|reference)/);
    }
  } finally {
    await client.query('rollback');
    client.release();
  }
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
