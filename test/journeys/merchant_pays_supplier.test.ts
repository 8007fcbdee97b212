import type { ReplyBody } from '../kit/http/http.ts';
import { refusalOf } from '../kit/refusal.ts';
import { journey } from './journey.ts';
import { type Actor, type Run, shop } from './run.ts';

const fee = {
  payment_type: 'merchant_to_merchant',
  source: 'balance',
  paid_by: 'payer',
} as const;

/** @returns the payment of the first invoice */
async function payInvoice(run: Run, cafe: Actor, roaster: Actor): Promise<ReplyBody> {
  const { story, api } = run;
  const invoice = { invoice_reference: 'INV-2026-031' };
  story.step('The cafe owes $6,000.00 for coffee');
  const unnamed = await refusalOf(api.pay(cafe, roaster, 6_000_00));
  story.fact(
    'without the invoice: parameter_missing, invoice_reference',
    [unnamed.code, unnamed.param],
    ['parameter_missing', 'invoice_reference'],
  );
  story.say('A customer may pay $5,000.00 at once, a business $25,000.00.');
  const beyond = api.pay(cafe, roaster, 25_000_01, invoice);
  await run.refused('a cent more', beyond, 'limit_exceeded', {
    limit: 'payment_per_transaction',
    maximum: 25_000_00,
    used: 0,
    requested: 25_000_01,
  });
  const payment = await api.pay(cafe, roaster, 6_000_00, invoice);
  await run.is(payment, 'requires_confirmation');
  story.fact('it is a payment between merchants', payment.type, 'merchant_to_merchant');
  story.fact(
    'a quarter per cent and a dollar come on top, for the cafe to pay',
    [payment.fees, payment.net_amount],
    [
      [
        { type: 'platform', amount: 15_00, paid_by: 'payer' },
        { type: 'tenant', amount: 1_00, paid_by: 'payer' },
      ],
      6_000_00,
    ],
  );
  await run.has(cafe, { available: 3_984_00, pending_outgoing: 6_016_00 });

  story.step("The cafe's control person confirms");
  await api.confirmed(payment);
  await run.is(payment, 'completed');
  await run.has(cafe, { available: 3_984_00 });
  await run.has(roaster, { available: 6_000_00 });
  return payment;
}

journey({
  name: 'merchant-pays-supplier',
  title: 'A merchant pays a supplier',
  lead: 'A cafe pays its roaster by invoice: the fee comes on top, the limits are those of a business, and a part comes back.',
  settings: {
    fees: [
      { ...fee, type: 'platform', basis_points: 25, fixed: 0 },
      { ...fee, type: 'tenant', basis_points: 0, fixed: 1_00 },
    ],
  },
  people: {
    cafe: shop('Corner Cafe LLC', 10_000_00),
    roaster: shop('Blue Mill Roasters LLC'),
  },

  async steps(run, { cafe, roaster }) {
    const { story, api } = run;
    const payment = await payInvoice(run, cafe, roaster);

    story.step('A second invoice takes all that is left');
    const tooMuch = api.pay(cafe, roaster, 3_984_00, { invoice_reference: 'INV-2026-032' });
    await run.refused('the fee must be there too', tooMuch, 'insufficient_funds', {
      available: 3_984_00,
      required: 3_994_96,
    });

    story.step('A sack was spoiled: the roaster refunds $1,500.00');
    const refund = await api.refund(payment, 1_500_00);
    story.fact(
      'it goes back to a merchant, as a payment came from one',
      [refund.payer_customer_id, refund.destination],
      [cafe.customerId, 'balance'],
    );
    await run.has(roaster, { available: 4_500_00, earmarked: 1_500_00 });
    await api.confirmed(refund);
    await run.is(refund, 'completed');
    await run.is(payment, 'partially_refunded');
    story.say('Fees are not given back.');
    await run.has(cafe, { available: 5_484_00 });
    await run.has(roaster, { available: 4_500_00 });
  },
});
