import type { Scenario } from './scenario.ts';

const created = (type: 'individual' | 'business'): string => `applicant = applicant ${type},
  customer = createCustomer applicant`;
const decisions = `simulate customer.pending customer, simulate customer.approved customer,
  simulate customer.rejected customer, simulate customer.in_review customer, close customer,
  flow onboarding customer`;

export const customerScenarios: readonly Scenario[] = [
  {
    name: 'no customer yet',
    setup: `first = applicant individual, second = applicant individual`,
    operations: `createCustomer first, createLike second first external_ref,
      createLike second first mobile_number`,
  },
  {
    name: 'customer who was made',
    setup: created('individual'),
    operations: `${decisions}, simulate session.completed customer/onboarding_session,
      simulate session.canceled customer/onboarding_session,
      simulate session.expired customer/onboarding_session, job session_end customer`,
  },
  {
    name: 'customer who is checked',
    setup: `${created('individual')}, simulate customer.pending customer`,
    operations: decisions,
  },
  {
    name: 'customer who is reviewed',
    setup: `${created('individual')}, simulate customer.pending customer,
      simulate customer.in_review customer`,
    operations: decisions,
  },
  {
    name: 'customer who was rejected',
    lateSeconds: 100 * 24 * 3600,
    setup: `${created('individual')}, simulate customer.pending customer,
      simulate customer.rejected customer`,
    operations: decisions,
  },
  {
    name: 'business with an owner',
    setup: `${created('business')}, simulate customer.pending customer,
      owner = found owner customer`,
    operations: `${decisions}, simulate owner.approved owner, simulate owner.rejected owner,
      simulate owner.in_review owner`,
  },
  {
    name: 'customer in hosted flows',
    setup: `person = individual 0, document = found document person,
      simulate document_acceptance.pending_acceptance document,
      contact = flow contact_change person, reset = flow pin_reset person,
      terms = flow terms_acceptance person`,
    operations: `simulate session.completed contact, simulate session.completed reset,
      simulate session.completed terms, simulate session.canceled terms,
      simulate customer.pin_locked person,
      simulate document_acceptance.pending_acceptance document, flow terms_acceptance person,
      simulate customer.in_review person, close person`,
  },
];
