import { documentOf } from './states.ts';
import { refunded, unfundedRefund } from './states_money.ts';
import type { World } from './world.ts';

/** What no attempt causes and yet a row of a table allows: moves that follow others. */

async function payExpired(w: World): Promise<void> {
  const request = await w.ask();
  const payment = await w.pay({ qr_payload: request.qr_payload });
  await w.simulate('payment_request.expired', request.id);
  await w.simulate('session.completed', payment.id);
}

/** The shop is suspended while its customer looks at the page. */
async function refusePayment(w: World): Promise<void> {
  const shop = await w.approve('business');
  const payment = await w.pay({ payee_customer_id: shop.customerId });
  await w.simulate('account.suspended', shop.accountId);
  await w.simulate('session.completed', payment.id);
}

async function fundRefund(w: World): Promise<void> {
  const { refund, merchant } = await unfundedRefund(w);
  await w.simulate('session.completed', refund.id);
  await w.fund(merchant, 10_00);
}

/** Its merchant closes, and nothing comes in any more. */
async function giveUpRefund(w: World): Promise<void> {
  const { refund, merchant, withdrawalId } = await unfundedRefund(w);
  await w.simulate('session.completed', refund.id);
  await w.simulate('withdrawal.settled', withdrawalId);
  await w.close(merchant);
  await w.simulate('customer.pin_locked', merchant.customerId);
}

/** A dispute that the merchant's refunds settle. */
async function settleByRefund(w: World): Promise<void> {
  const payment = await w.confirmed(w.pay());
  await w.dispute(payment);
  await w.confirmed(w.refund(payment, 1_00));
}

export const alsoPlayed: readonly ((w: World) => Promise<unknown>)[] = [
  payExpired,
  refusePayment,
  fundRefund,
  giveUpRefund,
  settleByRefund,
  refunded(30, 30),
  refunded(30, 70),
  (w) => documentOf(w, 'superseded', 2),
];
