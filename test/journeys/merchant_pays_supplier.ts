import type { ReplyBody } from '../kit/http.ts';
import { type Actor, shop } from './cast.ts';
import { type Stage, tale } from './journey.ts';

/** @returns the payment of the first invoice */
async function payInvoice(stage: Stage, cafe: Actor, roaster: Actor): Promise<ReplyBody> {
  const { story, wire } = stage;
  const to = { payee_customer_id: roaster.customerId };
  const invoice = { invoice_reference: 'INV-2026-031' };
  story.step('The cafe owes $6,000.00 for coffee');
  const unnamed = await wire.pay(cafe, { ...to, amount: 6_000_00 });
  story.fact(
    'without the invoice: parameter_missing, invoice_reference',
    [unnamed.code, unnamed.param],
    ['parameter_missing', 'invoice_reference'],
  );
  story.say('A customer may pay $5,000.00 at once, a business $25,000.00.');
  const beyond = await wire.pay(cafe, { ...to, ...invoice, amount: 25_000_01 });
  stage.refused('a cent more', beyond, 'limit_exceeded', {
    limit: 'payment_per_transaction',
    maximum: 25_000_00,
    used: 0,
    requested: 25_000_01,
  });
  const payment = await wire.pay(cafe, { ...to, ...invoice, amount: 6_000_00 });
  await stage.is(payment, 'requires_confirmation');
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
  await stage.has(cafe, { available: 3_984_00, pending_outgoing: 6_016_00 });

  story.step("The cafe's control person confirms");
  await wire.confirm(payment);
  await stage.is(payment, 'completed');
  await stage.has(cafe, { available: 3_984_00 });
  await stage.has(roaster, { available: 6_000_00 });
  return payment;
}

/** Between merchants: an invoice, a fee on top, a business's limits, and money back. */
export const merchantPaysSupplier = tale({
  name: 'merchant-pays-supplier',
  title: 'A merchant pays a supplier',
  lead: 'A cafe pays its roaster by invoice: the fee comes on top, the limits are those of a business, and a part comes back.',
  settings: {
    fees: [
      {
        type: 'platform',
        payment_type: 'merchant_to_merchant',
        source: 'balance',
        basis_points: 25,
        fixed: 0,
        paid_by: 'payer',
      },
      {
        type: 'tenant',
        payment_type: 'merchant_to_merchant',
        source: 'balance',
        basis_points: 0,
        fixed: 1_00,
        paid_by: 'payer',
      },
    ],
  },
  cast: {
    cafe: shop('Corner Cafe LLC', 10_000_00),
    roaster: shop('Blue Mill Roasters LLC'),
  },

  async play(stage, { cafe, roaster }) {
    const { story, wire } = stage;
    const payment = await payInvoice(stage, cafe, roaster);

    story.step('A second invoice takes all that is left');
    const second = {
      payee_customer_id: roaster.customerId,
      invoice_reference: 'INV-2026-032',
    };
    const tooMuch = await wire.pay(cafe, { ...second, amount: 3_984_00 });
    stage.refused('the fee must be there too', tooMuch, 'insufficient_funds', {
      available: 3_984_00,
      required: 3_994_96,
    });

    story.step('A sack was spoiled: the roaster refunds $1,500.00');
    const refund = await wire.refund(payment, 1_500_00);
    story.fact(
      'it goes back to a merchant, as a payment came from one',
      [refund.payer_customer_id, refund.destination],
      [cafe.customerId, 'balance'],
    );
    await stage.has(roaster, { available: 4_500_00, earmarked: 1_500_00 });
    await wire.confirm(refund);
    await stage.is(refund, 'completed');
    await stage.is(payment, 'partially_refunded');
    story.say('Fees are not given back.');
    await stage.has(cafe, { available: 5_484_00 });
    await stage.has(roaster, { available: 4_500_00 });
  },
});
