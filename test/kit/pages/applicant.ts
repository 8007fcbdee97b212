import { requiredDocuments } from '@tenant-payments/contract/resources/documents.ts';

/** Every code that the sandbox sends. */
export const code = '000000';

/** An applicant, as the hosted pages send it. */
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

/** The versions that a new customer reads until another is published. */
export const firstDocuments = (type: 'individual' | 'business') =>
  requiredDocuments[type].map((document_type) => ({ document_type, version: '2026-01' }));

/** An individual's, but for the PIN. */
export const application = { person, accepts_documents: firstDocuments('individual') };

/** The answers by which she resets her PIN, but for the new one. */
export const identity = { birth_date: person.birth_date, ssn_last4: person.ssn.slice(-4) };
