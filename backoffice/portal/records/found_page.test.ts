import { openPages, type Page, type Position } from '@tenant-payments/engine/pages.ts';
import { foundPage, type ListQuery } from '@tenant-payments/service/resources/found_page.ts';
import { payments } from '@tenant-payments/service/resources/payments/table.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { openSampleLedger } from '../../../test/kit/ledger/sample_ledger.ts';
import type { TestServer } from '../../../test/kit/server.ts';
import { recordLists } from './lists.ts';

let server: TestServer;
let customers: ReplyBody[];
beforeAll(async () => {
  server = await openSampleLedger();
  customers = await data('/portal/api/customers');
});
afterAll(() => server.stop());

const data = async (path: string, query = ''): Promise<ReplyBody[]> =>
  (await server.api.get(`${path}?limit=100${query}`)).data;
const idsOf = (rows: ReplyBody[]) => rows.map(({ id }) => id);
const madeOf = ({ created_at, opened_at, available_at }: ReplyBody): string =>
  created_at ?? opened_at ?? available_at;

const withCustomer = recordLists.filter((list) => 'ofCustomer' in list);

test.each(withCustomer.map(({ endpoint }) => endpoint.path))(
  '%s gives those of one customer, on either side, and none of an unknown one',
  async (path) => {
    const all = await data(path);
    const sides = /^(payer_|payee_|merchant_)?customer_id$/;
    for (const { id } of customers) {
      const own = all.filter((row) =>
        Object.entries(row).some(([name, value]) => sides.test(name) && value === id),
      );
      expect(idsOf(await data(path, `&customer_id=${id}`))).toEqual(idsOf(own));
    }
    expect(await data(path, '&customer_id=cus_x')).toEqual([]);
  },
);

describe.each(recordLists.map(({ endpoint }) => endpoint.path))('%s', (path) => {
  test('gives those that were made between two times', async () => {
    const all = await data(path);
    const times = all.map(madeOf).sort();
    const [from = '', to = ''] = [times[Math.floor(times.length / 3)], times.at(-1)];
    const within = all.filter((row) => madeOf(row) >= from && madeOf(row) < to);
    expect(idsOf(await data(path, `&from=${from}&to=${to}`))).toEqual(idsOf(within));
    expect(await data(path, `&from=${to}&to=${from}`)).toEqual([]);
  });
});

test('the oldest are first on request, page by page, under a filter too', async () => {
  const path = '/portal/api/payments';
  for (const filter of ['', '&status=completed']) {
    const all = idsOf(await data(path, filter));
    const found: string[] = [];
    let cursor = '';
    do {
      const page = await server.api.get(`${path}?limit=3&order=oldest${filter}${cursor}`);
      found.push(...idsOf(page.data));
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
    } while (cursor !== '');
    expect(found).toEqual(all.toReversed());
  }
});

test('statements are those of one customer, made between two times', async () => {
  const api = server.apiOf(await server.anotherTenant());
  const listed = async (query = ''): Promise<ReplyBody[]> =>
    (await api.get(`/portal/api/statements?limit=100${query}`)).data;
  const ana = await api.funded('individual', 5_00);
  const cafe = await api.approved('business');
  await api.advance(2 * 86_400);
  await api.simulate('statement.available', ana.accountId);
  await api.simulate('statement.available', cafe.accountId);
  const own = (await listed()).filter(({ account_id }) => account_id === ana.accountId);
  expect(own).toHaveLength(1);
  expect(idsOf(await listed(`&customer_id=${ana.customerId}`))).toEqual(idsOf(own));
  expect(await listed(`&to=${own[0]?.available_at}&customer_id=${ana.customerId}`)).toEqual([]);
});

test('a filter that few rows pass ends its page early, and reading on finds them all', async () => {
  const { service, tenant } = server;
  const { tenantId } = tenant;
  const query: ListQuery = { status: 'canceled', limit: 3 };
  const pages = openPages(service.vault, tenantId, '/portal/api/payments', query);
  const context = { tenantId, db: service.db, pages } as never;
  const list = { table: payments, made: 'created_at' };
  const found: string[] = [];
  let [reads, cursor]: [number, string | undefined] = [0, undefined];
  do {
    const asked: ListQuery = { ...query, ...(cursor === undefined ? {} : { cursor }) };
    const page: Page<string> = await foundPage<Position, string>(
      context,
      list,
      asked,
      ({ id }) => id,
      2,
    );
    expect(page.data.length).toBeLessThanOrEqual(2);
    expect(page.has_more).toBe(page.next_cursor !== null);
    found.push(...page.data);
    reads += 1;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  const { rows } = await service.pool.query<{ id: string; status: string }>(
    'select id, status from payments where tenant_id = $1 order by id desc',
    [tenantId],
  );
  expect(found).toEqual(rows.flatMap(({ id, status }) => (status === 'canceled' ? [id] : [])));
  expect(reads).toBe(Math.floor(rows.length / 2) + 1);
});
