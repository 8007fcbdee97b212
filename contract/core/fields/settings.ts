import { ownValue } from '../own_value.ts';
import type { LimitKey } from '../setting_facts.ts';
import type { FeeRule } from '../settings.ts';
import { capitalized, type Field, plainWords, within } from './field.ts';

/** Every setting, and every value of one by its path, such as `limits.load_daily.individual`. */

const limits: Readonly<Record<LimitKey, string>> = {
  load_per_transaction: 'Limit of one load',
  load_daily: 'Daily load limit',
  load_30_day: 'Load limit of 30 days',
  payment_per_transaction: 'Limit of one payment',
  payment_daily: 'Daily payment limit',
  withdrawal_per_transaction: 'Limit of one withdrawal',
  withdrawal_daily: 'Daily withdrawal limit',
  balance_maximum: 'Balance limit',
};
export const limitLabel = (key: LimitKey): string => limits[key];

/** The labels of what the Tenant's customers can do. */
export const flowLabels = {
  customers_individual: 'Sign-up of individuals',
  customers_business: 'Sign-up of businesses',
  loads: 'Loads from a bank',
  payment_requests: 'Payment requests',
  payments_balance: 'Payments from a balance',
  payments_bank: 'Payments by bank',
  merchant_to_merchant: 'Payments from merchant to merchant',
} as const;

const holders = {
  individual: 'individuals',
  business: 'businesses',
} as const;
const payments: Readonly<Record<FeeRule['payment_type'], string>> = {
  consumer_to_merchant: 'payments of consumers',
  merchant_to_merchant: 'payments between merchants',
};
const sources: Readonly<Record<FeeRule['source'], string>> = {
  balance: 'from a balance',
  bank_account: 'by bank',
};
const networks = { rtp: 'RTP', fednow: 'FedNow' } as const;

/** Uses of a Request for Payment (rules/request-uses#1). */
const uses = {
  account_to_account: "a customer's own account",
  consumer_bill: 'bills of consumers',
  business: 'bills of businesses',
  purchase: 'purchases',
} as const;

const of = (
  group: string,
  kind: Field['kind'],
  label: string,
  more: Partial<Field> = {},
): Field => ({
  label,
  kind,
  group,
  ...more,
});
const addresses = (label: string) => of('Addresses', 'list', label);

/** Every top-level setting. */
export const settingFields = {
  return_urls: addresses('Return addresses'),
  frame_origins: addresses('Sites that may frame the pages'),
  link_redirect_uris: addresses('Return addresses of bank linking'),
  flows: of('Features', 'list', 'Features'),
  request_uses: of('Requests for payment', 'list', 'Requests that the bank permits'),
  fees: of('Fees', 'list', 'Fees'),
  limits: of('Limits', 'list', 'Limits', { none: 'no limit' }),
  payout_daily_maximum: of('Limits', 'money', 'Daily maximum of all withdrawals', {
    none: 'no limit',
  }),
  payment_request_expires_in: of('Payment requests', 'seconds', 'Expiry of payment requests'),
  confirmation_grace_seconds: of('Holds and windows', 'seconds', 'Confirmation grace'),
  withdrawal_hold_hours: of('Holds and windows', 'hours', 'Withdrawal hold'),
  holder_match_verified: of('Holds and windows', 'score', 'Name match that verifies'),
  holder_match_review: of('Holds and windows', 'score', 'Name match that a reviewer sees'),
  refund_window_days: of('Holds and windows', 'days', 'Refund window'),
  late_money: of('Holds and windows', 'choice', 'Late money', {
    choices: {
      hold: 'Waits for a person',
      credit: 'To its customer',
      return: 'Back to where it came from',
    },
  }),
  rate_limit_per_minute: of('Rates', 'count', 'Rate limit', { unit: 'requests a minute' }),
  sandbox_mode: of('Sandbox', 'choice', 'Sandbox mode', {
    choices: { manual: 'Manual', automatic: 'Automatic' },
  }),
  production_rules: of('Sandbox', 'feature', 'Rules of production'),
  account_structure: of('Holds and windows', 'choice', 'Account structure', {
    choices: {
      dedicated_fbo: 'An FBO account of its own',
      tenant_scheme: "The tenant's own scheme",
    },
  }),
  branding: of('Branding', 'text', 'Branding'),
  institution: of('Institution', 'text', 'Institution'),
  industries: of('Industries', 'list', 'Industries'),
} as const;
export type SettingKey = keyof typeof settingFields;

