import type { View } from '@tenant-payments/contract/hosted/view.ts';

export type StepName =
  | 'about'
  | 'facts'
  | 'address'
  | 'owners'
  | 'code'
  | 'papers'
  | 'documents'
  | 'pin'
  | 'review';

type Onboarding = NonNullable<View['onboarding']>;

/** Whether only owners are missing: the business itself was submitted before. */
const onlyOwnersMissing = ({ status, is_more_requested }: Onboarding): boolean =>
  status === 'pending' && !is_more_requested;

/** The pages of an application, in order; without the PIN page if a PIN is set. */
export function stepsOf(
  { type, has_pin }: Pick<View['customer'], 'type' | 'has_pin'>,
  onboarding: Onboarding,
): readonly StepName[] {
  const pin: readonly StepName[] = has_pin ? [] : ['pin'];
  const wanted = onboarding.identity_documents?.wanted ?? [];
  const papers: readonly StepName[] = wanted.length > 0 ? ['papers'] : [];
  const end: readonly StepName[] = ['code', ...papers, 'documents', ...pin, 'review'];
  if (type === 'individual') return ['about', 'address', ...end];
  if (onlyOwnersMissing(onboarding)) return ['owners', 'code', 'documents'];
  return ['facts', 'address', 'owners', ...end];
}

/** The message of the first page; with `open` there is none, and the form starts at once. */
export type Standing = 'open' | 'more' | 'again' | 'waiting' | 'too_early' | 'final' | 'approved';

/**
 * The message for an application when its page is opened.
 * @param now by the Tenant's clock
 */
export function standingOf(
  type: View['customer']['type'],
  onboarding: Onboarding,
  now: string,
): Standing {
  const { status, retry_available_at: retryAt, is_more_requested, owners } = onboarding;
  if (status === 'approved') return 'approved';
  if (status === 'created') return 'open';
  if (status === 'rejected') {
    if (retryAt === null) return 'final';
    return retryAt > now ? 'too_early' : 'again';
  }
  if (status === 'pending' && is_more_requested) return 'more';
  const isComplete =
    owners.length > 0 &&
    owners.every(({ verification_status }) => verification_status === 'approved');
  return type === 'business' && status === 'pending' && !isComplete ? 'open' : 'waiting';
}
