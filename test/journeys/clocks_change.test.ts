import { fileOf, readdedFrom } from '../kit/files/report_files.ts';
import type { ReplyBody } from '../kit/http/http.ts';
import { journey } from './journey.ts';
import { dayAfter, daysOf, inNewYork, newYork, secondsBefore } from './new_york.ts';
import { type Actor, person, type Run, shop } from './run.ts';
import { dollars } from './story.ts';

const reportOf = ({ api }: Run, day: string): Promise<ReplyBody> =>
  api.get(`/v1/reports/reconciliation?date=${day}`);

async function payAt(run: Run, ana: Actor, cafe: Actor, instant: string, amount: number) {
  await run.until(instant);
  run.story.say(`${newYork(instant)}: Ana pays ${dollars(amount)}.`);
  return run.paid(ana, cafe, amount);
}

/** A fact: there is no report until six in the morning of the next day, and then there is. */
async function appears(run: Run, day: string): Promise<ReplyBody> {
  const six = inNewYork(dayAfter(day), '06:00');
  const early = secondsBefore(six, 1);
  await run.until(early);
  await run.refused(`${newYork(early)}: none yet`, reportOf(run, day), 'not_found', {
    reason: 'not_yet_available',
    available_at: six,
  });
  await run.until(six);
  const report = await reportOf(run, day);
  run.story.fact(
    `${newYork(six)}: the report of ${day}`,
    [report.date, report.generated_at],
    [day, six],
  );
  return report;
}

const nothing = { loads: 0, payments: 0, withdrawals: 0, refunds: 0, fees: 0, adjustments: 0 };
type Totals = typeof nothing;

/** A fact: a report's totals, and that its file adds up to them and spans the day. */
async function holds(
  run: Run,
  report: ReplyBody,
  totals: Partial<Totals>,
  [first, last]: readonly [string, string],
): Promise<void> {
  const { story } = run;
  const named = Object.entries(totals).map(([name, cents]) => `${name} ${dollars(cents)}`);
  story.fact(named.join(', '), report.totals, { ...nothing, ...totals });
  const { rows, trailer } = await fileOf(run.server, report.file.download_url);
  const { change, fee_clearing_swept, ...readded } = readdedFrom(rows);
  story.fact(
    `its CSV of ${rows.length} postings adds up to the same, line by line`,
    [readded, fee_clearing_swept, rows.length, trailer.business_date],
    [report.totals, report.fee_clearing_swept, report.postings_count, report.date],
  );
  const { opening_balance, closing_balance } = report;
  story.fact(
    `and leads from ${dollars(opening_balance)} to ${dollars(closing_balance)}`,
    opening_balance + change,
    closing_balance,
  );
  const times = rows.map(({ posted_at = '' }) => posted_at).sort();
  story.fact(
    `its first posting is of ${newYork(first)}, its last of ${newYork(last)}`,
    [times[0], times.at(-1)],
    [first, last],
  );
}

async function longDay(run: Run, ana: Actor, cafe: Actor): Promise<ReplyBody> {
  const { story } = run;
  story.step('Sunday, November 1, has 25 hours');
  const first = inNewYork('2026-11-01', '01:30');
  await payAt(run, ana, cafe, first, 10_00);
  story.say('At two the clocks go back to one, and it is half past one again.');
  const again = inNewYork('2026-11-01', '01:30', 'later');
  await payAt(run, ana, cafe, again, 15_00);
  story.fact('an hour lies between the two', Date.parse(again) - Date.parse(first), 3_600_000);
  await run.until(inNewYork('2026-11-01', '12:00'));
  story.say('At noon the cafe sends $12.00 to its bank.');
  await run.withdrawn(cafe, 12_00);
  const midnight = inNewYork('2026-11-02', '00:00');
  const last = secondsBefore(midnight, 1);
  await payAt(run, ana, cafe, last, 5_00);
  story.say('A second later it is Monday. In London it has been for five hours.');
  await payAt(run, ana, cafe, midnight, 7_00);

  story.step('The report of the long day');
  const report = await appears(run, '2026-11-01');
  await holds(run, report, { payments: 30_00, withdrawals: 12_00, fees: 16 }, [first, last]);
  return report;
}

