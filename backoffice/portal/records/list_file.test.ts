import type { Position } from '@tenant-payments/engine/pages.ts';
import { shown } from '@tenant-payments/engine/table.ts';
import type { Download } from '@tenant-payments/service/http/files/downloads.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { foundPage } from '@tenant-payments/service/resources/found_page.ts';
import { sessions } from '@tenant-payments/service/resources/sessions/table.ts';
import { expect, test } from 'vitest';
import { portalPerson } from '../../../test/kit/people.ts';
import { openServer } from '../../../test/kit/server.ts';
import { alsoAsFile, type FileQuery } from '../../files/list_file.ts';
import { csvColumns } from './csv_columns.ts';
import { recordFile } from './list_file.ts';
import { recordLists } from './lists.ts';

const server = await openServer({ workers: false });
const { api, tenant } = server;
const ana = await api.funded('individual', 500_00);
const cafe = await api.banked('business');
const payment = await api.confirmed(api.pay(ana, cafe, 12_34, { order_reference: '=1+1' }));
await api.pay(ana, cafe, 1_00);

const owner = await portalPerson(server, tenant.tenantId, ['owner']);
const file = async (person: typeof owner, path: string): Promise<string[]> => {
  const reply = await person.ask('GET', path);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toMatch(/^text\/csv/);
  return String(reply.body).split('\r\n');
};

test('a filtered list is a file with the words of its columns, names, and money in dollars and cents', async () => {
  const [head, row, end, ...more] = await file(owner, '/payments?format=csv&status=completed');
  expect(head).toBe('Payer,Payee,Amount,State,Refunded,From,Order,Created,Id');
  expect(row).toContain(',12.34,completed,0.00,balance,');
  // A spreadsheet would take it for a formula.
  expect(row).toContain(`,'=1+1,${payment.created_at},${payment.id}`);
  const { data } = await api.get(`/portal/api/faces?ids=${payment.id}`);
  expect(row?.startsWith(`${data[0].party.display_name},`)).toBe(true);
  expect([end, more]).toEqual(['', []]);
});

test.each(recordLists.map(({ endpoint, table }) => [endpoint.path, table.name] as const))(
  '%s has a file with as many rows as its list',
  async (path, table) => {
    const { data } = await api.get(`${path}?limit=100`);
    const lines = await file(owner, `${path.replace('/portal/api', '')}?format=csv`);
    expect(lines[0]).toBe(csvColumns[table]?.map(({ name }) => name).join(','));
    expect(lines.length).toBe(data.length + 2);
  },
);

test('a file with personal data leaves an access record, and a reading of the list none', async () => {
  const person = await portalPerson(server, tenant.tenantId, ['owner']);
  await person.ask('GET', '/customers?limit=1');
  await file(person, '/customers?format=csv');
  const { body } = await owner.ask('GET', `/access-records?person_id=${person.id}`);
  expect(body.data.map(({ kind, record }: Record<string, string>) => [kind, record])).toEqual([
    ['export', 'listCustomers'],
  ]);
});

test('who may not see personal data gets it masked', async () => {
  const reader = await portalPerson(server, tenant.tenantId, ['reader']);
  const [, masked = ''] = await file(reader, '/payments?format=csv&status=completed');
  const [, whole = ''] = await file(owner, '/payments?format=csv&status=completed');
  expect(masked.split(',')[0]).not.toBe(whole.split(',')[0]);
  expect(masked).toContain(payment.id);
});

test('a file goes on page by page until its list ends', async () => {
  const { db } = server.service;
  const context = { tenantId: tenant.tenantId, db, actor: { roles: ['owner'] } } as never;
  const list = (
    { pages }: Pick<ReadContext, 'pages'>,
    _: FileQuery,
  ): ReturnType<typeof foundPage<Position, object>> =>
    foundPage({ tenantId: tenant.tenantId, db, pages }, { table: sessions }, { limit: 1 }, (row) =>
      shown(sessions, row),
    );
  const file = alsoAsFile(list, recordFile('sessions'));
  const { open } = (await file(context, { format: 'csv' })) as Download;
  const { data } = await api.get('/portal/api/sessions?limit=100');
  expect(data.length).toBeGreaterThan(2);
  const text = (await (await open()).toArray()).join('');
  const ids = text
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(',').at(-1));
  expect(ids).toEqual(data.map(({ id }: { readonly id: string }) => id));
});
