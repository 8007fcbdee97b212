import { journey } from './journey.ts';
import { person, shop } from './run.ts';

journey({
  name: 'refunds-to-the-whole',
  title: 'Two refunds up to the whole',
  lead: 'A bookshop gives back a payment in two parts; a third part finds nothing left, while the second is under way and after it.',
  people: {
    ana: person('Ana Reyes', 50_00),
    books: shop('Harbor Books LLC', 5_00),
  },

  async steps(run, { ana, books }) {
    const { story, api } = run;
    story.step('Ana pays $40.00 for three books');
    const payment = await run.paid(ana, books, 40_00);
    await run.has(ana, { available: 10_00 });
    await run.has(books, { available: 44_80 });

    story.step('She brings one back, $15.00');
    const first = await api.refund(payment, 15_00);
    await run.is(first, 'requested');
    story.say("It is set aside until the shop's user confirms.");
    await run.has(books, { available: 29_80, earmarked: 15_00 });
    await api.confirmed(first);
    await run.is(first, 'completed');
    await run.is(payment, 'partially_refunded');
    await run.has(ana, { available: 25_00 });

    story.step('She brings the others back as well');
    await run.refused(
      'one cent more than what is left',
      api.refund(payment, 25_01),
      'refund_exceeds_payment',
      {
        refundable_amount: 25_00,
      },
    );
    const second = await api.refund(payment, 25_00);
    await run.is(second, 'requested');
    await run.has(books, { available: 4_80, earmarked: 25_00 });

    story.step('A third refund is asked for while the second waits');
    await run.refused('of one cent', api.refund(payment, 1), 'refund_exceeds_payment', {
      refundable_amount: 0,
    });

    story.step("The shop's user confirms the second");
    await api.confirmed(second);
    await run.is(second, 'completed');
    await run.is(payment, 'refunded');
    const { refunded_amount } = await run.now(payment);
    story.fact('all $40.00 of it are refunded', refunded_amount, 40_00);
    await run.has(ana, { available: 50_00 });
    story.say('The fee of $0.20 is not given back: the shop has paid it out of its own.');
    await run.has(books, { available: 4_80 });
    await run.refused('and from here on one cent is', api.refund(payment, 1), 'invalid_state', {
      current_status: 'refunded',
      allowed: ['completed', 'partially_refunded'],
    });
  },
});
