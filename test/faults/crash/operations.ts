import { reviewMoves } from '@tenant-payments/backoffice/contract/operate/review.ts';
import type { SimulateName } from '@tenant-payments/contract/catalog.ts';
import type { ReplyBody } from '../../kit/http/http.ts';
import { application } from '../../kit/person.ts';
import type { Setup } from './records.ts';
import * as make from './records.ts';

/** A request that changes something. */
export interface Request {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
}

/** An operation, each time on records of its own. */
export interface Operation {
  readonly name: string;
  readonly request: (setup: Setup) => Promise<Request>;
}

type Make = (setup: Setup) => Promise<ReplyBody>;
type Body = readonly [path: string, body?: object];

/** The requests that a Tenant's server POSTs, of every kind that the contract knows: the path and the body. */
const tenantRequests: Readonly<Record<string, (s: Setup) => Body | Promise<Body>>> = {
  'create an individual': () => ['/v1/customers', application('individual')],
  'create a business': () => ['/v1/customers', application('business')],
  'close a customer': async (s) => {
    const { customerId } = await s.approved('individual');
    return [`/v1/customers/${customerId}/close`, { reason: 'customer_request' }];
  },
  'create a session': (s) => [
    '/v1/sessions',
    { flow: 'pin_reset', customer_id: s.payer.customerId },
  ],
  'exchange a result token': async (s) => {
    const { id } = await s.confirmed(s.session('terms_acceptance', s.payer));
    return ['/v1/sessions/exchange', { result_token: `rt_test_${id}` }];
  },
  'create a link token': (s) => [
    `/v1/customers/${s.payer.customerId}/link-tokens`,
    { platform: 'ios' },
  ],
  'link a bank account': async (s) => {
    const { customerId } = await s.approved('individual');
    const public_token = 'public-sandbox-standard-crash';
    return [`/v1/customers/${customerId}/linked-accounts`, { public_token }];
  },
  'create a load': (s) => ['/v1/loads', { customer_id: s.payer.customerId, amount: 1_00 }],
  'create a dynamic request': (s) => [
    '/v1/payment-requests',
    { type: 'dynamic', merchant_customer_id: s.shop.customerId, amount: 5_00 },
  ],
  'create a static request': (s) => [
    '/v1/payment-requests',
    {
      type: 'static',
      merchant_customer_id: s.shop.customerId,
      collection_point: { reference: 'counter-1', name: 'Counter 1' },
    },
  ],
  'cancel a request': async (s) => [
    `/v1/payment-requests/${(await s.request(s.shop, 25)).id}/cancel`,
  ],
  'create a payment': (s) => payment(s, {}),
  'create a payment by code': async (s) =>
    payment(s, { qr_payload: (await s.request(s.shop, 25)).qr_payload }),
  'create a payment by bank': (s) => payment(s, { source: 'bank_account' }),
  'cancel a payment': async (s) => [`/v1/payments/${(await make.payment(s)).id}/cancel`],
  'create a withdrawal': (s) => [
    '/v1/withdrawals',
    { customer_id: s.payer.customerId, amount: 1_00 },
  ],
  'request a refund': async (s) => {
    const { id } = await s.confirmed(make.payment(s));
    return ['/v1/refund-requests', { payment_id: id, amount: 10, reason: 'other' }];
  },
  'forward a dispute': async (s) => [
    '/v1/disputes',
    {
      customer_id: s.payer.customerId,
      type: 'unauthorized_transfer',
      payment_id: (await s.confirmed(make.payment(s))).id,
      description: 'It was not me',
      notice_received_at: new Date(Date.now() - 3_600_000).toISOString(),
    },
  ],
  'resend an event': async (s) => {
    const { data } = await s.get('/v1/webhook-events?limit=1');
    return [`/v1/webhook-events/${data[0].id}/resend`];
  },
};

const payment = ({ payer, shop }: Setup, more: object): Body => [
  '/v1/payments',
  {
    payer_customer_id: payer.customerId,
    ...('qr_payload' in more ? {} : { payee_customer_id: shop.customerId, amount: 12 }),
    source: 'balance',
    ...more,
  },
];

