import type {
  IdentityDecision,
  IdentityFact,
  IdentityFinding,
} from '@tenant-payments/service/rails/facts.ts';
import type { IdentityVerificationGetResponse } from 'plaid';

/** Plaid's answer as the service reads it: codes alone, since it holds names, dates, numbers and images too. */

export type Answer = Pick<
  IdentityVerificationGetResponse,
  'id' | 'status' | 'steps' | 'kyc_check' | 'documentary_verification' | 'created_at'
>;

/** An applicant who has not ended their step by then is the reviewer's. */
const patienceMs = 24 * 3_600_000;

const decisions: Readonly<Record<string, IdentityDecision>> = {
  success: 'approved',
  failed: 'rejected',
  expired: 'unclear',
  canceled: 'unclear',
  pending_review: 'unclear',
};

/** The state of an attempt: Plaid's word, or that nobody ends it; null: it goes on. */
export function stateOf({ status }: Answer, startedAtMs: number, nowMs: number): string | null {
  if (status !== 'active') return status;
  return nowMs - startedAtMs > patienceMs ? 'not_finished' : null;
}

/** Whether Plaid may still say something else of itself. */
export const mayChange = (state: string | null): boolean =>
  state === null || state === 'not_finished' || state === 'pending_review';

const results: Readonly<Record<string, IdentityFinding['result']>> = {
  success: 'passed',
  manually_approved: 'passed',
  failed: 'failed',
  manually_rejected: 'failed',
  pending_review: 'unclear',
};
const leftOut = ['not_applicable', 'skipped'];

/** A code of Plaid's: nothing else of an answer goes on. */
const isCode = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z_]{1,40}$/.test(value);

const fine = ['match', 'success', 'not_expired', 'high', 'no_input', 'not_applicable'];

/** `name_no_match`, of codes by what they are about. */
const doubts = (codes: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(codes).flatMap(([about, code]) =>
    isCode(code) && !fine.includes(code) ? [`${about}_${code}`] : [],
  );

function reasonsOf(step: string, { kyc_check, documentary_verification }: Answer) {
  if (step === 'kyc_check' && kyc_check) {
    const { status: _, ...fields } = kyc_check;
    return doubts(
      Object.fromEntries(Object.entries(fields).map(([name, { summary }]) => [name, summary])),
    );
  }
  if (step !== 'documentary_verification') return [];
  const analysis = documentary_verification?.documents.at(-1)?.analysis;
  if (!analysis) return [];
  const { authenticity, image_quality, extracted_data } = analysis;
  return doubts({ authenticity, image_quality, ...extracted_data });
}

/** The findings of each step. */
const findingsOf = (answer: Answer): readonly IdentityFinding[] =>
  Object.entries(answer.steps).flatMap(([check, status]): IdentityFinding[] => {
    if (!isCode(status) || leftOut.includes(status)) return [];
    const reasons = reasonsOf(check, answer);
    const result = results[status] ?? 'not_done';
    return [{ check, result, ...(reasons.length > 0 && { reasons }) }];
  });

/** The fact of an attempt that stands so. */
export const factOf = (
  id: string,
  subjectId: string,
  state: string,
  answer: Answer,
): IdentityFact => ({
  id,
  subject: 'customer',
  subjectId,
  decision: decisions[state] ?? 'unclear',
  ...(state !== 'success' && { reasons: [isCode(state) ? state : 'unknown'] }),
  checks: findingsOf(answer),
});
