import type { Identity, IdentitySubject } from '../../rails/identity.ts';
import { type AnswerName, type Ask, silent } from './scheduling.ts';

const answers: Readonly<Record<IdentitySubject, AnswerName>> = {
  customer: 'sandbox_customer_answer',
  owner: 'sandbox_owner_answer',
};

/** The sandbox's identity provider: it forgets what it is told and decides by the name alone. */
export const openSandboxIdentity = (ask: Ask = silent): Identity => ({
  collect: async ({ subjectId }) => `identity-sandbox-${subjectId}`,
  check: ({ tenantId, subject, subjectId }) => ask(tenantId, answers[subject], subjectId),
  // It has forgotten what it was told: anything but 0000 is right.
  matches: async ({ taxIdLast4 }) => taxIdLast4 !== '0000',
});
