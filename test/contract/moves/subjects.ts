import { application } from '../../kit/person.ts';
import { closeEmpty, type Scenario } from '../scenario.ts';

/** A merchant with a sale, a canceled payment and a canceled request, all from before its suspension. */
async function suspendMerchant({ api, payer }: Scenario) {
  const suspendedShop = await api.approved('business');
  const sold = await api.confirmed(api.pay(payer, suspendedShop, 1_00));
  const canceledOfSuspended = await api.pay(payer, suspendedShop, 1_00);
  const requestOfSuspended = await api.request(suspendedShop, 1_00);
  await api.post(`/v1/payments/${canceledOfSuspended.id}/cancel`);
  await api.post(`/v1/payment-requests/${requestOfSuspended.id}/cancel`);
  await api.simulate('account.suspended', suspendedShop.accountId);
  return { suspendedShop, sold, canceledOfSuspended, requestOfSuspended };
}

async function playRequests({ api, payer, shop }: Scenario) {
  const [open, canceled, paid, expired] = await Promise.all(
    Array.from({ length: 4 }, () => api.request(shop, 1_00)),
  );
  await api.post(`/v1/payment-requests/${canceled.id}/cancel`);
  await api.confirmed(api.payRequest(payer, paid));
  await api.simulate('payment_request.expired', expired.id);
  const large = await api.request(shop, 6_000_00, { expires_in: 604_800 });
  return { open, canceled, paid, expired, large };
}

/** A customer whose second link is verified: withdrawals to it are held. */
export async function relink({ api }: Pick<Scenario, 'api'>) {
  const person = await api.banked('individual', 'savings');
  await api.fund(person, 2_00);
  await api.remove(`/v1/customers/${person.customerId}/linked-accounts/${person.linkedAccountId}`);
  return { ...person, linkedAccountId: await api.link(person) };
}

/** The subjects of refusals: people who may not do something, and records that are over. */
export async function playSubjects(s: Scenario) {
  const { api, payer, shop } = s;
  const taken = application('individual');
  const [first, business] = await Promise.all([
    api.post('/v1/customers', taken),
    api.customer('business'),
  ]);
  const [inReview, suspended, doubted, closed, unlinked, waiting, rtpOnly, relinked] =
    await Promise.all([
      api.played(api.customer('individual'), 'customer.pending', 'customer.in_review'),
      api.approved('individual'),
      api.banked('individual'),
      api.approved('individual'),
      api.approved('individual'),
      api.approved('individual'),
      api.banked('individual', 'rtp_only'),
      relink(s),
    ]);
  await api.simulate('account.suspended', suspended.accountId);
  // Suspended, and then reviewed again: not approved either.
  await api.simulate('account.suspended', doubted.accountId);
  await api.simulate('customer.in_review', doubted.customerId);
  await closeEmpty(api, closed);
  const canceled = await api.pay(payer, shop, 1_00);
  await api.post(`/v1/payments/${canceled.id}/cancel`);
  return {
    ...s,
    taken,
    unverified: { customerId: first.id as string },
    unverifiedShop: { customerId: business.id as string },
    inReview: { customerId: inReview.id as string },
    suspended,
    doubted,
    closed,
    unlinked,
    waiting,
    pendingLink: await api.post(`/v1/customers/${waiting.customerId}/linked-accounts`, {
      public_token: 'public-sandbox-standard',
    }),
    rtpOnly,
    relinked,
    ...(await suspendMerchant(s)),
    requests: await playRequests(s),
    fiveDollars: await api.confirmed(api.pay(payer, shop, 5_00)),
    canceled,
    failedLoad: await api.played(api.load(payer, 1_00), 'session.completed', 'load.failed'),
  };
}
export type Subjects = Awaited<ReturnType<typeof playSubjects>>;
