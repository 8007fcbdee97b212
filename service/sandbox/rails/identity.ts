import type { Identity, IdentitySubject } from '../../rails/identity.ts';
import { type AnswerName, type ScheduleAnswer, scheduleNothing } from './scheduling.ts';

const answers: Readonly<Record<IdentitySubject, AnswerName>> = {
  customer: 'sandbox_customer_answer',
  owner: 'sandbox_owner_answer',
};

/** The sandbox's identity provider: it stores no data and decides by the name (rules/sandbox#18). */
export const openSandboxIdentity = (schedule: ScheduleAnswer = scheduleNothing): Identity => ({
  collect: async ({ subjectId }) => `identity-sandbox-${subjectId}`,
  check: ({ tenantId, subject, subjectId }) => schedule(tenantId, answers[subject], subjectId),
  // The sandbox stores no data to compare with, so anything that does not end in 0000 is right.
  matches: async ({ answers }) =>
    !('ein' in answers ? answers.ein : answers.ssnLast4).endsWith('0000'),
});
