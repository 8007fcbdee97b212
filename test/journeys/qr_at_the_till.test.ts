import { journey } from './journey.ts';
import { type Actor, person, shop } from './run.ts';

journey({
  name: 'qr-at-the-till',
  title: 'QR at the till',
  lead: 'A cafe has one printed code on its counter: Ana types what she owes and confirms, Ben declines.',
  people: {
    ana: person('Ana Reyes', 60_00),
    ben: person('Ben Osei', 40_00),
    cafe: shop('Corner Cafe LLC'),
  },

  async steps(run, { ana, ben, cafe }) {
    const { story, api } = run;
    story.step('The cafe puts a code on its counter');
    const code = await api.post('/v1/payment-requests', {
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
    const scan = (payer: Actor, more: object) =>
      api.post('/v1/payments', {
        payer_customer_id: payer.customerId,
        source: 'balance',
        qr_payload: code.qr_payload,
        ...more,
      });
    await run.refused(
      'such a code sets no amount, so without one',
      scan(ana, {}),
      'parameter_missing',
      null,
    );
    const coffee = await scan(ana, { amount: 24_00, description: 'Lunch for two' });
    await run.is(coffee, 'requires_confirmation');
    story.fact(
      "the platform's half per cent is the cafe's to bear",
      [coffee.fees, coffee.net_amount],
      [[{ type: 'platform', amount: 12, paid_by: 'payee' }], 23_88],
    );
    story.fact('the code names the cafe', coffee.payee_customer_id, cafe.customerId);
    await run.has(ana, { available: 36_00, pending_outgoing: 24_00 });
    await run.has(cafe, {});

    story.step('She confirms with her PIN');
    await api.confirmed(coffee);
    await run.is(coffee, 'completed');
    const session = coffee.confirmation_session.id;
    const exchange = () =>
      api.post('/v1/sessions/exchange', { result_token: `rt_test_${session}` });
    const outcome = await exchange();
    story.fact(
      'what her phone hands to the app says the same',
      [outcome.status, outcome.target.id, outcome.target_status],
      ['completed', coffee.id, 'completed'],
    );
    await run.refused('and says it once', exchange(), 'result_token_invalid', { reason: 'used' });
    await run.has(ana, { available: 36_00 });
    await run.has(cafe, { available: 23_88 });

    story.step('Ben scans the same code and types $9.50');
    const tea = await scan(ben, { amount: 9_50 });
    await run.has(ben, { available: 30_50, pending_outgoing: 9_50 });

    story.step('He looks at the amount and declines');
    await api.declined(tea);
    await run.is(tea, 'canceled', 'confirmation_declined');
    await run.has(ben, { available: 40_00 });
    await run.has(cafe, { available: 23_88 });
    await run.is(code, 'open');
    const { paid_payment_id } = await run.now(code);
    story.fact('it waits for the next customer: no payment has used it up', paid_payment_id, null);
  },
});
