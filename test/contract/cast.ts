import type { ReplyBody } from '../kit/http.ts';
import type { Person } from './scenario.ts';
import type { Held, World } from './world.ts';

/** Whom and what the refusals are about: people with something amiss, records that are over. */
export interface Cast {
  readonly w: World;
  readonly unverified: string;
  readonly suspended: Person;
  readonly unverifiedShop: string;
  /** With a bank; suspended, and then looked at again: not approved either. */
  readonly doubted: Person;
  readonly unlinked: Person;
  readonly closed: Person;
  readonly rtpOnly: Person;
  /** The bank of a second link; withdrawals to it are held. */
  readonly relinked: Person;
  /** A link that waits for its checks. */
  readonly pendingLink: Held;
  /** A merchant that was paid and then suspended, and its payments from before. */
  readonly suspendedShop: Person;
  readonly soldBySuspended: string;
  readonly canceledOfSuspended: string;
  readonly completed: ReplyBody;
  readonly canceled: ReplyBody;
  readonly failedLoad: string;
  readonly requests: Readonly<
    Record<'open' | 'canceled' | 'paid' | 'expired' | 'large' | 'ofSuspended', ReplyBody>
  >;
  /** An application whose reference and number are taken. */
  readonly taken: { readonly external_ref: string; readonly mobile_number: string };
}

async function playRequests(w: World, suspendedShop: Person) {
  const open = await w.ask();
  const canceled = await w.ask();
  await w.post(`/v1/payment-requests/${canceled.id}/cancel`);
  const paid = await w.ask();
  await w.confirmed(w.pay({ qr_payload: paid.qr_payload }));
  const expired = await w.ask();
  await w.simulate('payment_request.expired', expired.id);
  const large = await w.ask({ amount: 6_000_00, expires_in: 604_800 });
  const ofSuspended = await w.ask({ merchant_customer_id: suspendedShop.customerId });
  await w.post(`/v1/payment-requests/${ofSuspended.id}/cancel`);
  return { open, canceled, paid, expired, large, ofSuspended };
}

/** A merchant with a request and a payment, all of it before it was suspended. */
async function playShop(w: World) {
  const shop = await w.approve('business');
  const sold = await w.confirmed(w.pay({ payee_customer_id: shop.customerId }));
  const canceled = await w.pay({ payee_customer_id: shop.customerId });
  await w.post(`/v1/payments/${canceled.id}/cancel`);
  const requests = await playRequests(w, shop);
  await w.simulate('account.suspended', shop.accountId);
  return { shop, sold, canceled, requests };
}

async function playBanks(w: World) {
  const [unlinked, waiting, rtpOnly, relinked] = await Promise.all([
    w.approve('individual'),
    w.approve('individual'),
    w.banked('individual', 'rtp_only'),
    w.approve('individual'),
  ]);
  const pending = await w.post(`/v1/customers/${waiting.customerId}/linked-accounts`, {
    public_token: 'public-sandbox-standard',
  });
  const first = await w.link(relinked);
  await w.fund(relinked, 2_00);
  await w.call('DELETE', `/v1/customers/${relinked.customerId}/linked-accounts/${first}`);
  await w.link(relinked);
  const pendingLink = { id: pending.id, customerId: waiting.customerId };
  return { unlinked, rtpOnly, relinked, pendingLink };
}

export async function playCast(w: World): Promise<Cast> {
  const first = w.application('individual');
  const [
    unverified,
    unverifiedShop,
    suspended,
    doubted,
    closed,
    banks,
    shopping,
    completed,
    canceled,
    failed,
  ] = await Promise.all([
    w.post('/v1/customers', first),
    w.apply('business'),
    w.approve('individual'),
    w.banked('individual'),
    w.approve('individual'),
    playBanks(w),
    playShop(w),
    w.confirmed(w.pay({ amount: 5_00 })),
    w.pay(),
    w.confirmed(w.load()),
  ]);
  await w.simulate('account.suspended', suspended.accountId);
  await w.simulate('account.suspended', doubted.accountId);
  await w.simulate('customer.in_review', doubted.customerId);
  await w.closeDown(closed);
  await w.post(`/v1/payments/${canceled.id}/cancel`);
  await w.simulate('load.failed', failed.id);
  const { external_ref, mobile_number } = first;
  return {
    w,
    unverified: unverified.id,
    unverifiedShop: unverifiedShop.id,
    suspended,
    doubted,
    closed,
    ...banks,
    suspendedShop: shopping.shop,
    soldBySuspended: shopping.sold.id,
    canceledOfSuspended: shopping.canceled.id,
    requests: shopping.requests,
    completed,
    canceled,
    failedLoad: failed.id,
    taken: { external_ref, mobile_number },
  };
}
