import { initialOf } from '@tenant-payments/contract/core/readable.ts';

/** The fields that a name is built from. */
export interface Named {
  readonly type: 'individual' | 'business';
  readonly given_name: string | null;
  readonly family_name: string | null;
  readonly legal_name: string | null;
  readonly trading_name: string | null;
}

/**
 * The name that others see: of an individual the given name and initial, `Ana R.`; of a business
 * the trading name, or else the legal name (rules/accounts#17).
 */
export function displayName(customer: Named): string {
  if (customer.type === 'business') return customer.trading_name ?? customer.legal_name ?? '';
  const initial = initialOf(customer.family_name ?? '');
  return [customer.given_name, initial && `${initial}.`].filter(Boolean).join(' ');
}
