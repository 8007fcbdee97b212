import type { Settings } from './settings.ts';

/** Facts of the settings for pages, without the schema, which is larger. */

/** Every limit by its `details.limit` key, in cents; null means no limit (rules/limits#1). */
const limitKeys = [
  'load_per_transaction',
  'load_daily',
  'load_30_day',
  'payment_per_transaction',
  'payment_daily',
  'withdrawal_per_transaction',
  'withdrawal_daily',
  'balance_maximum',
] as const;
export type LimitKey = (typeof limitKeys)[number];

/** The coverage of each limit in words (rules/limits#1). */
export const limitTexts: Readonly<Record<LimitKey, string>> = {
  load_per_transaction: 'one load',
  load_daily: 'loads of a day',
  load_30_day: 'loads of a 30-day block',
  payment_per_transaction: 'one payment, as payer, from either source',
  payment_daily: 'payments of a day, as payer',
  withdrawal_per_transaction: 'one withdrawal',
  withdrawal_daily: 'withdrawals of a day',
  balance_maximum: 'at a load: ledger + open loads + amount',
};

/**
 * The one who sets each key: the platform's admin, or the Tenant's owner and developers (rules/operations#49). Of
 * `fees`, each rule belongs to whom its type names.
 */
export const settingOwners = {
  return_urls: 'tenant',
  frame_origins: 'tenant',
  link_redirect_uris: 'tenant',
  flows: 'platform',
  request_uses: 'platform',
  fees: 'by_type',
  limits: 'platform',
  payout_daily_maximum: 'platform',
  payment_request_expires_in: 'tenant',
  confirmation_grace_seconds: 'platform',
  withdrawal_hold_hours: 'platform',
  holder_match_verified: 'platform',
  holder_match_review: 'platform',
  refund_window_days: 'platform',
  late_money: 'platform',
  rate_limit_per_minute: 'platform',
  sandbox_mode: 'tenant',
  production_rules: 'tenant',
  account_structure: 'platform',
  branding: 'tenant',
  institution: 'platform',
  industries: 'platform',
} as const satisfies Record<keyof Settings, 'platform' | 'tenant' | 'by_type'>;
