import { linkedAccountLifecycle } from '@tenant-payments/contract/resources/linked_accounts.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { FactResult, LinkOutcome } from '../rails/facts.ts';
import { failLink, holdLinkForReview, verifyLink } from '../resources/linked_accounts/moves.ts';
import { type FactStatuses, resultOf } from './result.ts';

const { verify, fail, bank_closed, hold_for_review } = linkedAccountLifecycle.moves;

const statuses: Readonly<Record<LinkOutcome['outcome'], FactStatuses>> = {
  verified: { from: verify.from, known: ['verified'] },
  failed: { from: [...fail.from, ...bank_closed.from], known: ['failed', 'removed'] },
  unclear: { from: hold_for_review.from, known: ['held_for_review'] },
};

/** A link with the rows that its moves change. @throws ApiError not_found */
export const readLink = (read: Read, id: string) => verifyLink.load(read, { id }, undefined);
type Rows = Awaited<ReturnType<typeof readLink>>;

/** A bank that can receive neither RTP nor a Request for Payment is of no use (rules/linking#10). */
const isUsable = ({ link }: Rows): boolean => link.offered_withdraw || link.offered_load;

/** Moves a link by the result of its checks (rules/linking#11). */
export function applyLinkOutcome(work: Work, rows: Rows, answer: LinkOutcome): FactResult {
  const { link } = rows;
  const result = resultOf(link.status, statuses[answer.outcome]);
  if (result !== 'taken') return result;
  const { id } = link;
  const failWith = (failure_code: string) =>
    failLink.decide(work, link, { id, failure_code }, undefined);
  if (answer.outcome === 'failed') failWith(answer.failure);
  else if (answer.outcome === 'unclear') holdLinkForReview.decide(work, link, { id }, undefined);
  else if (isUsable(rows)) verifyLink.decide(work, rows, { id }, undefined);
  else failWith('rtp_not_supported');
  return result;
}
