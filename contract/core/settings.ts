import Type, { type Static } from 'typebox';
import { feeBearers, feeTypes, paymentSources, paymentTypes } from './fees.ts';
import { Industry } from './industries.ts';
import { Institution } from './institutions.ts';
import { maximumCents } from './money.ts';
import { lifetimes } from './numbers.ts';
import { everyUse, RequestUses } from './request_uses.ts';
import { Closed, Nullable, OneOf } from './schema.ts';

const Limit = Closed({
  individual: Nullable(Type.Integer({ minimum: 0 })),
  business: Nullable(Type.Integer({ minimum: 0 })),
});

/** At most one rule for each type, payment_type and source (rules/payments#12). */
export const FeeRule = Closed({
  type: OneOf(feeTypes),
  payment_type: OneOf(paymentTypes),
  source: OneOf(paymentSources),
  basis_points: Type.Integer({ minimum: 0, maximum: 10_000 }),
  fixed: Type.Integer({ minimum: 0, maximum: 100_000_000 }),
  paid_by: OneOf(feeBearers),
});
export type FeeRule = Static<typeof FeeRule>;

const Addresses = Type.Array(Type.String({ format: 'uri', maxLength: 2048 }), { maxItems: 100 });

/** A Tenant's settings (rules/operations#26). PUT replaces the top-level keys that are given. */
export const Settings = Closed({
  return_urls: Addresses,
  frame_origins: Addresses,
  link_redirect_uris: Addresses,
  flows: Closed({
    customers_individual: Type.Boolean(),
    customers_business: Type.Boolean(),
    loads: Type.Boolean(),
    payment_requests: Type.Boolean(),
    payments_balance: Type.Boolean(),
    payments_bank: Type.Boolean(),
    merchant_to_merchant: Type.Boolean(),
  }),
  request_uses: RequestUses,
  fees: Type.Array(FeeRule, { maxItems: 8 }),
  limits: Closed({
    load_per_transaction: Limit,
    load_daily: Limit,
    load_30_day: Limit,
    payment_per_transaction: Limit,
    payment_daily: Limit,
    withdrawal_per_transaction: Limit,
    withdrawal_daily: Limit,
    balance_maximum: Limit,
  }),
  payment_request_expires_in: Type.Integer({
    minimum: 1,
    maximum: lifetimes.dynamicRequestMaximum,
  }),
  /** The most, in cents, that all customers may withdraw on a day; null: no limit (rules/limits#25). */
  payout_daily_maximum: Nullable(Type.Integer({ minimum: 0, maximum: maximumCents })),
  confirmation_grace_seconds: Type.Integer({ minimum: 0, maximum: 86_400 }),
  withdrawal_hold_hours: Type.Integer({ minimum: 0, maximum: 168 }),
  holder_match_verified: Type.Integer({ minimum: 80, maximum: 100 }),
  holder_match_review: Type.Integer({ minimum: 50, maximum: 100 }),
  refund_window_days: Type.Integer({ minimum: 1, maximum: 365 }),
  /** The treatment of a request's money that comes after its record has failed (rules/bank-orders#20). */
  late_money: OneOf(['hold', 'credit', 'return']),
  rate_limit_per_minute: Type.Integer({ minimum: 1, maximum: 10_000_000 }),
  sandbox_mode: OneOf(['manual', 'automatic']),
  /** A sandbox refuses what production refuses (rules/sandbox#46). */
  production_rules: Type.Boolean(),
  account_structure: OneOf(['dedicated_fbo', 'tenant_scheme']),
  branding: Closed({
    name: Type.String({ minLength: 1, maxLength: 100 }),
    logo_url: Nullable(Type.String({ format: 'uri', maxLength: 2048 })),
    primary_color: Type.String({ pattern: '^#[0-9a-fA-F]{6}$' }),
  }),
  /** Null: a sandbox shows a sample, and production takes no customer (rules/documents#23). */
  institution: Nullable(Institution),
  /** A row holds it only where a program has a list of its own; a reply always has one. */
  industries: Type.Optional(Type.Array(Industry, { minItems: 1, maxItems: 200 })),
});
export type Settings = Static<typeof Settings>;

const both = (individual: number | null, business: number | null) => ({ individual, business });

/** The settings that a new Tenant starts with (rules/limits#1). */
export const defaultSettings = (name: string): Settings => ({
  return_urls: [],
  frame_origins: [],
  link_redirect_uris: [],
  flows: {
    customers_individual: true,
    customers_business: true,
    loads: true,
    payment_requests: true,
    payments_balance: true,
    payments_bank: true,
    merchant_to_merchant: true,
  },
  request_uses: everyUse,
  fees: [],
  limits: {
    load_per_transaction: both(3_500_00, 25_000_00),
    load_daily: both(5_000_00, 100_000_00),
    load_30_day: both(20_000_00, null),
    payment_per_transaction: both(5_000_00, 25_000_00),
    payment_daily: both(10_000_00, 100_000_00),
    withdrawal_per_transaction: both(10_000_00, 100_000_00),
    withdrawal_daily: both(10_000_00, 250_000_00),
    balance_maximum: both(25_000_00, null),
  },
  payout_daily_maximum: null,
  payment_request_expires_in: 900,
  confirmation_grace_seconds: 120,
  withdrawal_hold_hours: 72,
  holder_match_verified: 85,
  holder_match_review: 70,
  refund_window_days: 180,
  late_money: 'hold',
  rate_limit_per_minute: 6_000,
  sandbox_mode: 'manual',
  production_rules: false,
  account_structure: 'dedicated_fbo',
  branding: { name, logo_url: null, primary_color: '#1f5eff' },
  institution: null,
});
