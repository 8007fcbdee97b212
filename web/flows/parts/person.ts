import type { BusinessData, PersonData } from '@tenant-payments/contract/hosted/view.ts';
import { isoDay } from '../../ui/day.ts';
import type { Values } from '../../ui/use_form.ts';
import { postalCodeOf } from './checks.ts';

/**
 * The fields that a person enters, as text; kept in memory until sent. A date is as `day.ts` has
 * it.
 */
export type AboutField = 'first_name' | 'last_name' | 'birth_date' | 'ssn';
export type AddressField = 'line1' | 'line2' | 'city' | 'state' | 'postal_code';
export type FactsField = 'legal_name' | 'trading_name' | 'industry' | 'ein';

export const noAbout: Values<AboutField> = {
  first_name: '',
  last_name: '',
  birth_date: '',
  ssn: '',
};
export const noAddress: Values<AddressField> = {
  line1: '',
  line2: '',
  city: '',
  state: '',
  postal_code: '',
};

const orNull = (value: string): string | null => (value.trim() === '' ? null : value.trim());

function addressData(address: Values<AddressField>): PersonData['address'] {
  return {
    line1: address.line1.trim(),
    line2: orNull(address.line2),
    city: address.city.trim(),
    state: address.state,
    postal_code: postalCodeOf(address.postal_code) ?? '',
  };
}

/** The data in the service's form. */
export const personData = (
  about: Values<AboutField>,
  address: Values<AddressField>,
): PersonData => ({
  first_name: about.first_name.trim(),
  last_name: about.last_name.trim(),
  birth_date: isoDay(about.birth_date) ?? '',
  ssn: about.ssn,
  address: addressData(address),
});

export const businessData = (
  facts: Values<FactsField>,
  address: Values<AddressField>,
): BusinessData => ({
  legal_name: facts.legal_name.trim(),
  trading_name: orNull(facts.trading_name),
  industry: orNull(facts.industry),
  ein: facts.ein,
  address: addressData(address),
});

/** An address in one line, for the review. */
export function addressLine(address: Values<AddressField>): string {
  const { line1, line2, city, state, postal_code } = address;
  return [line1, line2, `${city}, ${state} ${postal_code}`].filter(Boolean).join(', ');
}
