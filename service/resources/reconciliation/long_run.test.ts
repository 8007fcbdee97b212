import { expect, test } from 'vitest';
import { fileOf, readdedFrom } from '../../../test/kit/files/report_files.ts';
import type { Person } from '../../../test/kit/person.ts';
import { openServer } from '../../../test/kit/server.ts';
import { addDays, type Day, easternDay, startOfDay } from '../limits/days.ts';

const server = await openServer({ manual: true });
const { api, engine } = server;

/** The Tenant starts on this day; both changes of daylight saving time are in the next 400. */
const first: Day = '2026-01-20';
const lastDay = addDays(first, 399);
const shortDay: Day = '2026-03-08';
const longDay: Day = '2026-11-01';

/** The clocks change at 02:00: between a day's end and its report, or within the day. */
const shortNights = new Set([addDays(shortDay, -1), shortDay]);
const longNights = new Set([addDays(longDay, -1), longDay]);

interface Row {
  readonly day: Day;
  readonly opening_balance: number;
  readonly closing_balance: number;
  readonly generated_at: string;
  readonly postings_count: number;
}

/** Instants of postings: on either side of midnights, and in hours that occur twice. */
const instants: readonly string[] = [
  '2026-01-20T15:30:00Z',
  // The last and the first minute of days, in winter and summer.
  '2026-02-01T04:59:10Z',
  '2026-02-01T05:00:10Z',
  '2026-03-08T04:59:10Z',
  '2026-03-08T05:00:10Z',
  // 02:00 becomes 03:00.
  '2026-03-08T06:59:10Z',
  '2026-03-08T07:00:10Z',
  '2026-03-09T03:59:10Z',
  '2026-03-09T04:00:10Z',
  '2026-06-30T12:00:00Z',
  '2026-11-01T03:59:10Z',
  '2026-11-01T04:00:10Z',
  // 01:00 occurs twice.
  '2026-11-01T05:30:00Z',
  '2026-11-01T06:30:00Z',
  '2026-11-02T04:59:10Z',
  '2026-11-02T05:00:10Z',
  '2027-01-01T04:59:10Z',
  '2027-02-01T17:00:00Z',
];

async function play(ana: Person, cafe: Person): Promise<Map<Day, number>> {
  const posted = new Map<Day, number>();
  for (const [place, to] of instants.entries()) {
    await api.advance(to);
    const amount = 100_00 + place;
    if (place % 3 === 0) await api.fund(ana, amount);
    else await api.confirmed(api.pay(ana, cafe, place));
    const day = easternDay(new Date(to).toISOString());
    posted.set(day, (posted.get(day) ?? 0) + (place % 3 === 0 ? amount : 0));
  }
  return posted;
}

test('each of 400 days has its report, which opens as the one before closed', async () => {
  const ana = await api.banked('individual');
  const cafe = await api.banked('business', 'savings');
  const loaded = await play(ana, cafe);
  await api.advance(`${addDays(lastDay, 1)}T11:00:00Z`);

  const rows = await engine.query<Row>(
    `select * from reconciliation_reports where tenant_id = $1 order by day`,
  );
  expect(rows).toHaveLength(400);
  let balance = 0;
  for (const [place, row] of rows.entries()) {
    expect(row.day).toBe(addDays(first, place));
    expect(row.opening_balance, row.day).toBe(balance);
    balance += loaded.get(row.day) ?? 0;
    expect(row.closing_balance, row.day).toBe(balance);
    const hours = (Date.parse(row.generated_at) - Date.parse(startOfDay(row.day))) / 3_600_000;
    // From midnight to 06:00 of the next day, in New York time.
    expect(hours, row.day).toBe(shortNights.has(row.day) ? 29 : longNights.has(row.day) ? 31 : 30);
  }
  for (const date of [shortDay, longDay, '2026-02-01', lastDay]) {
    const { body } = await server.call('GET', `/v1/reports/reconciliation?date=${date}`);
    const file = await fileOf(server, body.file.download_url);
    expect(file.rows).toHaveLength(body.postings_count);
    const { change, fee_clearing_swept: _, ...totals } = readdedFrom(file.rows);
    expect(totals).toEqual(body.totals);
    expect(body.opening_balance + change).toBe(body.closing_balance);
  }
  // From January to January: thirteen months.
  const { data } = await api.get(`/v1/accounts/${ana.accountId}/statements?limit=100`);
  expect(data).toHaveLength(13);
});
