import type { ReplyBody } from '../kit/http.ts';
import { readPdf } from '../kit/pdf.ts';
import { type Actor, person, shop } from './cast.ts';
import { type Stage, tale } from './journey.ts';
import { inNewYork, secondsBefore } from './new_york.ts';
import { dollars } from './story.ts';

const statementsOf = async ({ wire }: Stage, { accountId }: Actor): Promise<ReplyBody[]> =>
  (await wire.get(`/v1/accounts/${accountId}/statements`)).data;

/** What the API lists of an account as posted in a time, added up: cents in, cents out, and how many. */
async function postedIn(
  { wire }: Stage,
  { accountId }: Actor,
  from: string,
  to: string,
): Promise<{ credits: number; debits: number; count: number }> {
  const { data } = await wire.get(`/v1/accounts/${accountId}/transactions?limit=100`);
  const posted = data.filter(
    ({ posted_at }: ReplyBody) => posted_at !== null && posted_at >= from && posted_at < to,
  );
  const sum = (side: string) =>
    posted
      .filter(({ direction }: ReplyBody) => direction === side)
      .reduce((cents: number, { net_amount }: ReplyBody) => cents + net_amount, 0);
  return { credits: sum('credit'), debits: sum('debit'), count: posted.length };
}

/** The texts of a PDF, and the cell behind a name. */
async function read(bytes: Uint8Array) {
  const texts = (await readPdf(bytes)).pages.flat();
  return { texts, behind: (name: string) => texts[texts.indexOf(name) + 1] };
}

/** A fact: what its owner reads is what the API says. */
async function agrees(
  stage: Stage,
  actor: Actor,
  statement: ReplyBody,
  [from, to]: readonly [string, string],
): Promise<void> {
  const { status, bytes } = await stage.download(statement.download_url);
  const { texts, behind } = await read(bytes);
  const { credits, debits, count } = await postedIn(stage, actor, from, to);
  const rows = texts.filter((text) => /^[A-Z][a-z]{2} \d{1,2}, \d{4}$/.test(text)).length;
  const names = ['Opening balance', 'Total credits', 'Total debits', 'Closing balance'];
  const { opening_balance, closing_balance } = statement;
  stage.story.fact(
    `the PDF of ${actor.name} lists ${count} transactions: ${dollars(credits)} in, ${dollars(debits)} out`,
    [status, rows, ...names.map(behind)],
    [200, count, ...[opening_balance, credits, 0 - debits, closing_balance].map(dollars)],
  );
  stage.story.fact(
    `and leads from ${dollars(opening_balance)} to ${dollars(closing_balance)}`,
    opening_balance + credits - debits,
    closing_balance,
  );
}

/** A fact: an account's newest statement is of this time, from and to these cents. */
function covers(
  { story }: Stage,
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

async function payRound(stage: Stage, ana: Actor, cafe: Actor, amount: number): Promise<ReplyBody> {
  const payment = await stage.wire.pay(ana, { payee_customer_id: cafe.customerId, amount });
  await stage.wire.confirm(payment);
  await stage.is(payment, 'completed');
  return payment;
}

async function endOfJanuary(stage: Stage, ana: Actor, cafe: Actor): Promise<void> {
  const { story, wire } = stage;
  story.step('The last days of January');
  await payRound(stage, ana, cafe, 24_00);
  const dinner = await payRound(stage, ana, cafe, 36_50);
  const refund = await wire.refund(dinner, 6_50);
  await wire.confirm(refund);
  await stage.is(refund, 'completed');
  const payout = await wire.withdraw(cafe, 20_00);
  await wire.confirm(payout);
  await wire.simulate('withdrawal.settled', payout.id);
  await stage.is(payout, 'settled');
  await stage.has(ana, { available: 146_00 });
  await stage.has(cafe, { available: 33_70 });

  story.step('Midnight in New York');
  const midnight = inNewYork('2026-02-01', '00:00');
  await stage.until(secondsBefore(midnight, 1));
  story.say('Ana has two cups of tea: one second before it, and on the stroke.');
  await payRound(stage, ana, cafe, 3_00);
  await stage.until(midnight);
  await payRound(stage, ana, cafe, 4_00);
}

async function firstStatements(stage: Stage, ana: Actor, cafe: Actor): Promise<void> {
  const { story } = stage;
  story.step('Sunday, February 1, six in the morning');
  const six = inNewYork('2026-02-01', '06:00');
  await stage.until(secondsBefore(six, 1));
  const early = await Promise.all([ana, cafe].map((one) => statementsOf(stage, one)));
  story.fact('a second before it nobody has a statement', early, [[], []]);
  await stage.until(six);
  const [ofAna] = await statementsOf(stage, ana);
  const [ofCafe] = await statementsOf(stage, cafe);
  story.say('Now both have one. The first cup is in it, the second is not.');
  covers(stage, ana, ofAna, january, [0, 143_00]);
  covers(stage, cafe, ofCafe, january, [0, 36_68]);
  const span = spanOf(january, '2026-02-01');
  await agrees(stage, ana, ofAna, span);
  await agrees(stage, cafe, ofCafe, span);
}

async function addressesExpire(stage: Stage, ana: Actor): Promise<void> {
  const { story } = stage;
  story.step('Ana comes back to it a quarter of an hour later');
  const [old] = await statementsOf(stage, ana);
  const before = await stage.download(old.download_url);
  stage.pass(15);
  const { status } = await stage.download(old.download_url);
  story.fact('the address has expired', status, 404);
  const [again] = await statementsOf(stage, ana);
  story.fact('asked again, there is a fresh one', again.download_url !== old.download_url);
  const after = await stage.download(again.download_url);
  story.fact(
    'and it leads to the same statement, byte for byte',
    [again.id, Buffer.from(after.bytes).equals(before.bytes)],
    [old.id, true],
  );
}

/** Statements: when they are there, what they hold, and how long their addresses live. */
export const monthEnd = tale({
  name: 'month-end',
  title: 'Month end',
  lead: 'On the 1st at six in New York a customer and a merchant have their statements: the PDFs add up to what the API lists, a month opens where the one before closed, and an address lives for a quarter of an hour.',
  begins: '2026-01-30T15:00:00Z',
  cast: { ana: person('Ana Reyes', 200_00), cafe: shop('Corner Cafe LLC') },

  async play(stage, { ana, cafe }) {
    const { story } = stage;
    await endOfJanuary(stage, ana, cafe);
    await firstStatements(stage, ana, cafe);
    await addressesExpire(stage, ana);

    story.step('February has one more lunch');
    await stage.until(inNewYork('2026-02-12', '12:30'));
    await payRound(stage, ana, cafe, 19_00);

    story.step('Sunday, March 1, six in the morning');
    await stage.until(inNewYork('2026-03-01', '06:00'));
    const [ofAna, ofAnaBefore, ...older] = await statementsOf(stage, ana);
    const [ofCafe, ofCafeBefore] = await statementsOf(stage, cafe);
    covers(stage, ana, ofAna, february, [143_00, 120_00]);
    covers(stage, cafe, ofCafe, february, [36_68, 59_56]);
    story.fact(
      'each opens where the one before closed',
      [ofAna.opening_balance, ofCafe.opening_balance, older],
      [ofAnaBefore?.closing_balance, ofCafeBefore?.closing_balance, []],
    );
    const span = spanOf(february, '2026-03-01');
    await agrees(stage, ana, ofAna, span);
    await agrees(stage, cafe, ofCafe, span);
    story.say('And that is what they have:');
    await stage.has(ana, { available: 120_00 });
    await stage.has(cafe, { available: 59_56 });
  },
});