const branding = {
  name: of('Branding', 'text', 'Name on the pages'),
  logo_url: of('Branding', 'exact', 'Logo'),
  primary_color: of('Branding', 'exact', 'Main color'),
} as const;
const institution = {
  name: 'Institution',
  bank: 'Bank',
  address: 'Address of the institution',
  phone: 'Telephone of the institution',
  hours: 'Hours of the institution',
} as const;

function feeField([type = '', payment, source, part]: readonly string[]): Field {
  const fee = `${type} fee on ${payments[payment as FeeRule['payment_type']] ?? 'payments'} ${sources[source as FeeRule['source']] ?? ''}`;
  if (part === 'basis_points')
    return of('Fees', 'basis_points', capitalized(`${fee.trim()}, share`));
  if (part === 'fixed') return of('Fees', 'money', capitalized(`${fee.trim()}, fixed`));
  const choices = { payer: 'The payer', payee: 'The payee' };
  return of('Fees', 'choice', capitalized(`${fee.trim()}, paid by`), { choices });
}

const industryParts = {
  'name.en': 'in English',
  'name.es': 'in Spanish',
} as const;

/** How the values of a setting are named that has several. */
const inner: Partial<Record<SettingKey, (rest: readonly string[]) => Field>> = {
  limits: ([key = '', holder = '']) =>
    of(
      'Limits',
      'money',
      `${ownValue(limits, key) ?? capitalized(plainWords(key))} of ${ownValue(holders, holder) ?? plainWords(holder)}`,
      { none: 'no limit' },
    ),
  flows: ([key = '']) =>
    of(
      'Features',
      'feature',
      flowLabels[key as keyof typeof flowLabels] ?? capitalized(plainWords(key)),
    ),
  fees: feeField,
  request_uses: ([use = '', part, network = '']) => {
    const what = `for ${ownValue(uses, use) ?? plainWords(use)}`;
    return part === 'networks'
      ? of(
          'Requests for payment',
          'feature',
          `Requests ${what} by ${ownValue(networks, network) ?? network}`,
        )
      : of('Requests for payment', 'text', `Bank's permission of requests ${what}`);
  },
  branding: ([key = '']) => ownValue(branding, key) ?? settingFields.branding,
  institution: ([key = '']) =>
    of('Institution', 'text', ownValue(institution, key) ?? settingFields.institution.label),
  industries: ([key = '', ...rest]) =>
    of(
      'Industries',
      'text',
      `Industry ${plainWords(key)}, ${ownValue(industryParts, rest.join('.')) ?? 'as a whole'}`,
    ),
  return_urls: ([at = '0']) => of('Addresses', 'exact', `Return address ${Number(at) + 1}`),
  frame_origins: ([at = '0']) =>
    of('Addresses', 'exact', `Site ${Number(at) + 1} that may frame the pages`),
  link_redirect_uris: ([at = '0']) =>
    of('Addresses', 'exact', `Return address ${Number(at) + 1} of bank linking`),
};

/** The field of a setting or of a value in it; null: there is no such setting. */
export function settingField(path: string): Field | null {
  const [key = '', ...rest] = path.split('.');
  if (!Object.hasOwn(settingFields, key)) return null;
  const named = inner[key as SettingKey];
  return rest.length > 0 && named ? named(rest) : settingFields[key as SettingKey];
}

/** `the daily load limit of individuals`, and what customers can do without an article. */
export const inSentence = ({ label, kind }: Field): string =>
  kind === 'feature' || kind === 'list' ? within(label) : `the ${within(label)}`;
