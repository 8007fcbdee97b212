import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { publicId, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { useOfPayment } from '@tenant-payments/contract/core/request_uses.ts';
import type { createPayment as contract } from '@tenant-payments/contract/resources/payments.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { balances } from '@tenant-payments/engine/ledger.ts';
import type { Ahead, Start } from '@tenant-payments/engine/load/ahead.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { orderIdOfCall } from '../../rails/order_id.ts';
import { assertPermitted } from '../../rails/request_uses.ts';
import { assertPayee } from '../accounts/payee.ts';
import { accounts } from '../accounts/table.ts';
import { customers } from '../customers/table.ts';
import { assertNetworkMaximum } from '../limits/counters.ts';
import { paymentLimits } from '../limits/daily_limits.ts';
import { linkedAccounts } from '../linked_accounts/table.ts';
import { storedMetadata } from '../metadata.ts';
import type { QrReading } from '../payment_requests/qr.ts';
import type { QrReader } from '../payment_requests/qr_reader.ts';
import { type PaymentRequestRow, paymentRequests } from '../payment_requests/table.ts';
import { onceOf, openSession } from '../sessions/open.ts';
import { assertPayByBank, assertPayer } from './eligibility.ts';
import { computeFees, feesOf } from './fees.ts';
import { payments } from './table.ts';

type Input = BodyOf<typeof contract>;

/**
 * Exactly one of payee and code, and an amount unless a dynamic code sets it (rules/payments#2).
 */
function checkShape(input: Input, qr: QrReading | null): void {
  const byId = (input.payee_customer_id ?? null) !== null;
  if (byId === (qr !== null))
    throw byId
      ? fail('parameter_invalid', {
          param: 'payee_customer_id',
          details: { reason: 'give_one_of', allowed: ['payee_customer_id', 'qr_payload'] },
        })
      : fail('parameter_missing', { param: 'payee_customer_id' });
  const setsAmount = qr !== null && qr.content?.t !== 'static';
  if ((input.amount ?? null) === null && !setsAmount)
    throw fail('parameter_missing', { param: 'amount' });
}

const typeOf = (payerIsBusiness: boolean) =>
  payerIsBusiness ? 'merchant_to_merchant' : 'consumer_to_merchant';

/** The flow switches come before every check of payee or money (rules/payments#7). */
function checkFlows(work: Work, input: Input, payerIsBusiness: boolean): void {
  const { flows, request_uses } = work.tenant.settings;
  const off = (flow: keyof typeof flows) => fail('flow_not_enabled', { details: { flow } });
  const source = input.source === 'balance' ? 'payments_balance' : 'payments_bank';
  if (!flows[source]) throw off(source);
  if (payerIsBusiness && !flows.merchant_to_merchant) throw off('merchant_to_merchant');
  const use = useOfPayment(typeOf(payerIsBusiness), input.invoice_reference);
  if (source === 'payments_bank') assertPermitted(request_uses, use, source);
  if (payerIsBusiness && !input.invoice_reference)
    throw fail('parameter_missing', {
      param: 'invoice_reference',
      message: 'invoice_reference is missing: the payer is a business, and pays by an invoice',
    });
}

/** Refuses a code whose request cannot be paid (rules/payment-requests#10). */
function checkRequest(work: Work, qr: QrReading, request: PaymentRequestRow | null): void {
  const invalid = (reason: string) => fail('payment_request_invalid', { details: { reason } });
  if (qr.refusal !== null) throw invalid(qr.refusal);
  if (!request) throw invalid('tenant');
  if (request.status === 'canceled') throw invalid('canceled');
  if (request.claimed_by !== null) throw invalid('payment_in_progress');
  const { expires_at } = request;
  if (request.status === 'expired' || (expires_at !== null && expires_at <= work.now))
    throw fail('payment_request_expired', { details: { expires_at } });
  if (request.status === 'paid')
    throw fail('payment_request_paid', {
      details: {
        paid_payment_id: request.paid_payment_id && publicId('payment', request.paid_payment_id),
      },
    });
}

/** The amount to pay: at most that of a dynamic request. */
function amountOf(input: Input, request: PaymentRequestRow | null): number {
  const requested = request?.amount ?? null;
  const amount = input.amount ?? requested ?? 0;
  if (requested !== null && amount > requested)
    throw fail('amount_mismatch', {
      param: 'amount',
      details: { requested_amount: requested, amount },
    });
  return amount;
}

const ofPayee: Ahead = { table: customers, next: [{ by: ['account_id'], table: accounts }] };
const ofPayer: Ahead = {
  table: customers,
  next: [
    { by: ['account_id'], table: accounts },
    { by: ['account_id'], table: balances },
  ],
};
const ofRequest: Ahead = {
  table: paymentRequests,
  next: [{ by: ['merchant_customer_id'], ...ofPayee }],
};

const startsOf = (input: Input, qr: QrReading | null): Start[] => [
  { plan: ofPayer, id: uuidOf('customer', input.payer_customer_id) },
  { plan: ofPayee, id: uuidOf('customer', input.payee_customer_id ?? '') },
  { plan: ofRequest, id: uuidOf('payment_request', qr?.content?.id ?? '') },
];

/** Every row that the checks of a payment read. */
async function loadParties(read: Read, input: Input, qr: QrReading | null) {
  const [payer, named, request] = await Promise.all([
    read.maybe(customers, uuidOf('customer', input.payer_customer_id)),
    read.maybe(customers, uuidOf('customer', input.payee_customer_id ?? '')),
    read.maybe(paymentRequests, uuidOf('payment_request', qr?.content?.id ?? '')),
  ]);
  const byBank = payer !== null && input.source === 'bank_account';
  const [payee, payerAccount, balance, limits, links, orderId] = await Promise.all([
    named ?? read.maybe(customers, request?.merchant_customer_id ?? null),
    read.maybe(accounts, payer?.account_id ?? null),
    read.maybe(balances, payer?.account_id ?? null),
    payer ? paymentLimits.load(read, payer.id) : null,
    byBank ? read.set(linkedAccounts, 'customer_id', payer.id) : [],
    byBank ? orderIdOfCall(read, payments) : null,
  ]);
  const payeeAccount = await read.maybe(accounts, payee?.account_id ?? null);
  return { payer, payerAccount, balance, limits, links, payee, payeeAccount, request, orderId };
}
type Parties = Awaited<ReturnType<typeof loadParties>>;

/**
 * Every check of POST /v1/payments, in the order of rules/payments#7.
 * @throws ApiError of the first check that fails
 */
function checkPayment(work: Work, parties: Parties, input: Input, qr: QrReading | null) {
  checkFlows(work, input, parties.payer?.type === 'business');
  const payer = assertPayer(parties.payer, parties.payerAccount, work.now);
  const byBank = input.source === 'bank_account';
  const link = byBank ? assertPayByBank(parties.links) : null;
  // An unreadable code names no payee, so its own refusal comes first.
  if (qr && !parties.request) checkRequest(work, qr, null);
  const payee = assertPayee(parties.payee, parties.payeeAccount, payer.customer.id);
  if (qr) checkRequest(work, qr, parties.request);
  const amount = amountOf(input, parties.request);
  const type = typeOf(payer.customer.type === 'business');
  const fees = computeFees(work.tenant.settings.fees, { type, source: input.source, amount });
  const held = byBank ? 0 : amount + feesOf(fees).payerCents;
  const counted = paymentLimits.check(work, parties.limits, payer.customer, amount);
  if (byBank) assertNetworkMaximum(amount);
  const available = parties.balance?.available ?? 0;
  if (available < held)
    throw fail('insufficient_funds', { details: { available, required: held } });
  return { payer, payee, link, type, amount, fees, held, counted } as const;
}

/**
 * POST /v1/payments: 201, requires_confirmation; from a balance, amount and payer fees are held.
 */
export const createPayment = (readQr: QrReader) =>
  command('create_payment', {
    prepare: async (input: Input) => {
      const qr = input.qr_payload ? await readQr(input.qr_payload) : null;
      checkShape(input, qr);
      return qr;
    },
    ahead: startsOf,
    load: loadParties,
    decide: (work, loaded, input, qr) => {
      const { payer, payee, link, held, counted, ...checked } = checkPayment(
        work,
        loaded,
        input,
        qr,
      );
      paymentLimits.count(work, counted, checked.amount);
      const id = work.newId();
      const session = openSession(work, {
        flow: 'payment_confirm',
        customerId: payer.customer.id,
        target: { type: 'payment', id },
        returnUrl: null,
      });
      const values = {
        id,
        type: checked.type,
        source: input.source,
        payer_customer_id: payer.customer.id,
        payer_account_id: payer.account.id,
        payee_customer_id: payee.customer.id,
        payee_account_id: payee.account.id,
        payment_request_id: loaded.request?.id ?? null,
        linked_account_id: link?.id ?? null,
        amount: checked.amount,
        ...checked.fees,
        refunded_amount: 0,
        open_refunds: 0,
        refunding_cents: 0,
        dispute_id: null,
        disputed_cents: 0,
        awarded_cents: 0,
        disputed_fee_cents: null,
        held_cents: held,
        failure_code: null,
        network_reason_code: null,
        order_reference: input.order_reference ?? loaded.request?.order_reference ?? null,
        invoice_reference: input.invoice_reference ?? null,
        description: input.description ?? null,
        session_id: session.row.id,
        counted_day: counted.day,
        bank_order_id: loaded.orderId,
        metadata: storedMetadata(input.metadata),
        created_at: work.now,
        confirmed_at: null,
        completed_at: null,
      };
      const parties = { payer: payer.account.id };
      const post = { recipe: 'payment_held', parties, amounts: { held } } as const;
      const record = work.create(payments, values, 'create', held > 0 ? { post } : {});
      return { record, once: onceOf('confirmation_session', session) };
    },
  });
