import {
  aboveMaximum,
  apply,
  money,
  noCustomer,
  noLoad,
  type Rows,
  refund,
  request,
  scan,
  sell,
  simulate,
} from './refusal_requests.ts';

/** With every flow of the Tenant switched off. */
export const refusedWithoutFlows: Rows = {
  createCustomer: [
    ['flow_not_enabled', () => apply()],
    [
      'parameter_invalid before flow_not_enabled',
      () => apply({ prefill: { legal_name: 'x' } }),
      'prefill.legal_name',
    ],
    [
      'parameter_invalid before flow_not_enabled',
      () => apply({ mobile_number: '+14165550123' }),
      'mobile_number',
    ],
  ],
  createLoad: [
    ['flow_not_enabled', () => money(noCustomer)],
    ['parameter_invalid before flow_not_enabled', (s) => money(s.payer, 99), 'amount'],
  ],
  createPaymentRequest: [
    ['flow_not_enabled', () => request(noCustomer)],
    [
      'parameter_missing before flow_not_enabled',
      (s) => request(s.shop, { amount: undefined }),
      'amount',
    ],
    ['flow_not_enabled before parameter_invalid', (s) => request(s.shop, { amount: aboveMaximum })],
  ],
  createPayment: [
    ['flow_not_enabled', (s) => sell(s.payer, s.shop)],
    [
      'parameter_invalid before flow_not_enabled',
      (s) => scan(s, s.request, { payee_customer_id: s.shop.customerId }),
      'payee_customer_id',
    ],
    ['flow_not_enabled before parameter_missing', (s) => sell(s.shop, s.shop)],
  ],
};

/** Once payments are too old to be refunded. */
export const refusedLate: Rows = {
  createPayment: [
    ['payment_request_invalid before payment_request_expired', (s) => scan(s, s.requests.canceled)],
    ['payment_request_expired before payment_request_paid', (s) => scan(s, s.requests.paid)],
  ],
  createRefund: [
    ['refund_window_closed', (s) => refund(s.fiveDollars)],
    ['account_restricted before refund_window_closed', (s) => refund(s.sold)],
    ['refund_window_closed before refund_exceeds_payment', (s) => refund(s.fiveDollars, 5_01)],
  ],
};

export const refusedInProduction: Rows = {
  simulateEvent: [
    ['sandbox_only', () => simulate('load.settled', noLoad)],
    ['sandbox_only before not_found', () => simulate('load.vanished', noLoad)],
  ],
};

/** Neighbours in an operation's list of codes that no request provokes at once. */
export const impossible: Readonly<Record<string, string>> = {
  'createLoad: linked_account_required before capability_unavailable':
    'what is not linked has no capability to lack',
  'createWithdrawal: linked_account_required before withdrawal_hold':
    'a link on hold is verified, and each bank of the sandbox that is takes withdrawals',
};
