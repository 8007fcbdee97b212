import { person, shop } from './cast.ts';
import { tale } from './journey.ts';

/** A bank payment claims its request while the bank is asked, and gives it up when it fails. */
export const payByBankRefused = tale({
  name: 'pay-by-bank-refused',
  title: 'Pay by bank, refused',
  lead: 'Ana refuses at her bank what she had confirmed in the app; the request is payable again, and she pays it from her balance.',
  cast: {
    ana: person('Ana Reyes', 80_00),
    ben: person('Ben Osei', 50_00),
    books: shop('Harbor Books LLC'),
  },

  async play(stage, { ana, ben, books }) {
    const { story, wire } = stage;
    story.step('The bookshop asks for $42.00');
    const request = await wire.post('/v1/payment-requests', {
      type: 'dynamic',
      merchant_customer_id: books.customerId,
      amount: 42_00,
      order_reference: 'order-7',
    });
    const { qr_payload } = request;
    await stage.is(request, 'open');

    story.step('Ana scans it and chooses her bank');
    const byBank = await wire.payByBank(ana, { qr_payload });
    await stage.is(byBank, 'requires_confirmation');
    story.say('Her Digital Account is not touched: the money is to come from the bank.');
    await stage.has(ana, { available: 80_00 });

    story.step('She confirms with her PIN, and her bank is asked');
    await wire.confirm(byBank);
    await stage.is(byBank, 'processing');
    story.say('For a quarter of an hour the request is hers alone.');
    const inProgress = { reason: 'payment_in_progress' };
    stage.refused(
      'Ben scans the same code',
      await wire.pay(ben, { qr_payload }),
      'payment_request_invalid',
      inProgress,
    );
    const cancel = await wire.post(`/v1/payment-requests/${request.id}/cancel`);
    story.fact(
      'nor can the shop cancel it: invalid_state, payment_in_progress',
      [cancel.code, cancel.details.reason],
      ['invalid_state', 'payment_in_progress'],
    );

    story.step('At her bank she refuses');
    await wire.simulate('payment.failed', byBank.id);
    await stage.is(byBank, 'failed', 'customer_refused');
    await stage.is(request, 'open');
    await stage.has(ana, { available: 80_00 });
    await stage.has(books, {});

    story.step('She pays the same code from her balance');
    const fromBalance = await wire.pay(ana, { qr_payload });
    await stage.has(ana, { available: 38_00, pending_outgoing: 42_00 });
    await wire.confirm(fromBalance);
    await stage.is(fromBalance, 'completed');
    await stage.is(request, 'paid');
    const { paid_payment_id } = await stage.now(request);
    story.fact('by the second payment', paid_payment_id, fromBalance.id);
    await stage.has(ana, { available: 38_00 });
    await stage.has(books, { available: 41_79 });

    story.step('Ben scans it once more');
    stage.refused('it is paid', await wire.pay(ben, { qr_payload }), 'payment_request_paid', {
      paid_payment_id: fromBalance.id,
    });
  },
});
