import type { ErrorCode, LimitKey } from './generated/names.ts';
import type { Verification } from './generated/records.ts';
import type { Open } from './open.ts';

/** The `details` of the codes that have some (rules/errors#27). */
interface DetailsByCode {
  invalid_state: { current_status: string; allowed: readonly string[]; reason?: string };
  duplicate_external_ref: { customer_id: string };
  linked_account_exists: { linked_account_id: string };
  flow_not_enabled: { flow: string };
  customer_not_verified: { verification_status?: Verification['status'] } | null;
  account_restricted: {
    reason: Open<'suspended' | 'dormant' | 'closing' | 'closed' | 'terms_pending'>;
  };
  session_invalid: { reason: string };
  result_token_invalid: { reason: Open<'used' | 'expired' | 'unknown'> };
  link_token_mismatch: { reason: string };
  linked_account_required: { linked_account_status: string | null };
  capability_unavailable: { capability: string; linked_account_id: string | null };
  withdrawal_hold: { withdrawal_hold_until: string };
  payee_not_eligible: {
    reason: Open<
      'not_found' | 'not_business' | 'not_approved' | 'account_not_active' | 'same_customer'
    >;
  };
  payment_request_invalid: {
    reason: Open<
      'malformed' | 'signature' | 'environment' | 'tenant' | 'canceled' | 'payment_in_progress'
    >;
  };
  payment_request_expired: { expires_at: string };
  payment_request_paid: { paid_payment_id: string };
  amount_mismatch: { requested_amount: number; amount: number };
  refund_window_closed: { closed_at: string };
  refund_exceeds_payment: { refundable_amount: number };
  limit_exceeded: {
    limit: Open<LimitKey | 'network_maximum' | 'payout_daily_maximum'>;
    maximum: number;
    used: number;
    requested: number;
    resets_at?: string;
  };
  insufficient_funds: { available: number; required: number };
  rate_limited: { retry_after: number };
}

/** The `details` of a code; untyped for a code that is not listed above. */
export type DetailsOf<C> = C extends keyof DetailsByCode & ErrorCode
  ? DetailsByCode[C]
  : Readonly<Record<string, unknown>> | null;
