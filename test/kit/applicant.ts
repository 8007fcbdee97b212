import { randomUUID } from 'node:crypto';
import type { ReplyBody } from './http.ts';
import type { Wire } from './wire.ts';

/** Somebody who applies, as the hosted pages are told of her. */

/** Every code that the sandbox sends. */
export const code = '000000';

export const person = {
  first_name: 'Ana',
  last_name: 'Reyes',
  birth_date: '1987-03-14',
  ssn: '521739846',
  address: {
    line1: '1 Main St',
    line2: null,
    city: 'New York',
    state: 'NY',
    postal_code: '10001',
  },
};

/** An individual's, but for the PIN. */
export const application = { person, accepts_documents: true };

/** What she answers to reset her PIN, but for the new one. */
export const identity = { birth_date: person.birth_date, tax_id_last4: person.ssn.slice(-4) };

let numbers = 0;
/** A customer whose onboarding is open, as a Tenant's server makes it; the number is nobody else's. */
export function newcomer(wire: Wire, type: 'individual' | 'business'): Promise<ReplyBody> {
  numbers += 1;
  return wire.post('/v1/customers', {
    type,
    external_ref: randomUUID(),
    email: 'someone@example.com',
    mobile_number: `+1212555${String(numbers).padStart(4, '0')}`,
  });
}
