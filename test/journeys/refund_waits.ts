import type { ReplyBody } from '../kit/http.ts';
import { type Actor, person, shop } from './cast.ts';
import { type Stage, tale } from './journey.ts';

async function paid(stage: Stage, payer: Actor, cafe: Actor, amount: number): Promise<ReplyBody> {
  const payment = await stage.wire.pay(payer, { payee_customer_id: cafe.customerId, amount });
  await stage.wire.confirm(payment);
  await stage.is(payment, 'completed');
  return payment;
}

/** Refunds that their merchant cannot fund wait in one line, and the next payments serve it. */
export const refundWaits = tale({
  name: 'refund-waits',
  title: 'A refund that waits',
  lead: 'A cafe has sent all its money to its bank when two customers want theirs back: the refunds wait, first in first out, and the next payment serves them.',
  cast: {
    ana: person('Ana Reyes', 100_00),
    ben: person('Ben Osei', 50_00),
    cleo: person('Cleo Marsh', 100_00),
    cafe: shop('Corner Cafe LLC'),
  },

  async play(stage, { ana, ben, cleo, cafe }) {
    const { story, wire } = stage;
    story.step('Ana pays $60.00 and Ben $30.00');
    const fromAna = await paid(stage, ana, cafe, 60_00);
    const fromBen = await paid(stage, ben, cafe, 30_00);
    await stage.has(cafe, { available: 89_55 });

    story.step('The cafe sends all of it to its bank');
    const emptied = await wire.withdraw(cafe, 89_55);
    await wire.confirm(emptied);
    await wire.simulate('withdrawal.settled', emptied.id);
    await stage.is(emptied, 'settled');
    await stage.has(cafe, {});

    story.step('Both want money back: Ana all of hers, then Ben $10.00');
    const large = await wire.refund(fromAna, 60_00);
    const small = await wire.refund(fromBen, 10_00);
    for (const refund of [large, small]) {
      await stage.is(refund, 'requested');
      await wire.confirm(refund);
      await stage.is(refund, 'pending_funds');
    }
    story.say("The cafe's user has confirmed both. There is nothing to set aside for them.");
    await stage.has(cafe, {});

    story.step('Ben pays $20.00');
    await paid(stage, ben, cafe, 20_00);
    story.say("It would do for Ben's refund, but Ana's came first and is not yet covered.");
    await stage.has(cafe, { available: 19_90 });
    for (const refund of [large, small]) await stage.is(refund, 'pending_funds');

    story.step('Cleo pays $60.00');
    await paid(stage, cleo, cafe, 60_00);
    story.say('Now there is enough for both, and each is served in its turn.');
    for (const refund of [large, small]) await stage.is(refund, 'completed');
    await stage.is(fromAna, 'refunded');
    await stage.is(fromBen, 'partially_refunded');
    await stage.has(ana, { available: 100_00 });
    await stage.has(ben, { available: 10_00 });
    await stage.has(cafe, { available: 9_60 });
  },
});
