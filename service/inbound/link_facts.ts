import type { FailureCode } from '@tenant-payments/contract/core/failure_codes.ts';
import { linkedAccountLifecycle } from '@tenant-payments/contract/resources/linked_accounts.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { FactResult, LinkOutcome } from '../rails/facts.ts';
import { customers } from '../resources/customers/table.ts';
import { areOne, judgeHolders } from '../resources/linked_accounts/holders.ts';
import { needLogin, restoreLogin } from '../resources/linked_accounts/login.ts';
import { failLink, holdLinkForReview, verifyLink } from '../resources/linked_accounts/moves.ts';
import {
  holderMatchColumn,
  type LinkedAccountRow,
  linkedAccounts,
} from '../resources/linked_accounts/table.ts';
import { type FactStatuses, resultOf } from './result.ts';

const { verify, fail, bank_closed, hold_for_review } = linkedAccountLifecycle.moves;

/** The outcomes for an account after its checks. */
type Later = Extract<
  LinkOutcome,
  { outcome: 'needs_login' | 'login_restored' | 'numbers_changed' }
>;

/** A result with the names that it was made of, where they wait for a reviewer. */
type Decided = (
  | Exclude<LinkOutcome, { outcome: 'holders' | 'revoked' | Later['outcome'] }>
  | { readonly outcome: 'failed'; readonly failure: FailureCode<'linked_account'> }
) & { readonly match?: LinkedAccountRow['holder_match'] };

const statuses: Readonly<Record<Decided['outcome'], FactStatuses>> = {
  verified: { from: verify.from, known: ['verified'] },
  failed: { from: [...fail.from, ...bank_closed.from], known: ['failed', 'removed'] },
  unclear: { from: hold_for_review.from, known: ['held_for_review'] },
};

/** Customers who have linked the same account earlier, and still do. */
async function readSharing(read: Read, link: LinkedAccountRow) {
  if (link.persistent_hash === null) return [];
  const links = await read.set(linkedAccounts, 'persistent_hash', link.persistent_hash);
  const earlier = links.filter(
    ({ customer_id, id, created_at }) =>
      customer_id !== link.customer_id &&
      (created_at < link.created_at || (created_at === link.created_at && id < link.id)),
  );
  return Promise.all(earlier.map(({ customer_id }) => read.one(customers, customer_id)));
}

/** A link with the rows that its moves change. @throws ApiError not_found */
export async function readLink(read: Read, id: string) {
  const rows = await verifyLink.load(read, { id }, undefined);
  const [customer, sharing] = await Promise.all([
    read.one(customers, rows.link.customer_id),
    readSharing(read, rows.link),
  ]);
  return { ...rows, customer, sharing };
}
type Rows = Awaited<ReturnType<typeof readLink>>;

/** A bank that can receive neither RTP nor a Request for Payment is of no use (rules/linking#10). */
const isUsable = ({ link }: Rows): boolean => link.offered_withdraw || link.offered_load;

const failed = (failure: FailureCode<'linked_account'>): Decided => ({
  outcome: 'failed',
  failure,
});

/** The aggregator's decision, or ours where it leaves it to us. */
function decided(
  work: Work,
  { link, customer }: Rows,
  answer: Exclude<LinkOutcome, Later>,
): Decided {
  if (answer.outcome === 'revoked') return failed('consent_revoked');
  if (answer.outcome !== 'holders') return answer;
  const kept = link.holder_match === null ? null : holderMatchColumn.read(null, link.holder_match);
  const names = answer.names ?? kept?.holders ?? [];
  const holders = { names, score: scoreOf(answer) };
  const { decision, match } = judgeHolders(work.tenant.settings, customer, holders);
  return decision === 'owner_mismatch' ? failed(decision) : { outcome: decision, match };
}

/** How much the aggregator says that they are one; null: it does not, or says nonsense. */
function scoreOf({ score }: Extract<LinkOutcome, { outcome: 'holders' }>): number | null {
  return Number.isInteger(score) && Number(score) >= 0 && Number(score) <= 100
    ? Number(score)
    : null;
}

/** The decision on a good result, with what we know of the account besides. */
function held(rows: Rows, answer: Decided): Decided {
  if (answer.outcome === 'failed') return answer;
  if (rows.sharing.some((other) => areOne(other, rows.customer)))
    return failed('duplicate_account');
  return isUsable(rows) || answer.outcome === 'unclear' ? answer : failed('rtp_not_supported');
}

/** The customer must sign in at the bank again (rules/linking#33). */
function takeLoginNeed(work: Work, link: LinkedAccountRow): FactResult {
  if (link.status !== 'verified') return link.status === 'pending' ? 'contradiction' : 'known';
  if (link.needs_login_at !== null) return 'known';
  needLogin.decide(work, link, { id: link.id }, undefined);
  return 'taken';
}

/** The customer has signed in again; of a link that needed none it says nothing. */
function takeLogin(work: Work, link: LinkedAccountRow): FactResult {
  if (link.needs_login_at === null) return 'known';
  restoreLogin.decide(work, link, { id: link.id }, undefined);
  return 'taken';
}

/** Numbers are of no use any more, whatever became of the link: what is still paid to it needs the new ones. */
function forgetNumbers(work: Work, link: LinkedAccountRow): FactResult {
  if (link.reference_sealed === null) return 'known';
  work.change(link, { numbers_sealed: null, numbers_changed_at: work.now });
  work.scheduleJob('link_numbers', link.id, work.now);
  return 'taken';
}

/** Moves a link by the result of its checks (rules/linking#11), or by what happened to it afterwards. */
export function applyLinkOutcome(work: Work, rows: Rows, answer: LinkOutcome): FactResult {
  const { link } = rows;
  const { id } = link;
  if (answer.outcome === 'needs_login') return takeLoginNeed(work, link);
  if (answer.outcome === 'login_restored') return takeLogin(work, link);
  if (answer.outcome === 'numbers_changed') return forgetNumbers(work, link);
  const ours = decided(work, rows, answer);
  const result = resultOf(link.status, statuses[ours.outcome]);
  if (result === 'known' && ours.outcome === 'verified') return takeLogin(work, link);
  if (result !== 'taken') return result;
  const end = held(rows, ours);
  if (end.outcome === 'failed')
    failLink.decide(work, link, { id, failure_code: end.failure }, undefined);
  else if (end.outcome === 'verified') verifyLink.decide(work, rows, { id }, undefined);
  else {
    holdLinkForReview.decide(work, link, { id }, undefined);
    if (end.match !== undefined) work.change(link, { holder_match: end.match });
  }
  return result;
}
