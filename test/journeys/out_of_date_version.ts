import type { ReplyBody } from '../kit/http.ts';
import type { Actor } from './cast.ts';
import { person, shop } from './cast.ts';
import { type Stage, tale } from './journey.ts';

interface Told {
  readonly version: number;
  readonly status: string;
  readonly outcome: string;
}

/** All that arrived of a record, in the order of arrival, and what the receiver made of it. */
function arrivalsOf({ receiver }: Stage, { id }: ReplyBody): Told[] {
  return receiver.arrivals
    .map(({ rawBody, outcome }) => ({
      record: JSON.parse(rawBody.toString()).data.object,
      outcome,
    }))
    .filter(({ record }) => record.id === id)
    .map(({ record: { version, status }, outcome }) => ({ version, status, outcome }));
}

/** The record as the Tenant's own database has it: what was handled last. */
function pictureOf({ receiver }: Stage, { id }: ReplyBody): ReplyBody {
  const own = receiver.handled.filter(({ data }) => (data.object as { id: string }).id === id);
  return own.at(-1)?.data.object;
}

/** Lets the late ones come: they are held back for five seconds at most. */
async function waitForTheLate(stage: Stage): Promise<void> {
  const { now } = await stage.wire.get('/portal/api/clock');
  await stage.until(new Date(Date.parse(now) + 5_000).toISOString());
}

/** A fact: what has arrived of a record after so many others of it, and what became of each. */
function arrives(stage: Stage, record: ReplyBody, after: number, ...expected: string[]): void {
  const told = arrivalsOf(stage, record).slice(after);
  const found = told.map(({ version, status, outcome }) => `${version} ${status} ${outcome}`);
  stage.story.fact(`of ${record.id} arrive version ${expected.join(', ')}`, found, expected);
}

/** A fact: of a refund's late versions the first is old news, and the third is news; they race. */
function lateOnes(stage: Stage, refund: ReplyBody): void {
  const told = arrivalsOf(stage, refund).slice(2);
  const outcomes = (wanted: number) =>
    told.filter(({ version }) => version === wanted).map(({ outcome }) => outcome);
  stage.story.fact(
    `of ${refund.id} version 3 is handled and its repeat dropped; version 1 is outdated, twice`,
    [outcomes(3), outcomes(1), told.length],
    [['handled', 'duplicate'], ['outdated', 'outdated'], 4],
  );
}

/** Version 2 overtakes version 1: the receiver handles the one and sets the other aside. */
async function payOutOfOrder(stage: Stage, ana: Actor, cafe: Actor): Promise<ReplyBody> {
  const { story, wire } = stage;
  story.step('Ana pays $40.00');
  const payment = await wire.pay(ana, { payee_customer_id: cafe.customerId, amount: 40_00 });
  await wire.confirm(payment);
  story.say('The first version is held back, and the second overtakes it.');
  arrives(stage, payment, 0, '2 completed handled', '2 completed duplicate');
  await waitForTheLate(stage);
  story.say('Seconds later:');
  arrives(
    stage,
    payment,
    2,
    '1 requires_confirmation outdated',
    '1 requires_confirmation outdated',
  );
  const naive = arrivalsOf(stage, payment).at(-1)?.status;
  story.fact(
    'who believes the last to arrive waits for a confirmation',
    naive,
    'requires_confirmation',
  );
  story.fact(
    'the picture that the SDK keeps says completed',
    pictureOf(stage, payment).status,
    'completed',
  );
  return payment;
}

/** Out of order and twice, and the picture is right all the same. */
export const outOfDateVersion = tale({
  name: 'out-of-date-version',
  title: 'An out-of-date version is ignored',
  lead: "The sandbox's chaos sends every event twice and lets new versions overtake old ones: the SDK's receiver handles each once, sets aside what is out of date, and its picture is what the API says.",
  begins: '2026-02-04T15:00:00Z',
  cast: { ana: person('Ana Reyes', 100_00), cafe: shop('Corner Cafe LLC', 5_00) },

  async play(stage, { ana, cafe }) {
    const { story, wire, call } = stage;
    story.step('The Tenant turns chaos on');
    const chaos = { duplicate: 1, out_of_order: 1, fail_first_attempt: 0, api_503: 0, seed: 7 };
    const { body } = await call('PUT', '/portal/api/chaos', { body: chaos });
    story.fact('every event is to come twice, every odd version late', body, chaos);

    const payment = await payOutOfOrder(stage, ana, cafe);

    story.step('The cafe gives it back in two parts, one right after the other');
    const refunds: ReplyBody[] = [];
    for (const amount of [15_00, 25_00]) {
      const refund = await wire.refund(payment, amount);
      await wire.confirm(refund);
      refunds.push(refund);
    }
    arrives(stage, payment, 4, '4 refunded handled', '4 refunded duplicate');
    const [first, second] = refunds;
    for (const refund of refunds)
      arrives(stage, refund, 0, '2 processing handled', '2 processing duplicate');
    story.say('The API is ahead of what has been told: what is late is not yet known.');
    await stage.is(first, 'completed');
    story.fact('the picture still says processing', pictureOf(stage, first).status, 'processing');

    story.step('A minute later');
    await waitForTheLate(stage);
    arrives(stage, payment, 6, '3 partially_refunded outdated', '3 partially_refunded outdated');
    for (const refund of refunds) lateOnes(stage, refund);

    story.step('The picture and the API');
    for (const record of [payment, first, second])
      story.fact(
        `${record.id}: what was handled last is what GET says`,
        pictureOf(stage, record),
        await stage.now(record),
      );
    const quiet = { duplicate: 0, out_of_order: 0, fail_first_attempt: 0, api_503: 0, seed: 7 };
    await call('PUT', '/portal/api/chaos', { body: quiet });
    story.say('Chaos is turned off.');
    await stage.has(ana, { available: 100_00 });
  },
});
