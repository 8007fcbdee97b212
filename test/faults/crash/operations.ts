import type { SimulateName } from '@tenant-payments/contract/catalog.ts';
import { reviewMoves } from '@tenant-payments/contract/portal/review.ts';
import type { Stage } from './records.ts';
import { crashMoves } from './reviews.ts';

/** A request that changes something. */
export interface Order {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
}

/** An operation, each time on records of its own. */
export interface Operation {
  readonly name: string;
  readonly make: (stage: Stage) => Promise<Order>;
}

const post = (path: string, body: object = {}): Order => ({ method: 'POST', path, body });
const operation = (name: string, make: (stage: Stage) => Promise<Order> | Order): Operation => ({
  name,
  make: async (stage) => make(stage),
});

const payment = ({ payer, shop }: Stage, more: object): Order =>
  post('/v1/payments', {
    payer_customer_id: payer.customerId,
    ...('qr_payload' in more ? {} : { payee_customer_id: shop.customerId, amount: 12 }),
    source: 'balance',
    ...more,
  });

/** What a Tenant's server sends, of every kind that the contract knows. */
const tenantOperations: readonly Operation[] = [
  operation('create an individual', (s) => post('/v1/customers', s.application('individual'))),
  operation('create a business', (s) => post('/v1/customers', s.application('business'))),
  operation('close a customer', async (s) => {
    const { customerId } = await s.approve('individual');
    return post(`/v1/customers/${customerId}/close`, { reason: 'customer_request' });
  }),
  operation('create a session', (s) =>
    post('/v1/sessions', { flow: 'pin_reset', customer_id: s.payer.customerId }),
  ),
  operation('exchange a result token', async (s) => {
    const id = await s.confirmed(s.session('terms_acceptance'));
    return post('/v1/sessions/exchange', { result_token: `rt_test_${id}` });
  }),
  operation('create a link token', (s) =>
    post(`/v1/customers/${s.payer.customerId}/link-tokens`, { platform: 'ios' }),
  ),
  operation('link a bank account', async (s) => {
    const { customerId } = await s.approve('individual');
    const public_token = 'public-sandbox-standard-crash';
    return post(`/v1/customers/${customerId}/linked-accounts`, { public_token });
  }),
  operation('remove a bank account', async (s) => {
    const person = await s.approve('individual');
    const path = `/v1/customers/${person.customerId}/linked-accounts/${await s.link(person)}`;
    return { method: 'DELETE', path };
  }),
  operation('create a load', (s) =>
    post('/v1/loads', { customer_id: s.payer.customerId, amount: 1_00 }),
  ),
  operation('create a dynamic request', (s) =>
    post('/v1/payment-requests', {
      type: 'dynamic',
      merchant_customer_id: s.shop.customerId,
      amount: 5_00,
    }),
  ),
  operation('create a static request', (s) =>
    post('/v1/payment-requests', {
      type: 'static',
      merchant_customer_id: s.shop.customerId,
      collection_point: { reference: 'counter-1', name: 'Counter 1' },
    }),
  ),
  operation('cancel a request', async (s) =>
    post(`/v1/payment-requests/${(await s.newRequest()).id}/cancel`),
  ),
  operation('create a payment', (s) => payment(s, {})),
  operation('create a payment by code', async (s) =>
    payment(s, { qr_payload: (await s.newRequest()).qr_payload }),
  ),
  operation('create a payment by bank', (s) => payment(s, { source: 'bank_account' })),
  operation('cancel a payment', async (s) => post(`/v1/payments/${await s.payment()}/cancel`)),
  operation('create a withdrawal', (s) =>
    post('/v1/withdrawals', { customer_id: s.payer.customerId, amount: 1_00 }),
  ),
  operation('request a refund', async (s) =>
    post('/v1/refund-requests', {
      payment_id: await s.confirmed(s.payment()),
      amount: 10,
      reason: 'other',
    }),
  ),
  operation('forward a dispute', async (s) =>
    post('/v1/disputes', {
      customer_id: s.payer.customerId,
      type: 'unauthorized_transfer',
      payment_id: await s.confirmed(s.payment()),
      description: 'It was not me',
      notice_received_at: new Date(Date.now() - 3_600_000).toISOString(),
    }),
  ),
  operation('resend an event', (s) => post(`/v1/webhook-events/${s.eventId}/resend`)),
];

type Make = (stage: Stage) => Promise<string>;
const processing: Make = (s) => s.confirmed(s.load());
const byBank: Make = (s) => s.confirmed(s.payment('bank_account'));
const withdrawing: Make = (s) => s.confirmed(s.withdrawal());
const refunding: Make = async (s) =>
  s.confirmed(s.refundOf(s.played(byBank(s), 'payment.completed')));