async function winter(run: Run, sunday: ReplyBody): Promise<ReplyBody> {
  const { story } = run;
  const days = daysOf('2026-11-02', '2027-03-12');
  story.step('Winter: there are no payments');
  await run.until(inNewYork('2027-03-13', '06:00'));
  const reports: ReplyBody[] = [];
  for (const day of days) reports.push(await reportOf(run, day));
  story.fact(
    `each of ${days.length} days has its report`,
    reports.map(({ date }) => date),
    days,
  );
  story.fact(
    'each opens where the day before it closed, Monday where the long Sunday did',
    reports.map(({ opening_balance }) => opening_balance),
    [sunday, ...reports.slice(0, -1)].map(({ closing_balance }) => closing_balance),
  );
  const busy = reports.filter(({ totals }) =>
    Object.values<number>(totals).some((cents) => cents !== 0),
  );
  story.fact(
    'and but for that Monday, $7.00, nothing moved',
    busy.map(({ date, totals }) => [date, totals]),
    [['2026-11-02', { ...nothing, payments: 7_00, fees: 4 }]],
  );
  return reports.at(-1);
}

async function shortDay(run: Run, ana: Actor, cafe: Actor): Promise<ReplyBody> {
  const { story, api } = run;
  story.step('Sunday, March 14, has 23 hours');
  const first = secondsBefore(inNewYork('2027-03-14', '03:00'), 1);
  const early = await payAt(run, ana, cafe, first, 20_00);
  story.say('A second later it is three: the hour from two to three is left out.');
  await payAt(run, ana, cafe, inNewYork('2027-03-14', '03:00'), 8_00);
  await run.until(inNewYork('2027-03-14', '12:00'));
  story.say('At noon the cafe refunds $2.50.');
  const refund = await api.confirmed(api.refund(early, 2_50));
  await run.is(refund, 'completed');
  const midnight = inNewYork('2027-03-15', '00:00');
  const last = secondsBefore(midnight, 1);
  await payAt(run, ana, cafe, last, 6_00);
  await payAt(run, ana, cafe, midnight, 9_00);

  story.step('The report of the short day');
  const report = await appears(run, '2027-03-14');
  await holds(run, report, { payments: 34_00, refunds: 2_50, fees: 17 }, [first, last]);
  return report;
}

journey({
  name: 'clocks-change',
  title: 'Reconciliation when the clocks change',
  lead: 'Ana pays in the hour that comes twice, a second before the hour that is left out, and a second either side of midnight: each report is there at six, has every posting of its day and no other, and opens where the day before closed.',
  begins: '2026-10-31T14:00:00Z',
  people: { ana: person('Ana Reyes', 200_00), cafe: shop('Corner Cafe LLC') },

  async steps(run, { ana, cafe }) {
    const { story } = run;
    const long = await longDay(run, ana, cafe);
    const friday = await winter(run, long);
    const short = await shortDay(run, ana, cafe);

    story.step('Each day opens where the day before closed');
    const saturday = await reportOf(run, '2027-03-13');
    story.fact(
      'Friday closes where Saturday opens, and Saturday where the short Sunday does',
      [friday.closing_balance, saturday.closing_balance],
      [saturday.opening_balance, short.opening_balance],
    );
    await run.until(inNewYork('2027-03-16', '06:00'));
    const monday = await reportOf(run, '2027-03-15');
    story.fact('Sunday closes where Monday opens', monday.opening_balance, short.closing_balance);
    const balances = await Promise.all([ana, cafe].map((one) => run.api.balance(one)));
    const owned = balances.reduce((cents, { ledger }) => cents + ledger, 0);
    story.fact(`and Monday closes at ${dollars(owned)}`, monday.closing_balance, owned);
    story.say('which is what the two of them have:');
    await run.has(ana, { available: 122_50 });
    await run.has(cafe, { available: 65_08 });
  },
});
