import type { ReplyBody } from '../kit/http.ts';
import type { Held, World } from './world.ts';

/** How loads, payments and what follows them come to stand in each state. */

type Made = (w: World) => Promise<Held>;

const held = ({ id }: ReplyBody): Held => ({ id });

/** What was made, and then these simulated events on it. */
const after =
  (make: (w: World) => Promise<ReplyBody>, ...played: readonly string[]): Made =>
  async (w) => {
    const made = held(await make(w));
    for (const name of played) await w.simulate(name, made.id);
    return made;
  };

const confirmed = 'session.completed';

const load = (w: World) => w.load();
const pay = (w: World) => w.pay();
const payByBank = (w: World) => w.payByBank();
const withdraw = (w: World) => w.withdraw();
const ask = (w: World) => w.ask();

async function canceled(w: World, path: string, { id }: ReplyBody): Promise<Held> {
  await w.post(`${path}/${id}/cancel`);
  return { id };
}

async function paidRequest(w: World): Promise<Held> {
  const request = await w.ask();
  await w.confirmed(w.pay({ qr_payload: request.qr_payload }));
  return held(request);
}

/** A payment of 1.00 of which so much has come back. */
export const refunded =
  (...amounts: readonly number[]): Made =>
  async (w) => {
    const payment = await w.confirmed(w.pay());
    for (const amount of amounts) await w.confirmed(w.refund(payment, amount));
    return held(payment);
  };

/** A refund whose merchant has no money: what it was paid is on its way to its bank. */
export async function unfundedRefund(w: World) {
  const merchant = await w.banked('business');
  const payment = await w.confirmed(
    w.pay({ payee_customer_id: merchant.customerId, amount: 5_00 }),
  );
  const { id: withdrawalId } = await w.confirmed(w.withdraw(merchant, 5_00));
  const { id } = await w.refund(payment, 1_00);
  return { refund: { id, customerId: merchant.customerId }, merchant, withdrawalId };
}

async function pendingFunds(w: World): Promise<Held> {
  const { refund } = await unfundedRefund(w);
  return w.confirmed(Promise.resolve(refund));
}

/** A refund of a payment by bank, which goes back to the bank. */
const refundToBank = async (w: World): Promise<ReplyBody> => {
  const payment = await w.confirmed(w.payByBank());
  await w.simulate('payment.completed', payment.id);
  return w.refund(payment, 50);
};

const requestRefund = async (w: World): Promise<ReplyBody> =>
  w.refund(await w.confirmed(w.pay()), 50);

/** The Transaction of a withdrawal that was confirmed, and then these events. */
const transaction =
  (...played: readonly string[]): Made =>
  async (w) => {
    const { id } = await w.confirmed(w.withdraw());
    for (const name of played) await w.simulate(name, id);
    const path = `/v1/accounts/${w.payer.accountId}/transactions?type=withdrawal&limit=100`;
    const found = (await w.get(path)).data.find((row: ReplyBody) => row.source_id === id);
    return held(found);
  };

const dispute =
  (...played: readonly string[]): Made =>
  async (w) => {
    const made = held(await w.dispute(await w.confirmed(w.pay())));
    for (const name of played) await w.simulate(`dispute.${name}`, made.id);
    return { ...made, customerId: w.payer.customerId };
  };

/** What the reviewer's queue holds of a load that was paid after it had failed. */
const paidLate =
  (resource: 'suspense' | 'bank-messages', move?: string): Made =>
  async (w) => {
    const late = await w.confirmed(w.load());
    for (const name of ['failed', 'paid_late']) await w.simulate(`load.${name}`, late.id);
    const queue = (await w.get('/portal/api/review?limit=100')).data;
    const item: ReplyBody = queue.find(
      (one: ReplyBody) => one.resource === resource && one.record.source_id === late.id,
    );
    if (move) await w.post(`/portal/api/review/${resource}/${item.id}/${move}`, {});
    return held(item);
  };

const settled = 'withdrawal.settled';

export const moneyStates = {
  load: {
    requires_confirmation: after(load),
    processing: after(load, confirmed),
    settled: after(load, confirmed, 'load.settled'),
    failed: after(load, confirmed, 'load.failed'),
  },
  payment_request: {
    open: after(ask),
    paid: paidRequest,
    expired: after(ask, 'payment_request.expired'),
    canceled: async (w: World) => canceled(w, '/v1/payment-requests', await w.ask()),
  },
  payment: {
    requires_confirmation: after(pay),
    processing: after(payByBank, confirmed),
    completed: after(pay, confirmed),
    failed: after(payByBank, confirmed, 'payment.failed'),
    canceled: async (w: World) => canceled(w, '/v1/payments', await w.pay()),
    refunded: refunded(1_00),
    partially_refunded: refunded(40),
  },
  withdrawal: {
    requires_confirmation: after(withdraw),
    processing: after(withdraw, confirmed),
    settled: after(withdraw, confirmed, settled),
    failed: after(withdraw, confirmed, 'withdrawal.failed'),
  },
  refund: {
    requested: after(requestRefund),
    pending_funds: pendingFunds,
    processing: after(refundToBank, confirmed),
    completed: after(requestRefund, confirmed),
    failed: after(refundToBank, confirmed, 'refund.failed'),
  },
  transaction: {
    pending: transaction(),
    posted: transaction(settled),
    reversed: transaction('withdrawal.failed'),
  },
  dispute: {
    received: dispute(),
    investigating: dispute('investigating'),
    provisional_credit: dispute('investigating', 'provisional_credit'),
    // Credited and denied: what was credited is taken back later.
    resolved: dispute('investigating', 'provisional_credit', 'resolved_denied'),
    closed: dispute('resolved_denied'),
  },
  adjustment: {
    held: paidLate('suspense'),
    matched: paidLate('suspense', 'match'),
    returned: paidLate('suspense', 'return'),
  },
  bank_message: {
    open: paidLate('bank-messages'),
    closed: paidLate('bank-messages', 'close'),
  },
};
