import type { ReplyBody } from '../kit/http/http.ts';
import { journey } from './journey.ts';
import { type Actor, person, type Run, shop } from './run.ts';

/** The versions of a record in the order of arrival, and what the receiver did with each. */
const arrivalsOf = ({ receiver }: Run, { id }: ReplyBody) =>
  receiver.arrivals
    .map(({ event, outcome }) => ({ ...event.data.object, outcome }))
    .filter((record) => record.id === id);

/** The record as the Tenant's own database has it: the version that was handled last. */
function handledOf({ receiver }: Run, { id }: ReplyBody): ReplyBody {
  const own = receiver.handled.filter(({ data }) => (data.object as { id: string }).id === id);
  return own.at(-1)?.data.object;
}

/** Chaos holds webhooks back for five seconds at most. */
async function waitForTheLate(run: Run): Promise<void> {
  const { now } = await run.api.get('/portal/api/clock');
  await run.until(new Date(Date.parse(now) + 5_000).toISOString());
}

/** A fact: the versions of a record that arrived after the first ones, and what was done with each. */
function arrives(run: Run, record: ReplyBody, after: number, ...expected: string[]): void {
  const found = arrivalsOf(run, record).slice(after);
  const lines = found.map(({ version, status, outcome }) => `${version} ${status} ${outcome}`);
  run.story.fact(`of ${record.id} arrive version ${expected.join(', ')}`, lines, expected);
}

/** A fact: of a refund's late versions the first is outdated, and the third is new; their order is not fixed. */
function lateOnes(run: Run, refund: ReplyBody): void {
  const found = arrivalsOf(run, refund).slice(2);
  const outcomes = (wanted: number) =>
    found.filter(({ version }) => version === wanted).map(({ outcome }) => outcome);
  run.story.fact(
    `of ${refund.id} version 3 is handled, version 1 is outdated, and the repeats of both are dropped`,
    [outcomes(3), outcomes(1), found.length],
    [['handled', 'duplicate'], ['outdated', 'duplicate'], 4],
  );
}

/** Version 2 overtakes version 1: the receiver handles the one and sets the other aside. */
async function payOutOfOrder(run: Run, ana: Actor, cafe: Actor): Promise<ReplyBody> {
  const { story, api } = run;
  story.step('Ana pays $40.00');
  const payment = await api.confirmed(api.pay(ana, cafe, 40_00));
  story.say('The first version is held back, and the second overtakes it.');
  arrives(run, payment, 0, '2 completed handled', '2 completed duplicate');
  await waitForTheLate(run);
  story.say('Seconds later:');
  arrives(run, payment, 2, '1 requires_confirmation outdated', '1 requires_confirmation duplicate');
  const naive = arrivalsOf(run, payment).at(-1)?.status;
  story.fact(
    'the last version to arrive says that it waits for a confirmation',
    naive,
    'requires_confirmation',
  );
  story.fact(
    'the last version that was handled is completed',
    handledOf(run, payment).status,
    'completed',
  );
  return payment;
}

journey({
  name: 'out-of-date-version',
  title: 'An out-of-date version is ignored',
  lead: "The sandbox's chaos sends every event twice and lets new versions overtake old ones: the SDK's receiver handles each once, sets aside what is out of date, and the version that it handled last is what the API says.",
  begins: '2026-02-04T15:00:00Z',
  people: { ana: person('Ana Reyes', 100_00), cafe: shop('Corner Cafe LLC', 5_00) },

  async steps(run, { ana, cafe }) {
    const { story, api } = run;
    story.step('The Tenant turns chaos on');
    const chaos = { duplicate: 1, out_of_order: 1, fail_first_attempt: 0, api_503: 0, seed: 7 };
    const set = await api.put('/portal/api/chaos', chaos);
    story.fact('every event comes twice, every odd version late', set, { ...chaos, ends_at: null });

    const payment = await payOutOfOrder(run, ana, cafe);

    story.step('The cafe gives it back in two parts, one right after the other');
    const refunds: ReplyBody[] = [];
    for (const amount of [15_00, 25_00])
      refunds.push(await api.confirmed(api.refund(payment, amount)));
    arrives(run, payment, 4, '4 refunded handled', '4 refunded duplicate');
    const [first, second] = refunds;
    for (const refund of refunds)
      arrives(run, refund, 0, '2 processing handled', '2 processing duplicate');
    story.say('The API is ahead of the webhooks: the late ones have not arrived.');
    await run.is(first, 'completed');
    story.fact(
      'the last version that was handled is still processing',
      handledOf(run, first).status,
      'processing',
    );

    story.step('A minute later');
    await waitForTheLate(run);
    arrives(run, payment, 6, '3 partially_refunded outdated', '3 partially_refunded duplicate');
    for (const refund of refunds) lateOnes(run, refund);

    story.step("The Tenant's records and the API");
    for (const record of [payment, first, second])
      story.fact(
        `${record.id}: the last version that was handled is what GET says`,
        handledOf(run, record),
        await run.now(record),
      );
    await api.put('/portal/api/chaos', { ...chaos, duplicate: 0, out_of_order: 0 });
    story.say('Chaos is turned off.');
    await run.has(ana, { available: 100_00 });
  },
});