const investigating: Make = (s) => s.played(s.dispute(), 'dispute.investigating');
const inReview: Make = (s) => s.played(s.applied('individual'), 'customer.in_review');
const pendingLink: Make = (s) => s.linked('review');

/** The record on which each event is simulated. A name of the contract without a row is a fault. */
const simulated: Readonly<Record<SimulateName, Make | Readonly<Record<string, Make>>>> = {
  'customer.pending': async (s) => (await s.created('individual')).id,
  'customer.in_review': (s) => s.applied('individual'),
  'customer.approved': inReview,
  'customer.rejected': inReview,
  'customer.pin_locked': async (s) => (await s.approve('individual')).customerId,
  'owner.pending': (s) => s.invitedOwner(),
  'owner.in_review': (s) => s.owner(),
  'owner.approved': (s) => s.owner(),
  'owner.rejected': (s) => s.owner(),
  'document_acceptance.pending_acceptance': (s) => s.document(),
  'session.completed': {
    onboarding: async (s) => (await s.created('business')).onboarding_session.id,
    load: (s) => s.load(),
    payment: (s) => s.payment(),
    'payment by bank': (s) => s.payment('bank_account'),
    withdrawal: (s) => s.withdrawal(),
    refund: (s) => s.refundOf(s.confirmed(s.payment())),
    'refund to a bank': (s) => s.refundOf(s.played(byBank(s), 'payment.completed')),
    terms: (s) => s.session('terms_acceptance'),
    PIN: (s) => s.session('pin_reset'),
    contact: async (s) => s.session('contact_change', (await s.approve('individual')).customerId),
  },
  'session.canceled': { load: (s) => s.load(), terms: (s) => s.session('terms_acceptance') },
  'session.expired': { payment: (s) => s.payment(), withdrawal: (s) => s.withdrawal() },
  'linked_account.verified': pendingLink,
  'linked_account.failed': pendingLink,
  'linked_account.held_for_review': pendingLink,
  'linked_account.hold_released': (s) => s.waitingLink(),
  'account.suspended': (s) => s.account(),
  'account.reactivated': (s) => s.played(s.account(), 'account.suspended'),
  'account.dormant': (s) => s.account(),
  'account.closed': (s) => s.closingAccount(),
  'load.settled': processing,
  'load.failed': processing,
  'load.paid_late': (s) => s.played(processing(s), 'load.failed'),
  'payment.completed': byBank,
  'payment.failed': byBank,
  'refund.completed': refunding,
  'refund.failed': refunding,
  'withdrawal.settled': withdrawing,
  'withdrawal.failed': withdrawing,
  'withdrawal.returned': (s) => s.played(withdrawing(s), 'withdrawal.settled'),
  'dispute.investigating': (s) => s.dispute(),
  'dispute.provisional_credit': investigating,
  'dispute.resolved_approved': investigating,
  'dispute.resolved_partial': investigating,
  'dispute.resolved_denied': investigating,
  'dispute.resolved_withdrawn': investigating,
  'dispute.closed': (s) =>
    s.played(investigating(s), 'dispute.provisional_credit', 'dispute.resolved_denied'),
  // Wants a day to pass first.
  'statement.available': {},
  'payment_request.expired': async (s) => (await s.newRequest()).id,
};

const simulations: readonly Operation[] = Object.entries(simulated).flatMap(([event, made]) => {
  const kinds = typeof made === 'function' ? { '': made } : made;
  return Object.entries(kinds).map(([kind, make]) =>
    operation(`simulate ${event}${kind && ` of ${kind}`}`, async (s) =>
      post(`/v1/sandbox/simulate/${event}`, { object_id: await make(s) }),
    ),
  );
});

const reviews: readonly Operation[] = Object.entries(reviewMoves).flatMap(([resource, moves]) =>
  moves.flatMap((move) => {
    const made = crashMoves[`${resource} ${move}`];
    if (made === undefined) throw new Error(`crash_reviews.ts has no row: ${resource} ${move}`);
    if (made === null) return [];
    return operation(`review ${resource} ${move}`, async (s) => {
      const { id, ...body } = await made(s);
      return post(`/portal/api/review/${resource}/${id}/${move}`, body);
    });
  }),
);

/** Every operation that changes records, each on fresh ones. */
export const operations: readonly Operation[] = [...tenantOperations, ...simulations, ...reviews];
