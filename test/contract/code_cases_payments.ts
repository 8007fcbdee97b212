import type { Cast } from './cast.ts';
import {
  asking,
  byCode,
  moneyOf as money,
  nobody,
  noPayment,
  paying,
  refunding,
  tooMuch,
  toShop,
} from './code_bodies.ts';
import type { CodeCase, CodeCases } from './code_cases.ts';

const one = (make: CodeCase['make'], told: Omit<CodeCase, 'make'> = {}): readonly CodeCase[] => [
  { make, ...told },
];
const from =
  (payer_customer_id: string, more: object = {}) =>
  (c: Cast) =>
    toShop(c, { payer_customer_id, ...more });

/** A code whose last letter is another: what it says is no longer what was signed. */
const forged = ({ qr_payload }: { qr_payload: string }) =>
  `${qr_payload.slice(0, -3)}${qr_payload.at(-3) === 'A' ? 'B' : 'A'}${qr_payload.slice(-2)}`;

const payees: readonly CodeCase[] = [
  { make: (c) => toShop(c, { payee_customer_id: nobody }), reason: 'not_found' },
  {
    make: (c) => toShop(c, { payee_customer_id: c.unlinked.customerId }),
    reason: 'not_business',
  },
  {
    make: (c) => toShop(c, { payee_customer_id: c.suspendedShop.customerId }),
    reason: 'account_not_active',
  },
  {
    make: (c) => from(c.w.shop.customerId, { invoice_reference: 'invoice-1' })(c),
    reason: 'same_customer',
  },
];

/** Loads, requests, payments, withdrawals and refunds. */
export const paymentCases: CodeCases = {
  createLoad: {
    flow_not_enabled: one(() => money(nobody), { flowsOff: true }),
    customer_not_verified: [{ make: () => money(nobody) }, { make: (c) => money(c.unverified) }],
    account_restricted: [
      { make: (c) => money(c.suspended.customerId), reason: 'suspended' },
      { make: (c) => money(c.closed.customerId), reason: 'closed' },
    ],
    linked_account_required: one((c) => money(c.unlinked.customerId)),
    capability_unavailable: one((c) => money(c.rtpOnly.customerId)),
    limit_exceeded: one((c) => money(c.w.payer.customerId, tooMuch), { param: 'amount' }),
  },
  createPaymentRequest: {
    flow_not_enabled: one(() => asking(nobody), { flowsOff: true }),
    payee_not_eligible: [
      { make: () => asking(nobody), reason: 'not_found' },
      { make: (c) => asking(c.w.payer.customerId), reason: 'not_business' },
      { make: (c) => asking(c.suspendedShop.customerId), reason: 'account_not_active' },
    ],
  },
  cancelPaymentRequest: {
    invalid_state: one((c) => ({ params: { id: c.requests.canceled.id } })),
  },
  createPayment: {
    flow_not_enabled: one((c) => toShop(c), { flowsOff: true }),
    customer_not_verified: [
      { make: from(nobody) },
      { make: (c) => from(c.unverified)(c) },
      { make: (c) => from(c.doubted.customerId)(c) },
    ],
    account_restricted: one((c) => from(c.suspended.customerId)(c), { reason: 'suspended' }),
    capability_unavailable: [
      { make: (c) => from(c.rtpOnly.customerId, { source: 'bank_account' })(c) },
      { make: (c) => from(c.unlinked.customerId, { source: 'bank_account' })(c) },
    ],
    payee_not_eligible: payees,
    payment_request_invalid: [
      { make: (c) => paying(c, { qr_payload: 'nonsense' }), reason: 'malformed' },
      {
        make: (c) => paying(c, { qr_payload: forged(c.requests.open) }),
        reason: 'signature',
      },
      { make: (c) => byCode(c, 'canceled'), reason: 'canceled' },
    ],
    payment_request_expired: one((c) => byCode(c, 'expired')),
    payment_request_paid: one((c) => byCode(c, 'paid')),
    amount_mismatch: one((c) => byCode(c, 'open', { amount: 1_01 }), { param: 'amount' }),
    limit_exceeded: one((c) => toShop(c, { amount: tooMuch }), { param: 'amount' }),
    insufficient_funds: one((c) => toShop(c, { amount: 4_900_00 })),
  },
  cancelPayment: { invalid_state: one((c) => ({ params: { id: c.canceled.id } })) },
  createWithdrawal: {
    customer_not_verified: [{ make: () => money(nobody) }, { make: (c) => money(c.unverified) }],
    account_restricted: one((c) => money(c.suspended.customerId), { reason: 'suspended' }),
    linked_account_required: one((c) => money(c.unlinked.customerId)),
    withdrawal_hold: one((c) => money(c.relinked.customerId)),
    limit_exceeded: one((c) => money(c.w.payer.customerId, 10_000_01), { param: 'amount' }),
    insufficient_funds: one((c) => money(c.w.payer.customerId, 9_000_00)),
  },
  createRefund: {
    not_found: one(() => refunding(noPayment)),
    invalid_state: one((c) => refunding(c.canceled.id)),
    account_restricted: one((c) => refunding(c.soldBySuspended), { reason: 'suspended' }),
    refund_exceeds_payment: one((c) => refunding(c.completed.id, 5_01), { param: 'amount' }),
    refund_window_closed: one((c) => refunding(c.completed.id), { late: true }),
  },
};
