import { person, shop } from './cast.ts';
import { tale } from './journey.ts';

/** Refunds of a payment add up to it and no further; one that is under way counts. */
export const refundsToTheWhole = tale({
  name: 'refunds-to-the-whole',
  title: 'Two refunds up to the whole',
  lead: 'A bookshop gives back a payment in two parts; a third part finds nothing left, while the second is under way and after it.',
  cast: {
    ana: person('Ana Reyes', 50_00),
    books: shop('Harbor Books LLC', 5_00),
  },

  async play(stage, { ana, books }) {
    const { story, wire } = stage;
    story.step('Ana pays $40.00 for three books');
    const payment = await wire.pay(ana, { payee_customer_id: books.customerId, amount: 40_00 });
    await wire.confirm(payment);
    await stage.is(payment, 'completed');
    await stage.has(ana, { available: 10_00 });
    await stage.has(books, { available: 44_80 });

    story.step('She brings one back, $15.00');
    const first = await wire.refund(payment, 15_00);
    await stage.is(first, 'requested');
    story.say("It is set aside until the shop's user confirms.");
    await stage.has(books, { available: 29_80, earmarked: 15_00 });
    await wire.confirm(first);
    await stage.is(first, 'completed');
    await stage.is(payment, 'partially_refunded');
    await stage.has(ana, { available: 25_00 });

    story.step('She brings the others back as well');
    const tooMuch = await wire.refund(payment, 25_01);
    stage.refused('one cent more than what is left', tooMuch, 'refund_exceeds_payment', {
      refundable_amount: 25_00,
    });
    const second = await wire.refund(payment, 25_00);
    await stage.is(second, 'requested');
    await stage.has(books, { available: 4_80, earmarked: 25_00 });

    story.step('A third refund is asked for while the second waits');
    stage.refused('of one cent', await wire.refund(payment, 1), 'refund_exceeds_payment', {
      refundable_amount: 0,
    });

    story.step("The shop's user confirms the second");
    await wire.confirm(second);
    await stage.is(second, 'completed');
    await stage.is(payment, 'refunded');
    const { refunded_amount } = await stage.now(payment);
    story.fact('all $40.00 of it are refunded', refunded_amount, 40_00);
    await stage.has(ana, { available: 50_00 });
    story.say('The fee of $0.20 is not given back: the shop has paid it out of its own.');
    await stage.has(books, { available: 4_80 });
    stage.refused('and from here on one cent is', await wire.refund(payment, 1), 'invalid_state', {
      current_status: 'refunded',
      allowed: ['completed', 'partially_refunded'],
    });
  },
});
