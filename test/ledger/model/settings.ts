import { defaultSettings, type Settings } from '@tenant-payments/contract/core/settings.ts';

const { limits } = defaultSettings('');
const few = (individual: number, business: number) => ({ individual, business });

/** Unlike each other where money depends on it: grace, limits, holds, windows, who bears which fees. */
const kinds: readonly Partial<Settings>[] = [
  {
    confirmation_grace_seconds: 0,
    withdrawal_hold_hours: 0,
    fees: [fee('platform', 'consumer_to_merchant', 50, 0, 'payee')],
    limits: {
      ...limits,
      payment_daily: few(150_000, 300_000),
      withdrawal_daily: few(60_000, 120_000),
    },
  },
  {
    confirmation_grace_seconds: 120,
    fees: [
      fee('platform', 'consumer_to_merchant', 29, 30, 'payer'),
      fee('tenant', 'consumer_to_merchant', 150, 10, 'payee'),
      fee('platform', 'merchant_to_merchant', 0, 25, 'payee'),
      fee('platform', 'consumer_to_merchant', 30, 5, 'payee', 'bank_account'),
    ],
  },
  {
    confirmation_grace_seconds: 0,
    account_structure: 'tenant_scheme',
    withdrawal_hold_hours: 168,
    refund_window_days: 2,
    limits: {
      ...limits,
      load_daily: few(260_000, 400_000),
      load_30_day: few(500_000, 600_000),
      balance_maximum: few(300_000, 50_000),
    },
  },
  {
    confirmation_grace_seconds: 3_600,
    withdrawal_hold_hours: 24,
    refund_window_days: 40,
    fees: [fee('tenant', 'merchant_to_merchant', 10_000, 0, 'payee')],
  },
];

function fee(
  type: 'platform' | 'tenant',
  payment_type: 'consumer_to_merchant' | 'merchant_to_merchant',
  basis_points: number,
  fixed: number,
  paid_by: 'payer' | 'payee',
  source: 'balance' | 'bank_account' = 'balance',
): Settings['fees'][number] {
  return { type, payment_type, source, basis_points, fixed, paid_by };
}

const lateMoney = ['hold', 'credit', 'return'] as const;

/** The settings of the tenant of this number. @param isBank money may come late: the bank is a process of its own */
export const settingsOf = (number: number, isBank: boolean): Partial<Settings> => ({
  rate_limit_per_minute: 1_000_000,
  ...(isBank && { late_money: lateMoney[number % lateMoney.length] as (typeof lateMoney)[number] }),
  ...kinds[number % kinds.length],
});
