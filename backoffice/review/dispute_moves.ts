import { disputeLifecycle } from '@tenant-payments/contract/resources/disputes.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import type { Database } from '@tenant-payments/service/database.ts';
import { classifyDispute } from '@tenant-payments/service/resources/disputes/classify.ts';
import {
  creditDispute,
  investigateDispute,
  liabilityMerchant,
  liabilityPlatform,
} from '@tenant-payments/service/resources/disputes/moves.ts';
import {
  acceptDelay,
  givePapers,
  reopenDispute,
} from '@tenant-payments/service/resources/disputes/reopen.ts';
import {
  resolveApproved,
  resolveDenied,
  resolvePartial,
  resolveWithdrawn,
} from '@tenant-payments/service/resources/disputes/resolve.ts';
import { disputes } from '@tenant-payments/service/resources/disputes/table.ts';
import type { Kysely } from 'kysely';

import { allowed, type ReviewMove, runs, shaped, type Takes } from './move.ts';

const classify = (db: Kysely<Database>) =>
  shaped(classifyDispute({ db }), ({ id, handled_as }) => {
    assert(handled_as !== null, 'a notice is classified as a kind');
    return { id, handled_as };
  });

/** Not a move of the lifecycle: possible as long as the dispute is not determined. */
const undetermined = (move: ReviewMove): ReviewMove => ({
  ...move,
  from: disputeLifecycle.moves.resolve_denied.from,
});
/** The disputed amount, when the notice did not give it (rules/disputes#8). */
const disputed: Takes = { amount: 'optional' };

/** The fields of a determination against the customer beside its award (rules/disputes#50, #56). */
const found: Takes = {
  finding: 'optional',
  customer_bears: 'optional',
  learned_on: 'optional',
  shown_on: 'optional',
};

/** The moves of a reviewer on a dispute (rules/review#4). */
export const disputeMoves = ({ db }: { readonly db: Kysely<Database> }) => ({
  investigate: allowed(disputes, ['investigate'], runs(investigateDispute)),
  reopen: allowed(disputes, ['reopen'], runs(reopenDispute, { note: 'required' })),
  classify: allowed(
    disputes,
    ['classify'],
    runs(classify(db), { handled_as: 'required', note: 'required' }),
  ),
  extenuating: undetermined(runs(acceptDelay, { note: 'required' })),
  credit: allowed(disputes, ['credit'], runs(creditDispute, disputed)),
  resolve_approved: allowed(disputes, ['resolve_approved'], runs(resolveApproved, disputed)),
  resolve_partial: allowed(
    disputes,
    ['resolve_partial'],
    runs(resolvePartial, { amount: 'required', ...found }),
  ),
  resolve_denied: allowed(disputes, ['resolve_denied'], runs(resolveDenied, found)),
  resolve_withdrawn: allowed(disputes, ['resolve_withdrawn'], runs(resolveWithdrawn)),
  liability_merchant: undetermined(runs(liabilityMerchant)),
  liability_platform: undetermined(runs(liabilityPlatform)),
  give_papers: { ...runs(givePapers), from: ['resolved', 'closed'] },
});
