import type { EndpointId } from '../../catalog.ts';
import { amounts, lifetimes, rates, sizes } from '../../core/numbers.ts';
import { defaultSettings } from '../../core/settings.ts';
import { reconciliationColumns } from '../../resources/reports.ts';
import { maximumRecovered } from '../../resources/webhook_recoveries.ts';
import type { Json } from './schemas.ts';

const { limits, ...settings } = defaultSettings('');
const limitsOf = (...keys: readonly (keyof typeof limits)[]): Json =>
  Object.fromEntries(keys.map((key) => [key, limits[key]]));

/** The numbers that concern every operation, in `info`: docs/reference/numbers.md has all numbers. */
export const generalNumbers: Json = {
  rate_limit_per_minute: settings.rate_limit_per_minute,
  rate_limit_window_seconds: rates.windowSeconds,
  request_body_bytes: sizes.requestBody,
  idempotency_key_seconds: lifetimes.idempotencyKey,
};

const confirmation: Json = {
  session_to_open_seconds: lifetimes.sessionToOpen,
  session_idle_seconds: lifetimes.sessionIdle,
  session_opened_seconds: lifetimes.sessionOpened,
  confirmation_grace_seconds: settings.confirmation_grace_seconds,
};

/** `x-numbers` of an operation: its limits in cents and lifetimes in seconds, with their defaults. */
export const operationNumbers: Partial<Readonly<Record<EndpointId, Json>>> = {
  createToken: { lifetime_seconds: lifetimes.accessToken, tokens_per_minute: rates.tokens },
  createCustomer: {
    session_to_open_seconds: lifetimes.onboardingToOpen,
    session_idle_seconds: lifetimes.onboardingIdle,
    session_opened_seconds: lifetimes.onboardingOpened,
    owner_invitation_seconds: lifetimes.ownerInvite,
  },
  createSession: confirmation,
  exchangeSession: { result_token_seconds: lifetimes.resultToken },
  createLinkToken: { lifetime_seconds: lifetimes.linkToken },
  createLinkedAccount: { withdrawal_hold_hours: settings.withdrawal_hold_hours },
  listStatements: { download_url_seconds: lifetimes.statementAddress },
  createLoad: {
    ...confirmation,
    request_for_payment_seconds: lifetimes.loadRequestForPayment,
    minimum: amounts.minimumTransfer,
    network_maximum: amounts.networkMaximum,
    limits: limitsOf('load_per_transaction', 'load_daily', 'load_30_day', 'balance_maximum'),
  },
  createPaymentRequest: {
    expires_in_default: settings.payment_request_expires_in,
    expires_in_maximum: lifetimes.dynamicRequestMaximum,
  },
  createPayment: {
    ...confirmation,
    request_for_payment_seconds: lifetimes.paymentRequestForPayment,
    minimum: amounts.minimum,
    network_maximum: amounts.networkMaximum,
    limits: limitsOf('payment_per_transaction', 'payment_daily'),
  },
  createWithdrawal: {
    ...confirmation,
    minimum: amounts.minimumTransfer,
    network_maximum: amounts.networkMaximum,
    limits: limitsOf('withdrawal_per_transaction', 'withdrawal_daily'),
  },
  createRefund: {
    ...confirmation,
    refund_window_days: settings.refund_window_days,
    pending_funds_seconds: lifetimes.refundPendingFunds,
  },
  listWebhookEvents: { retention_seconds: lifetimes.event },
  resendWebhookEvent: { retention_seconds: lifetimes.event },
  recoverWebhookEvents: { retention_seconds: lifetimes.event, maximum_events: maximumRecovered },
  getReconciliationReport: {
    download_url_seconds: lifetimes.reportFileAddress,
    columns: Object.entries(reconciliationColumns).map(([name, { type, empty, what }]) => ({
      name,
      type,
      nullable: empty,
      description: what,
    })),
  },
};
