import { journey } from './journey.ts';
import { person, shop } from './run.ts';

journey({
  name: 'refund-waits',
  title: 'A refund that waits',
  lead: 'A cafe has sent all its money to its bank when two customers want theirs back: the refunds wait, first in first out, and the next payment serves them.',
  people: {
    ana: person('Ana Reyes', 100_00),
    ben: person('Ben Osei', 50_00),
    cleo: person('Cleo Marsh', 100_00),
    cafe: shop('Corner Cafe LLC'),
  },

  async steps(run, { ana, ben, cleo, cafe }) {
    const { story, api } = run;
    story.step('Ana pays $60.00 and Ben $30.00');
    const fromAna = await run.paid(ana, cafe, 60_00);
    const fromBen = await run.paid(ben, cafe, 30_00);
    await run.has(cafe, { available: 89_55 });

    story.step('The cafe sends all of it to its bank');
    await run.withdrawn(cafe, 89_55);
    await run.has(cafe, {});

    story.step('Both ask for a refund: Ana for all of hers, then Ben for $10.00');
    const large = await api.refund(fromAna, 60_00);
    const small = await api.refund(fromBen, 10_00);
    for (const refund of [large, small]) {
      await run.is(refund, 'requested');
      await api.confirmed(refund);
      await run.is(refund, 'pending_funds');
    }
    story.say("The cafe's user has confirmed both. There is no money to set aside for them.");
    await run.has(cafe, {});

    story.step('Ben pays $20.00');
    await run.paid(ben, cafe, 20_00);
    story.say("It would do for Ben's refund, but Ana's came first and is not yet covered.");
    await run.has(cafe, { available: 19_90 });
    for (const refund of [large, small]) await run.is(refund, 'pending_funds');

    story.step('Cleo pays $60.00');
    await run.paid(cleo, cafe, 60_00);
    story.say('Now there is enough for both, and each is served in its turn.');
    for (const refund of [large, small]) await run.is(refund, 'completed');
    await run.is(fromAna, 'refunded');
    await run.is(fromBen, 'partially_refunded');
    await run.has(ana, { available: 100_00 });
    await run.has(ben, { available: 10_00 });
    await run.has(cafe, { available: 9_60 });
  },
});
