import { beforeEach, expect, test } from 'vitest';
import type { Api } from '../../../test/kit/api.ts';
import { reachable } from '../../../test/kit/files/report_files.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { uuid } from '../../../test/kit/ids.ts';
import { application, type Person } from '../../../test/kit/person.ts';
import { openServer } from '../../../test/kit/server.ts';
import { readCsv } from '../../http/files/read_csv.ts';
import { addDays, type Day, easternDay } from '../limits/days.ts';

/** The column of own references in the file of a report (rules/reads#10). */

const server = await openServer({ manual: true });
const metadata = { order: '4711', 'till number': 'Ü "3", ;' };

let tenantId: string;
let api: Api;
let ana: Person;
let cafe: Person;
beforeEach(async () => {
  const tenant = await server.anotherTenant();
  tenantId = tenant.tenantId;
  api = server.apiOf(tenant);
  ana = await api.funded('individual', 100_00);
  cafe = await api.banked('business');
});

const pay = (cents: number, more = {}): Promise<ReplyBody> =>
  api.confirmed(api.pay(ana, cafe, cents, more));
const today = async (): Promise<Day> => easternDay((await api.get('/portal/api/clock')).now);

/** Lets the day end, and the one after. @returns the day */
async function endOfDay(): Promise<Day> {
  const day = await today();
  await api.advance(2 * 86_400);
  return day;
}

async function textOf(day: Day): Promise<string> {
  const { file } = await api.get(`/v1/reports/reconciliation?date=${day}`);
  return (await fetch(reachable(server, file.download_url))).text();
}
const rowsOf = (text: string) => readCsv(text).map(({ cells }) => cells);
const lastColumn = async (day: Day) => rowsOf(await textOf(day))[0]?.at(-1);

test('the file of a Tenant that has not used metadata has the columns of 1.0.0, and keeps them', async () => {
  await pay(1_00, { order_reference: 'plain' });
  // Nothing that a customer's own metadata could be shown beside is posted.
  await api.post('/v1/customers', { ...application('individual'), metadata });
  const day = await endOfDay();
  const text = await textOf(day);
  const [names = [], ...rows] = rowsOf(text);
  expect(names).toHaveLength(14);
  expect(names.at(-1)).toBe('balance_after');
  expect(rows.length).toBeGreaterThan(2);
  for (const row of rows) expect(row).toHaveLength(names.length);
  expect(text).toMatch(/,postings_count=\d+\n$/);
  await pay(2_00, { metadata });
  expect(await lastColumn(await endOfDay())).toBe('metadata');
  expect(await textOf(day)).toBe(text);
});

test('a day without metadata has no column also where the next day had some before the report', async () => {
  await pay(1_00);
  const day = await today();
  // Three in the morning: the report of the day before is not made yet.
  await api.advance(`${addDays(day, 1)}T08:00:00.000Z`);
  await pay(2_00, { metadata });
  const next = await endOfDay();
  expect(next).toBe(addDays(day, 1));
  expect(await lastColumn(day)).toBe('balance_after');
  expect(await lastColumn(next)).toBe('metadata');
});

test('each row has the metadata of the record behind its posting in the last column', async () => {
  const made = await pay(2_00, { metadata });
  await pay(3_00);
  const [names = [], ...rows] = rowsOf(await textOf(await endOfDay()));
  const [source, last] = [names.indexOf('source_id'), names.indexOf('metadata')];
  expect(last).toBe(names.length - 1);
  const postings = rows.slice(0, -1);
  expect(postings.length).toBeGreaterThan(3);
  for (const row of postings)
    expect(row[last]).toBe(row[source] === made.id ? JSON.stringify(metadata) : '');
  expect(postings.some((row) => row[last] !== '')).toBe(true);
  expect(rows.at(-1)).toHaveLength(names.length);
});

test('a Tenant that has used metadata keeps the column when all of it has been erased', async () => {
  const { id } = await pay(1_00, { metadata });
  const used = await endOfDay();
  const setMetadata = (value: string | null) =>
    server.owner.query(
      `update payments set metadata = $1, revision = revision + 1
        where tenant_id = $2 and id = $3`,
      [value, tenantId, uuid('payment', id)],
    );
  await setMetadata(null);
  try {
    await pay(2_00);
    for (const day of [used, await endOfDay()]) {
      const [names = [], ...rows] = rowsOf(await textOf(day));
      expect(names.at(-1)).toBe('metadata');
      for (const row of rows) expect([row.length, row.at(-1)]).toEqual([names.length, '']);
    }
  } finally {
    // An erasure is no part of this ledger, which is proven after the file.
    await setMetadata(JSON.stringify(metadata));
  }
});