const removal: Operation = {
  name: 'remove a bank account',
  async request(s) {
    const { customerId, linkedAccountId } = await s.banked('individual');
    return {
      method: 'DELETE',
      path: `/v1/customers/${customerId}/linked-accounts/${linkedAccountId}`,
    };
  },
};

const processing: Make = (s) => s.confirmed(make.load(s));
const byBank: Make = (s) => s.confirmed(make.paymentByBank(s));
const paidByBank: Make = (s) => s.played(byBank(s), 'payment.completed');
const withdrawing: Make = (s) => s.confirmed(make.withdrawal(s));
const refunding: Make = async (s) => s.confirmed(s.refund(await paidByBank(s), 10));
const investigating: Make = (s) => s.played(make.dispute(s), 'dispute.investigating');
/** The same notice, after the first was denied. */
const filedAgain: Make = async (s) => {
  const { payment_id } = await s.played(make.dispute(s), 'dispute.resolved_denied');
  return s.dispute(s.payer, { payment_id });
};
const inReview: Make = (s) => s.played(s.applied('individual'), 'customer.in_review');
const pendingLink: Make = (s) => make.link(s, 'review');
const suspended: Make = (s) => s.played(make.account(s), 'account.suspended');
const terms: Make = (s) => s.session('terms_acceptance', s.payer);

/** The record on which each event is simulated. A name of the contract without a row does not compile. */
const simulated: Readonly<Record<SimulateName, Make | Readonly<Record<string, Make>>>> = {
  'customer.pending': (s) => s.customer('individual'),
  'customer.in_review': (s) => s.applied('individual'),
  'customer.approved': inReview,
  'customer.rejected': inReview,
  'customer.pin_locked': make.customer,
  'owner.pending': make.invitedOwner,
  'owner.in_review': make.owner,
  'owner.approved': make.owner,
  'owner.rejected': make.owner,
  'document_acceptance.pending_acceptance': make.document,
  'session.completed': {
    onboarding: async (s) => (await s.customer('business')).onboarding_session,
    load: make.load,
    payment: make.payment,
    'payment by bank': make.paymentByBank,
    withdrawal: make.withdrawal,
    refund: async (s) => s.refund(await s.confirmed(make.payment(s)), 10),
    'refund to a bank': async (s) => s.refund(await paidByBank(s), 10),
    terms,
    PIN: (s) => s.session('pin_reset', s.payer),
    contact: async (s) => s.session('contact_change', await s.approved('individual')),
  },
  'session.canceled': { load: make.load, terms },
  'session.expired': { payment: make.payment, withdrawal: make.withdrawal },
  'linked_account.verified': pendingLink,
  'linked_account.failed': pendingLink,
  'linked_account.held_for_review': pendingLink,
  'linked_account.hold_released': make.heldLink,
  'linked_account.needs_login': make.heldLink,
  'linked_account.login_restored': (s) => s.played(make.heldLink(s), 'linked_account.needs_login'),
  'account.suspended': make.account,
  'account.reactivated': suspended,
  'account.dormant': make.account,
  'account.closed': make.closingAccount,
  'load.settled': processing,
  'load.failed': processing,
  'load.paid_late': (s) => s.played(processing(s), 'load.failed'),
  'bank.return_requested': (s) => s.played(processing(s), 'load.settled'),
  'bank.money_received': { customer: make.customer, load: processing },
  'payment.completed': byBank,
  'payment.failed': byBank,
  'refund.completed': refunding,
  'refund.failed': refunding,
  'withdrawal.settled': withdrawing,
  'withdrawal.failed': withdrawing,
  'withdrawal.returned': (s) => s.played(withdrawing(s), 'withdrawal.settled'),
  'dispute.investigating': make.dispute,
  'dispute.provisional_credit': investigating,
  'dispute.reopened': filedAgain,
  'dispute.classified': investigating,
  'dispute.resolved_approved': investigating,
  'dispute.resolved_partial': investigating,
  'dispute.resolved_denied': investigating,
  'dispute.resolved_withdrawn': investigating,
  'dispute.closed': (s) =>
    s.played(investigating(s), 'dispute.provisional_credit', 'dispute.resolved_denied'),
  // Needs a day to pass first.
  'statement.available': {},
  'payment_request.expired': (s) => s.request(s.shop, 25),
};

