import type { SimulateName } from '@tenant-payments/contract/catalog.ts';
import type { Script } from './people_scripts.ts';

const afterLoad =
  (event: SimulateName): Script =>
  async ({ confirmedLoad, simulate }) =>
    simulate(event, (await confirmedLoad()).id);

const afterWithdrawal =
  (event: SimulateName): Script =>
  async ({ confirmedWithdrawal, simulate }) =>
    simulate(event, (await confirmedWithdrawal()).id);

const afterRefund =
  (event: SimulateName): Script =>
  async ({ refundAtBank, simulate }) =>
    simulate(event, (await refundAtBank()).id);

const afterNotice =
  (...events: SimulateName[]): Script =>
  async ({ dispute, simulate }) => {
    const { id } = await dispute();
    for (const event of events) await simulate(event, id);
  };

/** The shop has been paid twice: a fee has left it less than one payment. */
const refunded =
  (share: number): Script =>
  async ({ approved, confirmedPayment, refundOf, confirm }) => {
    const merchant = await approved('business');
    await confirmedPayment('balance', merchant);
    const payment = await confirmedPayment('balance', merchant);
    await confirm((await refundOf(payment, payment.amount * share)).id);
  };

/** The merchant has spent what it was paid. */
const refundWithoutFunds: Script = async ({
  api,
  approved,
  confirmedPayment,
  refundOf,
  confirm,
}) => {
  const merchant = await approved('business');
  const payment = await confirmedPayment('balance', merchant);
  const { available } = await api.accounts.getBalance(String(merchant.account_id));
  const spent = await api.payments.create({
    payer_customer_id: merchant.id,
    payee_customer_id: (await approved('business')).id,
    amount: available,
    source: 'balance',
    invoice_reference: 'trigger-1',
  });
  await confirm(spent.id);
  await confirm((await refundOf(payment)).id);
};

/** Events of money. */
export const moneyScripts = {
  'load.created': async ({ banked, api }) =>
    api.loads.create({ customer_id: (await banked()).id, amount: 5_000 }),
  'load.processing': ({ confirmedLoad }) => confirmedLoad(),
  'load.settled': afterLoad('load.settled'),
  'load.failed': afterLoad('load.failed'),
  'transaction.created': ({ confirmedWithdrawal }) => confirmedWithdrawal(),
  'transaction.posted': ({ funded }) => funded(),
  'transaction.reversed': afterWithdrawal('withdrawal.failed'),
  'payment_request.created': ({ request }) => request(),
  'payment_request.paid': async ({ request, funded, api, confirm }) => {
    const { qr_payload } = await request();
    const payer_customer_id = (await funded()).id;
    const paying = await api.payments.create({ payer_customer_id, qr_payload, source: 'balance' });
    await confirm(paying.id);
  },
  'payment_request.expired': async ({ request, simulate }) =>
    simulate('payment_request.expired', (await request()).id),
  'payment_request.canceled': async ({ request, api }) =>
    api.paymentRequests.cancel((await request()).id),
  'payment.created': ({ payment }) => payment(),
  'payment.completed': ({ confirmedPayment }) => confirmedPayment(),
  'payment.processing': ({ confirmedPayment }) => confirmedPayment('bank_account'),
  'payment.failed': async ({ confirmedPayment, simulate }) =>
    simulate('payment.failed', (await confirmedPayment('bank_account')).id),
  'payment.canceled': async ({ payment, api }) => api.payments.cancel((await payment()).id),
  'payment.partially_refunded': refunded(0.5),
  'payment.refunded': refunded(1),
  'withdrawal.created': ({ withdrawal }) => withdrawal(),
  'withdrawal.processing': ({ confirmedWithdrawal }) => confirmedWithdrawal(),
  'withdrawal.settled': afterWithdrawal('withdrawal.settled'),
  'withdrawal.failed': afterWithdrawal('withdrawal.failed'),
  'refund.created': async ({ paidByBank, refundOf }) => refundOf(await paidByBank()),
  'refund.processing': ({ refundAtBank }) => refundAtBank(),
  'refund.pending_funds': refundWithoutFunds,
  'refund.completed': afterRefund('refund.completed'),
  'refund.failed': afterRefund('refund.failed'),
  'dispute.created': afterNotice(),
  'dispute.investigating': afterNotice('dispute.investigating'),
  'dispute.provisional_credit': afterNotice('dispute.investigating', 'dispute.provisional_credit'),
  'dispute.updated': afterNotice('dispute.classified'),
  'dispute.resolved': afterNotice('dispute.resolved_denied'),
  'dispute.closed': afterNotice(
    'dispute.investigating',
    'dispute.provisional_credit',
    'dispute.resolved_denied',
    'dispute.closed',
  ),
} as const satisfies Readonly<Record<string, Script>>;
