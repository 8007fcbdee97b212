/** What a name is made of. */
export interface Named {
  readonly type: 'individual' | 'business';
  readonly given_name: string | null;
  readonly family_name: string | null;
  readonly legal_name: string | null;
  readonly trading_name: string | null;
}

/**
 * How others see a customer (decisions 1.6): an individual's given name and initial, `Ana R.`; a
 * business's trading name, or its legal name.
 */
export function displayName(customer: Named): string {
  if (customer.type === 'business') return customer.trading_name ?? customer.legal_name ?? '';
  const [initial] = customer.family_name ?? '';
  return [customer.given_name, initial && `${initial.toUpperCase()}.`].filter(Boolean).join(' ');
}