const reviewedLink: Make = (s) => s.played(pendingLink(s), 'linked_account.held_for_review');

/**
 * The record of each reviewer's move, and further fields of its body. Null: it needs five years, ten
 * failed resets or a passkey, or concerns all customers, so that no two have the same effect.
 */
const reviewed: Readonly<Record<string, Make | readonly [Make, object] | null>> = {
  'customers approve': inReview,
  'customers reject': inReview,
  'customers request_more': inReview,
  'customers review': make.customer,
  'customers erase': null,
  'customers allow_pin_reset': null,
  'customers remove_passkeys': null,
  'customers withdraw_electronic': make.customer,
  'customers restore_electronic': make.customer,
  'customers open_identity': null,
  'owners open_identity': null,
  'owners approve': make.owner,
  'owners reject': make.owner,
  'documents publish': null,
  'linked-accounts verify': reviewedLink,
  'linked-accounts reject': reviewedLink,
  'linked-accounts release_hold': make.heldLink,
  'linked-accounts lift_opt_out': [make.optedOut, { note: 'they asked for it' }],
  'accounts suspend': make.account,
  'accounts reactivate': suspended,
  'accounts place_hold': make.account,
  'accounts release_hold': make.reviewHold,
  'accounts adjust': [make.account, { amount: 7 }],
  'disputes investigate': make.dispute,
  'disputes credit': investigating,
  'disputes resolve_approved': investigating,
  'disputes reopen': [filedAgain, { note: 'new evidence' }],
  'disputes classify': [investigating, { handled_as: 'error', note: 'it is one' }],
  'disputes extenuating': [investigating, { note: 'was in hospital' }],
  'disputes give_papers': (s) => s.played(make.dispute(s), 'dispute.resolved_denied'),
  'disputes resolve_partial': [investigating, { amount: 5, finding: 'part of it was' }],
  'disputes resolve_denied': [investigating, { finding: 'it was not' }],
  'disputes resolve_withdrawn': investigating,
  'disputes liability_merchant': investigating,
  'disputes liability_platform': investigating,
  'suspense match': make.suspense,
  'suspense return': make.suspense,
  'notices give': [make.notice, { finding: 'by post' }],
  'bank-messages close': make.bankMessage,
  'bank-messages book': make.executedAfterFailing,
  'return-requests accept': [make.returnRequest, { amount: 1 }],
  'return-requests refuse': [make.returnRequest, { finding: 'it is spent' }],
  'reserve fund': [async () => ({ id: 'reserve' }), { amount: 1_00 }],
};

const posting = (name: string, body: (s: Setup) => Body | Promise<Body>): Operation => ({
  name,
  async request(setup) {
    const [path, given = {}] = await body(setup);
    return { method: 'POST', path, body: given };
  },
});

const simulations = Object.entries(simulated).flatMap(([event, made]) =>
  Object.entries(typeof made === 'function' ? { '': made } : made).map(([kind, record]) =>
    posting(`simulate ${event}${kind && ` of ${kind}`}`, async (s) => [
      `/v1/sandbox/simulate/${event}`,
      { object_id: (await record(s)).id },
    ]),
  ),
);

const reviews = Object.entries(reviewMoves).flatMap(([resource, moves]) =>
  moves.flatMap((move) => {
    const row = reviewed[`${resource} ${move}`];
    if (row === undefined) throw new Error(`a move has no row: ${resource} ${move}`);
    if (row === null) return [];
    const [record, body] = typeof row === 'function' ? [row, {}] : row;
    return posting(`review ${resource} ${move}`, async (s) => [
      `/portal/api/review/${resource}/${(await record(s)).id}/${move}`,
      body,
    ]);
  }),
);

/** Every operation that changes records, each on new ones. */
export const operations: readonly Operation[] = [
  ...Object.entries(tenantRequests).map(([name, body]) => posting(name, body)),
  removal,
  ...simulations,
  ...reviews,
];
