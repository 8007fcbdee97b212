import { readPdf } from '../kit/files/pdf.ts';
import type { ReplyBody } from '../kit/http/http.ts';
import { journey } from './journey.ts';
import { inNewYork, secondsBefore } from './new_york.ts';
import { listAll } from './page.ts';
import { type Actor, person, type Run, shop } from './run.ts';
import { dollars } from './story.ts';

const statementsOf = async ({ api }: Run, { accountId }: Actor): Promise<ReplyBody[]> =>
  (await api.get(`/v1/accounts/${accountId}/statements`)).data;

/** The Transactions of an account that were posted in a time, in cents, and how many. */
async function postedIn(
  { api }: Run,
  { accountId }: Actor,
  from: string,
  to: string,
): Promise<{ credits: number; debits: number; count: number }> {
  const all = await listAll(api, `/v1/accounts/${accountId}/transactions`);
  const posted = all.filter(({ posted_at: at }) => at !== null && at >= from && at < to);
  const sum = (side: string) =>
    posted
      .filter(({ direction }) => direction === side)
      .reduce((cents, { net_amount }) => cents + net_amount, 0);
  return { credits: sum('credit'), debits: sum('debit'), count: posted.length };
}

/** A fact: the PDF of a statement says what the API says. */
async function agrees(
  run: Run,
  actor: Actor,
  statement: ReplyBody,
  [from, to]: readonly [string, string],
): Promise<void> {
  const { status, bytes } = await run.download(statement.download_url);
  const texts = (await readPdf(bytes)).pages.flat();
  const behind = (name: string) => texts[texts.indexOf(name) + 1];
  const { credits, debits, count } = await postedIn(run, actor, from, to);
  const rows = texts.filter((text) => /^[A-Z][a-z]{2} \d{1,2}, \d{4}$/.test(text)).length;
  const names = ['Opening balance', 'Total credits', 'Total debits', 'Closing balance'];
  const { opening_balance, closing_balance } = statement;
  run.story.fact(
    `the PDF of ${actor.name} lists ${count} transactions: ${dollars(credits)} in, ${dollars(debits)} out`,
    [status, rows, ...names.map(behind)],
    [200, count, ...[opening_balance, credits, 0 - debits, closing_balance].map(dollars)],
  );
  run.story.fact(
    `and leads from ${dollars(opening_balance)} to ${dollars(closing_balance)}`,
    opening_balance + credits - debits,
    closing_balance,
  );
}

/** A fact: an account's newest statement is of this time, from and to these cents. */
function covers(
  { story }: Run,
  { name }: Actor,
  statement: ReplyBody | undefined,
  [start, end]: readonly [string, string],
  cents: readonly [opening: number, closing: number],
): void {
  story.fact(
    `${name}: ${start} to ${end}, ${cents.map(dollars).join(' to ')}`,
    [
      statement?.period_start,
      statement?.period_end,
      statement?.opening_balance,
      statement?.closing_balance,
    ],
    [start, end, ...cents],
  );
}

const january = ['2026-01-30', '2026-01-31'] as const;
const february = ['2026-02-01', '2026-02-28'] as const;
const spanOf = ([first]: readonly [string, string], after: string) =>
  [inNewYork(first, '00:00'), inNewYork(after, '00:00')] as const;

async function endOfJanuary(run: Run, ana: Actor, cafe: Actor): Promise<void> {
  const { story, api } = run;
  story.step('The last days of January');
  await run.paid(ana, cafe, 24_00);
  const dinner = await run.paid(ana, cafe, 36_50);
  const refund = await api.confirmed(api.refund(dinner, 6_50));
  await run.is(refund, 'completed');
  await run.withdrawn(cafe, 20_00);
  await run.has(ana, { available: 146_00 });
  await run.has(cafe, { available: 33_70 });

  story.step('Midnight in New York');
  const midnight = inNewYork('2026-02-01', '00:00');
  await run.until(secondsBefore(midnight, 1));
  story.say('Ana has two cups of tea: one second before it, and on the stroke.');
  await run.paid(ana, cafe, 3_00);
  await run.until(midnight);
  await run.paid(ana, cafe, 4_00);
}

async function firstStatements(run: Run, ana: Actor, cafe: Actor): Promise<void> {
  const { story } = run;
  story.step('Sunday, February 1, six in the morning');
  const six = inNewYork('2026-02-01', '06:00');
  await run.until(secondsBefore(six, 1));
  const early = await Promise.all([ana, cafe].map((one) => statementsOf(run, one)));
  story.fact('a second before it there is no statement', early, [[], []]);
  await run.until(six);
  const [ofAna] = await statementsOf(run, ana);
  const [ofCafe] = await statementsOf(run, cafe);
  story.say('Now both have one. The first cup is in it, the second is not.');
  covers(run, ana, ofAna, january, [0, 143_00]);
  covers(run, cafe, ofCafe, january, [0, 36_68]);
  const span = spanOf(january, '2026-02-01');
  await agrees(run, ana, ofAna, span);
  await agrees(run, cafe, ofCafe, span);
}

async function addressesExpire(run: Run, ana: Actor): Promise<void> {
  const { story } = run;
  story.step('Ana opens it again a quarter of an hour later');
  const [old] = await statementsOf(run, ana);
  const before = await run.download(old.download_url);
  run.pass(15);
  const { status } = await run.download(old.download_url);
  story.fact('the address has expired', status, 404);
  const [again] = await statementsOf(run, ana);
  story.fact('asked again, there is a fresh one', again.download_url !== old.download_url);
  const after = await run.download(again.download_url);
  story.fact(
    'and it leads to the same statement, byte for byte',
    [again.id, Buffer.from(after.bytes).equals(before.bytes)],
    [old.id, true],
  );
}

journey({
  name: 'month-end',
  title: 'Month end',
  lead: 'On the 1st at six in New York a customer and a merchant have their statements: the PDFs add up to what the API lists, a month opens where the one before closed, and an address lives for a quarter of an hour.',
  begins: '2026-01-30T15:00:00Z',
  people: { ana: person('Ana Reyes', 200_00), cafe: shop('Corner Cafe LLC') },

  async steps(run, { ana, cafe }) {
    const { story } = run;
    await endOfJanuary(run, ana, cafe);
    await firstStatements(run, ana, cafe);
    await addressesExpire(run, ana);

    story.step('February has one more lunch');
    await run.until(inNewYork('2026-02-12', '12:30'));
    await run.paid(ana, cafe, 19_00);

    story.step('Sunday, March 1, six in the morning');
    await run.until(inNewYork('2026-03-01', '06:00'));
    const [ofAna, ofAnaBefore, ...older] = await statementsOf(run, ana);
    const [ofCafe, ofCafeBefore] = await statementsOf(run, cafe);
    covers(run, ana, ofAna, february, [143_00, 120_00]);
    covers(run, cafe, ofCafe, february, [36_68, 59_56]);
    story.fact(
      'each opens where the one before closed',
      [ofAna.opening_balance, ofCafe.opening_balance, older],
      [ofAnaBefore?.closing_balance, ofCafeBefore?.closing_balance, []],
    );
    const span = spanOf(february, '2026-03-01');
    await agrees(run, ana, ofAna, span);
    await agrees(run, cafe, ofCafe, span);
    story.say('And that is what they have:');
    await run.has(ana, { available: 120_00 });
    await run.has(cafe, { available: 59_56 });
  },
});
