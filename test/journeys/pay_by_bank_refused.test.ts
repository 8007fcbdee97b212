import { journey } from './journey.ts';
import { person, shop } from './run.ts';

journey({
  name: 'pay-by-bank-refused',
  title: 'Pay by bank, refused',
  lead: 'Ana refuses at her bank what she had confirmed in the app; the request is payable again, and she pays it from her balance.',
  people: {
    ana: person('Ana Reyes', 80_00),
    ben: person('Ben Osei', 50_00),
    books: shop('Harbor Books LLC'),
  },

  async steps(run, { ana, ben, books }) {
    const { story, api } = run;
    story.step('The bookshop asks for $42.00');
    const request = await api.request(books, 42_00, { order_reference: 'order-7' });
    await run.is(request, 'open');

    story.step('Ana scans it and chooses her bank');
    const byBank = await api.payRequest(ana, request, 'bank_account');
    await run.is(byBank, 'requires_confirmation');
    story.say('Her Digital Account is not touched: the money is to come from the bank.');
    await run.has(ana, { available: 80_00 });

    story.step('She confirms with her PIN, and her bank is asked');
    await api.confirmed(byBank);
    await run.is(byBank, 'processing');
    story.say('For a quarter of an hour the request is hers alone.');
    const inProgress = { reason: 'payment_in_progress' };
    await run.refused(
      'Ben scans the same code',
      api.payRequest(ben, request),
      'payment_request_invalid',
      inProgress,
    );
    await run.refused(
      'nor can the shop cancel it',
      api.post(`/v1/payment-requests/${request.id}/cancel`),
      'invalid_state',
      { current_status: 'open', allowed: ['open'], ...inProgress },
    );

    story.step('At her bank she refuses');
    await api.simulate('payment.failed', byBank.id);
    await run.is(byBank, 'failed', 'customer_refused');
    await run.is(request, 'open');
    await run.has(ana, { available: 80_00 });
    await run.has(books, {});

    story.step('She pays the same code from her balance');
    const fromBalance = await api.payRequest(ana, request);
    await run.has(ana, { available: 38_00, pending_outgoing: 42_00 });
    await api.confirmed(fromBalance);
    await run.is(fromBalance, 'completed');
    await run.is(request, 'paid');
    const { paid_payment_id } = await run.now(request);
    story.fact('by the second payment', paid_payment_id, fromBalance.id);
    await run.has(ana, { available: 38_00 });
    await run.has(books, { available: 41_79 });

    story.step('Ben scans it once more');
    await run.refused('it is paid', api.payRequest(ben, request), 'payment_request_paid', {
      paid_payment_id: fromBalance.id,
    });
  },
});
