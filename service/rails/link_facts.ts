import { linkedAccountLifecycle } from '@tenant-payments/contract/resources/linked_accounts.ts';
import type { Read } from '../core/reader.ts';
import type { Work } from '../core/work.ts';
import { failLink, holdLinkForReview, verifyLink } from '../resources/linked_accounts/moves.ts';
import { judge, type LinkOutcome, type Reach, type Verdict } from './facts.ts';

const { verify, fail, bank_closed, hold_for_review } = linkedAccountLifecycle.moves;

const reach: Readonly<Record<LinkOutcome['outcome'], Reach>> = {
  verified: { from: verify.from, known: ['verified'] },
  failed: { from: [...fail.from, ...bank_closed.from], known: ['failed', 'removed'] },
  unclear: { from: hold_for_review.from, known: ['held_for_review'] },
};

/** A link with what its checks end touches. @throws ApiError not_found */
export const readLink = (read: Read, id: string) => verifyLink.load(read, { id }, undefined);
type Rows = Awaited<ReturnType<typeof readLink>>;

/** A bank that can neither receive RTP nor a Request for Payment is of no use (decisions 1.3). */
const isUsable = ({ link }: Rows): boolean => link.offered_withdraw || link.offered_load;

/** How the checks of a bank account ended, as a move of its link (decisions 1.1). */
export function tellOfLink(work: Work, rows: Rows, told: LinkOutcome): Verdict {
  const { link } = rows;
  const verdict = judge(link.status, reach[told.outcome]);
  if (verdict !== 'taken') return verdict;
  const { id } = link;
  const failWith = (failure_code: string) =>
    failLink.decide(work, link, { id, failure_code }, undefined);
  if (told.outcome === 'failed') failWith(told.failure);
  else if (told.outcome === 'unclear') holdLinkForReview.decide(work, link, { id }, undefined);
  else if (isUsable(rows)) verifyLink.decide(work, rows, { id }, undefined);
  else failWith('rtp_not_supported');
  return verdict;
}
