import type { Submission } from '../../resources/customers/onboarding.ts';
import type { CustomerRow } from '../../resources/customers/table.ts';

/** The PIN of every simulated customer (rules/sandbox#22). */
export const samplePin = '284617';

/**
 * The data that a simulated customer enters in onboarding (rules/sandbox#9): the names of the prefill, or sample names;
 * for a business one person who owns and controls it.
 */
export function sampleSubmission(customer: CustomerRow): Submission {
  const { given_name, family_name, legal_name } = customer;
  if (customer.type === 'individual')
    return {
      names: { given_name: given_name ?? 'Sam', family_name: family_name ?? 'Sample' },
      owners: [],
      read: null,
    };
  return {
    names: { legal_name: legal_name ?? 'Sample Shop LLC' },
    owners: [{ name: 'Sam Sample', role: 'owner_and_control_person', ownershipPercent: 100 }],
    read: null,
  };
}
