import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { createRefund as contract } from '@tenant-payments/contract/resources/refunds.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { assert, fail } from '@tenant-payments/engine/fail.ts';
import { balances } from '@tenant-payments/engine/ledger.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { orderIdOfCall } from '../../rails/order_id.ts';
import { assertAccountStatus } from '../accounts/holder.ts';
import { accounts } from '../accounts/table.ts';
import { assertTermsAccepted } from '../customers/documents/terms.ts';
import { customers } from '../customers/table.ts';
import { disputes } from '../disputes/table.ts';
import { linkedAccounts } from '../linked_accounts/table.ts';
import { storedMetadata } from '../metadata.ts';
import { type PaymentRow, payments } from '../payments/table.ts';
import { rowNow } from '../row_now.ts';
import { onceOf, openSession } from '../sessions/open.ts';
import { chooseDestination } from './destination.ts';
import { fundingOf, leftOf } from './earmark.ts';
import { refunds } from './table.ts';

type Input = BodyOf<typeof contract>;

const daySeconds = 24 * 3600;
const refundable: readonly PaymentRow['status'][] = ['completed', 'partially_refunded'];

function assertRefundable(payment: PaymentRow): void {
  if (!refundable.includes(payment.status))
    throw fail('invalid_state', {
      details: { current_status: payment.status, allowed: refundable },
    });
}

/** @throws ApiError refund_window_closed {closed_at} */
function assertInWindow(work: Work, { completed_at }: PaymentRow): void {
  assert(completed_at !== null, 'a completed payment has completed_at');
  const closed_at = addSeconds(completed_at, work.tenant.settings.refund_window_days * daySeconds);
  if (work.now > closed_at) throw fail('refund_window_closed', { details: { closed_at } });
}

/** @throws ApiError refund_exceeds_payment {refundable_amount} */
function assertFits(payment: PaymentRow, amount: number): void {
  const refundable_amount = leftOf(payment, payment.open_refunds, payment.disputed_cents);
  if (amount > refundable_amount)
    throw fail('refund_exceeds_payment', { param: 'amount', details: { refundable_amount } });
}

/**
 * POST /v1/refund-requests: 201, requested; held at once if the merchant has the funds. Of a dispute's earmark nothing is
 * taken before the merchant's user confirms (rules/refunds#16).
 */
export const createRefund = command('create_refund', {
  load: async (read, input: Input) => {
    const payment = await read.one(payments, uuidOf('payment', input.payment_id) ?? notFound());
    const [merchant, holder, balance, payer, links, dispute, orderId] = await Promise.all([
      read.one(accounts, payment.payee_account_id),
      read.one(customers, payment.payee_customer_id),
      read.one(balances, payment.payee_account_id),
      read.one(accounts, payment.payer_account_id),
      read.set(linkedAccounts, 'customer_id', payment.payer_customer_id),
      read.maybe(disputes, payment.dispute_id),
      orderIdOfCall(read, refunds),
    ]);
    return { payment, merchant, holder, balance, payer, links, dispute, orderId };
  },
  decide: (work, rows, { amount, reason, metadata }) => {
    const { payment, merchant, holder, balance, payer, links, dispute } = rows;
    assertRefundable(payment);
    const destination = chooseDestination(payment, payer, links);
    assertAccountStatus(merchant, ['active']);
    assertTermsAccepted(holder, work.now);
    assertInWindow(work, payment);
    assertFits(payment, amount);
    const id = work.newId();
    const session = openSession(work, {
      flow: 'payment_confirm',
      customerId: merchant.customer_id,
      target: { type: 'refund', id },
      returnUrl: null,
    });
    const funding = fundingOf(rowNow(payment.dispute_id, dispute), balance, amount);
    const held = funding?.fromDispute === 0 ? funding.held : 0;
    work.change(payment, { open_refunds: payment.open_refunds + amount });
    const values = {
      id,
      payment_id: payment.id,
      merchant_customer_id: payment.payee_customer_id,
      merchant_account_id: merchant.id,
      payer_customer_id: payment.payer_customer_id,
      payer_account_id: payer.id,
      ...destination,
      amount,
      reason,
      failure_code: null,
      network_reason_code: null,
      held_cents: held,
      dispute_id: null,
      dispute_cents: 0,
      returned_cents: 0,
      session_id: session.row.id,
      waiting_since: null,
      bank_order_id: destination.linked_account_id === null ? null : rows.orderId,
      metadata: storedMetadata(metadata),
      created_at: work.now,
      confirmed_at: null,
      completed_at: null,
    };
    const post = {
      recipe: 'refund_held',
      parties: { merchant: merchant.id },
      amounts: { held },
    } as const;
    const record = work.create(refunds, values, 'create', held > 0 ? { post } : {});
    return { record, once: onceOf('confirmation_session', session) };
  },
});

function notFound(): never {
  throw fail('not_found');
}
