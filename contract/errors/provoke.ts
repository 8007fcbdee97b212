import type { ContractCode } from '../core/errors.ts';
import { defaultSettings } from '../core/settings.ts';
import {
  ana,
  ben,
  books,
  type CauseInWords,
  link,
  load,
  newcomer,
  type Provocation,
  type ProvokeStep,
  pay,
  request,
  scan,
  settings,
  simulate,
  withKept,
} from './steps.ts';

type Given = readonly ProvokeStep[];

const by = (before: Given, call: ProvokeStep, more: Partial<Provocation> = {}): Provocation => ({
  before,
  call,
  after: [],
  ...more,
});

const { flows, refund_window_days } = defaultSettings('');
const refund = (amount: number): ProvokeStep => ({
  path: '/v1/refund-requests',
  body: { payment_id: '$PAYMENT', amount, reason: 'requested_by_customer' },
});
const paid = [ana, books, withKept(pay(100), 'PAYMENT'), simulate('session.completed', 'PAYMENT')];
const cancel: ProvokeStep = { method: 'POST', path: '/v1/payments/$PAYMENT/cancel' };
const customer = (external_ref: string, mobile_number: string): ProvokeStep => ({
  path: '/v1/customers',
  body: {
    type: 'individual',
    external_ref,
    email: 'nora@example.com',
    mobile_number,
    prefill: { first_name: 'Nora', last_name: 'Field' },
  },
});
const token: ProvokeStep = {
  path: '/oauth/token',
  form: { grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'wrong' },
};

/** How each code arises in the sandbox of `npm start`, with its sample people. */
export const provocations: Readonly<Record<ContractCode, Provocation | CauseInWords>> = {
  parameter_missing: by([ana], { path: '/v1/loads', body: { customer_id: '$ANA' } }),
  parameter_invalid: by([ana], load('$ANA', -5)),
  idempotency_key_missing: by([ana], { ...load('$ANA', 1_000), without: 'key' }),
  invalid_client: by([], token),
  authentication_required: by([], { path: '/v1/customers', without: 'token' }),
  flow_not_enabled: by(
    [ana, settings({ flows: { ...flows, loads: false }, security_reason: 'a try' })],
    load('$ANA', 1_000),
    {
      after: [settings({ flows })],
      note: 'The first call switches loads off, the last one switches them on again.',
    },
  ),
  sandbox_only: {
    told: 'It does not arise in the sandbox. In production every call of `/v1/sandbox/simulate/{event}` is answered with it.',
  },
  not_found: by([], { path: '/v1/payments/pay_unknown' }),
  duplicate_external_ref: by([], customer('sample-ana', '+14155550100')),
  duplicate_mobile_number: by([], customer('$REF', '+12025550101'), { fresh: true }),
  linked_account_exists: by([ana], {
    path: '/v1/customers/$ANA/linked-accounts',
    body: { public_token: 'public-sandbox-standard' },
  }),
  invalid_state: by([ana, books, withKept(pay(100), 'PAYMENT'), cancel], cancel, {
    note: 'A payment that is canceled cannot be canceled again.',
  }),
  session_invalid: by([ana], {
    path: '/v1/sessions',
    body: {
      flow: 'payment_confirm',
      customer_id: '$ANA',
      target: { type: 'payment', id: 'pay_unknown' },
    },
  }),
  result_token_invalid: by([], {
    path: '/v1/sessions/exchange',
    body: { result_token: 'rt_test_unknown' },
  }),
  customer_not_verified: by([], load('cus_unknown', 1_000)),
  account_restricted: by(
    [
      ben,
      { path: '/v1/customers/$BEN', keep: { ACCOUNT: 'account_id' } },
      simulate('account.suspended', 'ACCOUNT'),
    ],
    load('$BEN', 1_000),
    {
      after: [simulate('account.reactivated', 'ACCOUNT')],
      note: "The last call ends the suspension of Ben's account.",
    },
  ),
  link_token_mismatch: by(
    newcomer,
    {
      path: '/v1/customers/$NEW/linked-accounts',
      body: { public_token: 'public-sandbox-two_accounts' },
    },
    { fresh: true, note: 'The token names two accounts, and the call does not choose one.' },
  ),
  linked_account_required: by(newcomer, load('$NEW', 1_000), { fresh: true }),
  capability_unavailable: by([ben], load('$BEN', 1_000), {
    note: "Ben's bank takes no requests for payment.",
  }),
  withdrawal_hold: by(
    [
      ...newcomer,
      ...link('standard', 'FIRST'),
      { method: 'DELETE', path: '/v1/customers/$NEW/linked-accounts/$FIRST' },
      ...link('savings', 'SECOND'),
    ],
    { path: '/v1/withdrawals', body: { customer_id: '$NEW', amount: 1_000 } },
    { fresh: true },
  ),
  payee_not_eligible: by([ana, ben], {
    path: '/v1/payments',
    body: {
      payer_customer_id: '$ANA',
      payee_customer_id: '$BEN',
      amount: 100,
      source: 'balance',
    },
  }),
  payment_request_invalid: by([ana], {
    path: '/v1/payments',
    body: { payer_customer_id: '$ANA', qr_payload: 'no-code-of-ours', source: 'balance' },
  }),
  payment_request_expired: by(
    [ana, books, request(100), simulate('payment_request.expired', 'REQUEST')],
    scan(),
  ),
  payment_request_paid: by(
    [
      ana,
      books,
      request(100),
      withKept(scan(), 'PAYMENT'),
      simulate('session.completed', 'PAYMENT'),
    ],
    scan(),
  ),
  amount_mismatch: by([ana, books, request(100)], scan({ amount: 101 })),
  refund_window_closed: by(
    [
      ...paid,
      settings({ refund_window_days: 1 }),
      { path: '/portal/api/clock/advance', body: { seconds: 90_000 } },
    ],
    refund(100),
    {
      after: [settings({ refund_window_days })],
      note: 'This moves the clock of your sandbox by 25 hours; it does not go back.',
    },
  ),
  refund_exceeds_payment: by(paid, refund(101)),
  limit_exceeded: by([ana], load('$ANA', 350_001), {
    note: 'A consumer may load at most $3,500.00 at once.',
  }),
  insufficient_funds: by([ana, books], pay(499_999)),
  rate_limited: by(
    [],
    { ...token, times: 31 },
    {
      note: 'Of wrong client secrets, 30 a minute are answered with `invalid_client`; the next one is too many. Your address then gets no new access token for a minute; the one in `$TOKEN` goes on working.',
    },
  ),
  internal_error: by(
    [{ method: 'PUT', path: '/portal/api/chaos', body: { api_503: 1 } }],
    {
      path: '/v1/customers',
    },
    {
      after: [{ method: 'PUT', path: '/portal/api/chaos', body: {} }],
      note: 'The first call has the sandbox answer every call with 503, the last one ends it.',
    },
  ),
};
