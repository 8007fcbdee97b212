import type { IdentityDocumentKind } from '@tenant-payments/contract/core/identity_documents.ts';
import { type IdKind, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { Move } from '@tenant-payments/contract/core/lifecycle.ts';
import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { disputeLifecycle } from '@tenant-payments/contract/resources/disputes.ts';
import {
  type DocumentType,
  documentTypes,
  type LegalText,
} from '@tenant-payments/contract/resources/documents.ts';
import type { Command } from '@tenant-payments/engine/command.ts';
import { assert, fail } from '@tenant-payments/engine/fail.ts';
import type { Environment } from '@tenant-payments/engine/production.ts';
import type { AnyTable, RowOf } from '@tenant-payments/engine/table.ts';
import type { MovesOf } from '@tenant-payments/engine/work_types.ts';
import type { Database } from '@tenant-payments/service/database.ts';
import { bookBankMessage } from '@tenant-payments/service/inbound/book_message.ts';
import { closeBankMessage } from '@tenant-payments/service/rails/bank_messages.ts';
import { adjustAccount } from '@tenant-payments/service/resources/accounts/adjust.ts';
import { fundReserve } from '@tenant-payments/service/resources/accounts/fund_reserve.ts';
import {
  placeLegalHold,
  releaseLegalHold,
} from '@tenant-payments/service/resources/accounts/legal_hold.ts';
import {
  reactivateAccount,
  suspendAccount,
} from '@tenant-payments/service/resources/accounts/moves.ts';
import { statusesFor } from '@tenant-payments/service/resources/assert_status.ts';
import { removeAllPasskeys } from '@tenant-payments/service/resources/customers/credentials/passkeys.ts';
import { allowPinReset } from '@tenant-payments/service/resources/customers/credentials/pin_lock.ts';
import { publishForAll } from '@tenant-payments/service/resources/customers/documents/publication.ts';
import { eraseCustomer } from '@tenant-payments/service/resources/customers/erasure/erasure.ts';
import {
  approveCustomer,
  holdCustomerForReview,
  rejectCustomer,
  requestMore,
} from '@tenant-payments/service/resources/customers/moves.ts';
import {
  approveOwner,
  rejectOwner,
} from '@tenant-payments/service/resources/customers/owners/moves.ts';
import { owners } from '@tenant-payments/service/resources/customers/owners/table.ts';
import { customers } from '@tenant-payments/service/resources/customers/table.ts';
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
import type { DisputeKind } from '@tenant-payments/service/resources/disputes/rule.ts';
import { disputes } from '@tenant-payments/service/resources/disputes/table.ts';
import { openByPeople } from '@tenant-payments/service/resources/identity/documents.ts';
import type { Day } from '@tenant-payments/service/resources/limits/days.ts';
import {
  failLink,
  releaseLinkHold,
  verifyLink,
} from '@tenant-payments/service/resources/linked_accounts/moves.ts';
import { liftOptOut } from '@tenant-payments/service/resources/linked_accounts/opt_out.ts';
import { linkedAccounts } from '@tenant-payments/service/resources/linked_accounts/table.ts';
import {
  acceptReturnRequest,
  refuseReturnRequest,
} from '@tenant-payments/service/resources/return_requests/moves.ts';
import { returnRequests } from '@tenant-payments/service/resources/return_requests/table.ts';
import {
  matchSuspense,
  returnSuspense,
} from '@tenant-payments/service/resources/suspense/moves.ts';
import { suspense } from '@tenant-payments/service/resources/suspense/table.ts';
import type { Kysely } from 'kysely';
import type { ReviewResource, reviewMoves } from '../contract/operate/review.ts';

/** The input of a move. A field that the move does not take is null. */
export interface ReviewInput {
  /** The record's uuid, or the name of what exists once. */
  readonly id: string;
  readonly amount: number | null;
  readonly failure_code: string | null;
  readonly finding: string | null;
  readonly asks: readonly IdentityDocumentKind[] | null;
  readonly handled_as: DisputeKind | null;
  readonly customer_bears: number | null;
  readonly learned_on: Day | null;
  readonly shown_on: Day | null;
  readonly account_id: string | null;
  readonly version: string | null;
  readonly title: LegalText['title'] | null;
  readonly text: LegalText['text'] | null;
  readonly settings: Partial<Settings> | null;
}

export type ReviewField = Exclude<keyof ReviewInput, 'id'>;

/** The fields of the body that a move takes, and whether they are required; a note is taken by all. */
export type Takes = Readonly<
  Partial<Record<ReviewField, 'required' | 'optional'> & { note: 'required' }>
>;

export interface ReviewMove {
  readonly command: Command<ReviewInput>;
  /** The statuses from which the lifecycle allows it; null: the command checks. */
  readonly from: readonly string[] | null;
  readonly takes: Takes;
  /** Why it is made must be said. */
  readonly needsNote?: true;
}

/** A command as a reviewer's move. */
export const runs = (command: Command<ReviewInput>, takes: Takes = {}): ReviewMove => ({
  command,
  from: null,
  takes,
});

/** Statuses from which the same command, and so the same simulated event, serves another actor. */
function othersOf(moves: Readonly<Record<string, Move>>, names: readonly string[]): string[] {
  const own = names.flatMap((name) => moves[name] ?? []);
  const taken = statusesFor({ moves }, names);
  return Object.values(moves)
    .filter((move) => own.some(({ simulate }) => simulate && simulate === move.simulate))
    .flatMap(({ from }) => from)
    .filter((status) => !taken.includes(status));
}

/**
 * Keeps a reviewer from the statuses in which the lifecycle lets another actor make the move, such
 * as the identity provider. In every other status the command refuses by itself, as it does when it
 * is simulated (rules/review#5).
 */
function allowed<T extends AnyTable>(
  table: T,
  names: readonly (keyof MovesOf<T> & string)[],
  { command, takes }: ReviewMove,
): ReviewMove {
  const moves: Readonly<Record<string, Move>> = table.lifecycle?.moves ?? {};
  const from = statusesFor({ moves }, names);
  const others = othersOf(moves, names);
  const guarded: Command<ReviewInput, { row: RowOf<AnyTable>; rest: unknown }> = {
    ...command,
    load: async (read, input, prepared) => {
      const [row, rest] = await Promise.all([
        read.one<AnyTable>(table, input.id),
        command.load(read, input, prepared),
      ]);
      return { row, rest };
    },
    decide: (work, { row, rest }, input, prepared) => {
      const status = String(row.status);
      if (others.includes(status))
        throw fail('invalid_state', {
          details: { current_status: status, allowed: from, reason: 'not_the_reviewers' },
          message: `from ${status} another actor moves it; a reviewer does from ${from.join(', ')}`,
        });
      return command.decide(work, rest, input, prepared);
    },
  };
  return { command: guarded, from, takes };
}

/** A command whose input has another shape than the move's. */
export const shaped = <Input, Loaded, Prepared>(
  { name, prepare, load, decide }: Command<Input, Loaded, Prepared>,
  shape: (input: ReviewInput) => Input,
): Command<ReviewInput, Loaded, Prepared> => ({
  name,
  ...(prepare ? { prepare: (input, context) => prepare(shape(input), context) } : {}),
  load: (read, input, prepared) => load(read, shape(input), prepared),
  decide: (work, loaded, input, prepared) => decide(work, loaded, shape(input), prepared),
});

/** A rejected link has a failure code; for the reviewer it is optional. */
const rejectLink = shaped(failLink, ({ id, failure_code }) => ({
  id,
  failure_code: failure_code ?? 'review_rejected',
}));

const fund = shaped(fundReserve, ({ amount }) => {
  assert(amount !== null, 'the reserve is funded by an amount');
  return { amount };
});

/** What moves need besides what they load. */
interface MoveContext {
  readonly db: Kysely<Database>;
  readonly environment: Environment;
}

const publish = ({ db, environment }: MoveContext) =>
  shaped(publishForAll({ db }, environment), ({ id, version, title, text }) => {
    assert(version !== null && title !== null && text !== null, 'publish takes all three');
    return { document_type: id as DocumentType, version, title, text };
  });

const classify = (db: Kysely<Database>) =>
  shaped(classifyDispute({ db }), ({ id, handled_as }) => {
    assert(handled_as !== null, 'a notice is classified as a kind');
    return { id, handled_as };
  });

const wholeVersion = { version: 'required', title: 'required', text: 'required' } as const;

/** A resource that can be reviewed. */
export interface Reviewed {
  /** The record for an id of the path; null: there is none. */
  readonly idOf: (id: string) => string | null;
  readonly moves: Readonly<Record<string, ReviewMove>>;
}

/** Moves by resource, whichever they are. */
export type MoveTable = Readonly<Record<string, Reviewed>>;

export type ReviewTable = Readonly<Record<ReviewResource, Reviewed>> & {
  readonly [R in ReviewResource]: {
    readonly moves: Readonly<Record<(typeof reviewMoves)[R][number], ReviewMove>>;
  };
};

const recordOf = (kind: IdKind) => (id: string) => uuidOf(kind, id);
/** The id of what exists once is its name. */
export const namedOf = (names: readonly string[]) => (id: string) =>
  names.includes(id) ? id : null;

/** Not a move of the lifecycle: possible as long as the dispute is not determined. */
const undetermined = (move: ReviewMove): ReviewMove => ({
  ...move,
  from: disputeLifecycle.moves.resolve_denied.from,
});
/** The disputed amount, when the notice did not give it (rules/disputes#8). */
const disputed: Takes = { amount: 'optional' };

/** What a determination against the customer says beside its award (rules/disputes#50, #56). */
const found: Takes = {
  finding: 'optional',
  customer_bears: 'optional',
  learned_on: 'optional',
  shown_on: 'optional',
};

const disputeMoves = ({ db }: { readonly db: Kysely<Database> }) => ({
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

const returnMoves = {
  accept: allowed(
    returnRequests,
    ['accept'],
    runs(acceptReturnRequest, { amount: 'optional', finding: 'optional' }),
  ),
  refuse: allowed(returnRequests, ['refuse'], runs(refuseReturnRequest, { finding: 'required' })),
};

/** Every move of a reviewer: the same commands that simulate and the outside run (rules/review#4). */
export const openReviewMoves = ({ db, environment }: MoveContext): ReviewTable => ({
  customers: {
    idOf: recordOf('customer'),
    moves: {
      approve: allowed(customers, ['approve'], runs(approveCustomer)),
      reject: allowed(customers, ['reject'], runs(rejectCustomer)),
      request_more: allowed(customers, ['request_more'], runs(requestMore, { asks: 'optional' })),
      review: allowed(customers, ['review'], runs(holdCustomerForReview)),
      erase: runs(eraseCustomer({ db })),
      allow_pin_reset: runs(allowPinReset),
      remove_passkeys: runs(removeAllPasskeys),
      open_identity: { ...runs(openByPeople(customers)), needsNote: true },
    },
  },
  owners: {
    idOf: recordOf('owner'),
    moves: {
      approve: allowed(owners, ['approve'], runs(approveOwner)),
      reject: allowed(owners, ['reject'], runs(rejectOwner)),
      open_identity: { ...runs(openByPeople(owners)), needsNote: true },
    },
  },
  documents: {
    idOf: namedOf(documentTypes),
    moves: { publish: runs(publish({ db, environment }), wholeVersion) },
  },
  'linked-accounts': {
    idOf: recordOf('linked_account'),
    moves: {
      verify: allowed(linkedAccounts, ['review_verify'], runs(verifyLink)),
      reject: allowed(
        linkedAccounts,
        ['review_reject'],
        runs(rejectLink, { failure_code: 'optional' }),
      ),
      release_hold: allowed(linkedAccounts, ['release_hold'], runs(releaseLinkHold)),
      lift_opt_out: { ...runs(liftOptOut), from: ['verified'], needsNote: true },
    },
  },
  accounts: {
    idOf: recordOf('account'),
    moves: {
      suspend: runs(suspendAccount),
      reactivate: runs(reactivateAccount),
      place_hold: runs(placeLegalHold),
      release_hold: runs(releaseLegalHold),
      adjust: runs(adjustAccount, { amount: 'required' }),
    },
  },
  disputes: { idOf: recordOf('dispute'), moves: disputeMoves({ db }) },
  suspense: {
    idOf: recordOf('adjustment'),
    moves: {
      match: allowed(suspense, ['match'], runs(matchSuspense, { account_id: 'optional' })),
      return: allowed(suspense, ['give_back'], runs(returnSuspense)),
    },
  },
  'bank-messages': {
    idOf: recordOf('bank_message'),
    moves: { close: runs(closeBankMessage), book: runs(bookBankMessage) },
  },
  'return-requests': { idOf: recordOf('return_request'), moves: returnMoves },
  reserve: { idOf: namedOf(['reserve']), moves: { fund: runs(fund, { amount: 'required' }) } },
});
