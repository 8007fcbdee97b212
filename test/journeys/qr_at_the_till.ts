import { person, shop } from './cast.ts';
import { tale } from './journey.ts';

/** A static code at a counter: one payer confirms, another declines, and the code stays. */
export const qrAtTheTill = tale({
  name: 'qr-at-the-till',
  title: 'QR at the till',
  lead: 'A cafe has one printed code on its counter: Ana types what she owes and confirms, Ben declines.',
  cast: {
    ana: person('Ana Reyes', 60_00),
    ben: person('Ben Osei', 40_00),
    cafe: shop('Corner Cafe LLC'),
  },

  async play(stage, { ana, ben, cafe }) {
    const { story, wire } = stage;
    story.step('The cafe puts a code on its counter');
    const code = await wire.post('/v1/payment-requests', {
      type: 'static',
      merchant_customer_id: cafe.customerId,
      collection_point: { reference: 'counter-1', name: 'Counter 1' },
    });
    story.say(`It is printed once, as ${code.id}: ${code.qr_payload.slice(0, 12)}…`);
    story.fact(
      'it asks for no amount and never expires',
      [code.amount, code.expires_at],
      [null, null],
    );

    story.step('Ana scans it and types $24.00');
    const { qr_payload } = code;
    const blank = await wire.pay(ana, { qr_payload });
    stage.refused('such a code sets no amount, so without one', blank, 'parameter_missing', null);
    const coffee = await wire.pay(ana, { qr_payload, amount: 24_00, description: 'Lunch for two' });
    await stage.is(coffee, 'requires_confirmation');
    story.fact(
      "the platform's half per cent is the cafe's to bear",
      [coffee.fees, coffee.net_amount],
      [[{ type: 'platform', amount: 12, paid_by: 'payee' }], 23_88],
    );
    story.fact('the code names the cafe', coffee.payee_customer_id, cafe.customerId);
    await stage.has(ana, { available: 36_00, pending_outgoing: 24_00 });
    await stage.has(cafe, {});

    story.step('She confirms with her PIN');
    await wire.confirm(coffee);
    await stage.is(coffee, 'completed');
    const session = coffee.confirmation_session.id;
    const exchange = () =>
      wire.post('/v1/sessions/exchange', { result_token: `rt_test_${session}` });
    const outcome = await exchange();
    story.fact(
      'what her phone hands to the app says the same',
      [outcome.status, outcome.target.id, outcome.target_status],
      ['completed', coffee.id, 'completed'],
    );
    stage.refused('and says it once', await exchange(), 'result_token_invalid', { reason: 'used' });
    await stage.has(ana, { available: 36_00 });
    await stage.has(cafe, { available: 23_88 });

    story.step('Ben scans the same code and types $9.50');
    const tea = await wire.pay(ben, { qr_payload, amount: 9_50 });
    await stage.has(ben, { available: 30_50, pending_outgoing: 9_50 });

    story.step('He looks at the amount and declines');
    await wire.simulate('session.canceled', tea.confirmation_session.id, 'confirmation_declined');
    await stage.is(tea, 'canceled', 'confirmation_declined');
    await stage.has(ben, { available: 40_00 });
    await stage.has(cafe, { available: 23_88 });
    await stage.is(code, 'open');
    const { paid_payment_id } = await stage.now(code);
    story.fact('it waits for the next customer: nobody has used it up', paid_payment_id, null);
  },
});
