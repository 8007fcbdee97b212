import { expect, test } from 'vitest';
import { portalPerson } from '../../test/kit/people.ts';
import { openServer } from '../../test/kit/server.ts';

/** Lists that are no lists of records, turned around and as files (rules/portal-records#14 and #15). */

const server = await openServer({ workers: false });
const { api, tenant } = server;
const ana = await api.funded('individual', 500_00);
const shop = await api.banked('business');
const payment = await api.confirmed(api.pay(ana, shop, 12_34));
await api.call('GET', '/v1/payments/=1+1');
await server.service.requestLog.flush();
await server.anotherTenant({ name: '=Harbor "Coffee"' });
const admin = await portalPerson(server, 'platform', ['admin']);
const owner = await portalPerson(server, tenant.tenantId, ['owner']);

const lists = [
  [
    '/events',
    owner,
    'Type,Record,Delivery,Attempts,Last answer,Last attempt,Sample,Created,Id',
    `payment.completed,${payment.id},`,
  ],
  [
    '/requests',
    owner,
    'Method,Path,Status,Code,Field,Repeated,Milliseconds,At,Id',
    'GET,/v1/payments/=1+1,404,not_found,',
  ],
  [
    '/ledger/entries',
    owner,
    'Posted,Recipe,Account,Pocket,Change,Pocket after,Balance after,For,Id',
    `,-12.34,`,
  ],
  [
    '/tenants',
    admin,
    'Tenant,State,Payments,Volume,Requests,Refused,Failed,Notices,Purchase disputes,Endpoint,Created,Id',
    `"'=Harbor ""Coffee""",active,0,0.00,`,
  ],
] as const;

test.each(lists)('%s is a file with as many rows as its list', async (path, by, head, row) => {
  const { body } = await by.ask('GET', `${path}?limit=100`);
  expect(body.has_more).toBe(false);
  const file = await by.ask('GET', `${path}?format=csv&limit=1`);
  expect(file.headers.get('content-type')).toMatch(/^text\/csv/);
  const lines = String(file.body).split('\r\n');
  expect(lines[0]).toBe(head);
  expect(lines.length).toBe(body.data.length + 2);
  expect(String(file.body)).toContain(row);
});

test.each(lists)('%s is turned around and goes on in that order', async (path, by) => {
  const read = async (query: string) => (await by.ask('GET', `${path}?limit=100${query}`)).body;
  const newest = await read('');
  const oldest = await read('&order=oldest');
  const timesOf = ({ data }: typeof newest) =>
    data.map(({ created_at, at }: Record<string, string>) => created_at ?? at);
  expect(timesOf(oldest)).toEqual(timesOf(newest).toReversed());
  const first = (await by.ask('GET', `${path}?order=oldest&limit=1`)).body;
  const rest = await read(`&order=oldest&cursor=${first.next_cursor}`);
  const idsOf = ({ data }: typeof newest) => data.map(({ id }: Record<string, string>) => id);
  expect([...idsOf(first), ...idsOf(rest)]).toEqual(idsOf(oldest));
});

test('the desk as a file names whom a case is about, and leaves a row of access with its Tenant alone', async () => {
  const held = await api.applied('individual', { email: 'desk-file@example.com' });
  await api.simulate('customer.in_review', held.id);
  const reviewer = await portalPerson(server, 'platform', ['reviewer']);
  const { body } = await reviewer.ask('GET', `/desk?format=csv&tenant_id=${tenant.tenantId}`);
  const [head, row, ...more] = String(body).trim().split('\r\n');
  expect(head).toBe('Tenant,Kind,Name,Amount,Due,Late,Taken by,Waiting since,Id');
  expect(row).toMatch(new RegExp(`,customers,desk-file@example\\.com,,.*,${held.id}$`));
  expect(more).toEqual([]);
  const { rows } = await server.service.pool.query(
    'select scope, kind, record, acted_as from control.access_records where person_id = $1',
    [reviewer.id],
  );
  expect(rows).toEqual([
    { scope: tenant.tenantId, kind: 'export', record: 'listDesk', acted_as: 'staff' },
  ]);
});

test('a wrong time is refused before the file begins', async () => {
  const { status, body } = await owner.ask('GET', '/requests?format=csv&from=x');
  expect([status, body.error.param]).toEqual([400, 'from']);
});
