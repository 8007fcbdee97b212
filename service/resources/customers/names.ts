import { initialOf } from '@tenant-payments/contract/core/readable.ts';

/** The fields that a name is built from. */
export interface NameFields {
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
export function displayName(customer: NameFields): string {
  if (customer.type === 'business') return customer.trading_name ?? customer.legal_name ?? '';
  const initial = initialOf(customer.family_name ?? '');
  return [customer.given_name, initial && `${initial}.`].filter(Boolean).join(' ');
}

/** The name in full, as it was proven: what a bank knows the customer by. */
export function fullName({
  type,
  given_name,
  family_name,
  legal_name,
  trading_name,
}: NameFields): string {
  if (type === 'business') return legal_name ?? trading_name ?? '';
  return [given_name, family_name].filter(Boolean).join(' ');
}
