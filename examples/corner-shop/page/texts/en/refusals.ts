/** A limit that was met: cents as dollars, and the day and time when the period ends. */
export interface LimitFacts {
  readonly maximum: string;
  readonly left: string;
  readonly until: string;
}
type LimitText = (facts: LimitFacts) => string;

const limits: Readonly<Record<string, LimitText>> = {
  load_per_transaction: ({ maximum }) => `You can add ${maximum} at a time. Add less.`,
  load_daily: ({ maximum, left, until }) =>
    `Your limit is ${maximum} a day, and ${left} of it is left. Add that or less, or wait until ${until}.`,
  load_30_day: ({ maximum, left, until }) =>
    `Your limit is ${maximum} in 30 days, and ${left} of it is left. Add that or less, or wait until ${until}.`,
  balance_maximum: ({ maximum, left }) =>
    `A wallet holds ${maximum} at most. Add ${left} or less, or spend some first.`,
  payment_per_transaction: ({ maximum }) =>
    `You can pay ${maximum} at a time. Ask the shop for a smaller amount.`,
  payment_daily: ({ maximum, left, until }) =>
    `Your limit is ${maximum} a day, and ${left} of it is left. Pay that or less, or wait until ${until}.`,
  withdrawal_per_transaction: ({ maximum }) =>
    `You can withdraw ${maximum} at a time. Withdraw less.`,
  withdrawal_daily: ({ maximum, left, until }) =>
    `Your limit is ${maximum} a day, and ${left} of it is left. Withdraw that or less, or wait until ${until}.`,
  network_maximum: ({ maximum }) =>
    `Banks take ${maximum} in one transfer. Choose a smaller amount.`,
};

const codes: Readonly<Record<string, string>> = {
  linked_account_required: 'No bank account is linked. Link one under More, Bank account.',
  withdrawal_hold: 'Withdrawals to a new bank wait 72 hours. Move the clock in the inspector.',
  payment_request_paid: 'This code has already been paid. Nothing is left to do.',
  payment_request_expired: 'This code has expired. Ask the till for a new one.',
  payment_request_invalid: 'This code is not from a shop here. Ask the till for its code.',
  'payment_request_invalid malformed':
    'This is not a payment code, or a part of it is missing. Copy all of it.',
  'payment_request_invalid signature':
    'This code is not genuine: it was changed, or made elsewhere. Do not pay it.',
  'payment_request_invalid environment': 'This code is for real money. This is a sandbox.',
  'payment_request_invalid canceled':
    'The shop has canceled this code. Ask the till for a new one.',
  'payment_request_invalid payment_in_progress':
    'Someone is already paying this code. Wait a moment.',
  capability_unavailable: 'This bank cannot do that. Pay from the wallet, or link another bank.',
  refund_exceeds_payment: 'That is more than the payment has left to refund. Refund less.',
  account_restricted: 'The wallet is restricted. Look for new terms to accept on the first page.',
  invalid_state: 'It has moved on in the meantime. Wait until the page shows it.',
  offline: 'The shop does not answer. Check that the sandbox is running, and try again.',
  not_confirmed: 'It was not confirmed. Press again.',
  unknown: 'It did not work. Try again.',
};

/** Why something was refused, and what to do. */
export const refusals = {
  codes,
  limits,
  limit: 'That is above a limit. Choose a smaller amount.',
  /** By who lacks the money, and for what. */
  funds: {
    pay: (available: string) =>
      `There is only ${available} in the wallet. Add money, or pay from your bank.`,
    withdraw: (available: string) =>
      `There is only ${available} in the wallet. Withdraw that or less.`,
    shop: (available: string) => `There is only ${available} in the shop’s account. Pay less.`,
  },
};
