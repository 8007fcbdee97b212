import { type IdKind, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { type DocumentType, documentTypes } from '@tenant-payments/contract/resources/documents.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import type { Environment } from '@tenant-payments/engine/production.ts';
import type { Database } from '@tenant-payments/service/database.ts';
import { noticeEffects } from '@tenant-payments/service/flows/notice_effects.ts';
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
import { giveNotice } from '@tenant-payments/service/resources/customers/notices/given.ts';
import {
  approveOwner,
  rejectOwner,
} from '@tenant-payments/service/resources/customers/owners/moves.ts';
import { owners } from '@tenant-payments/service/resources/customers/owners/table.ts';
import {
  restoreElectronic,
  withdrawElectronic,
} from '@tenant-payments/service/resources/customers/paper.ts';
import { customers } from '@tenant-payments/service/resources/customers/table.ts';
import { openByPeople } from '@tenant-payments/service/resources/identity/documents.ts';
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

import { disputeMoves } from './dispute_moves.ts';
import { allowed, type Reviewed, type ReviewMove, runs, shaped } from './move.ts';

/** A rejected link has a failure code; for the reviewer it is optional. */
const rejectLink = shaped(failLink, ({ id, failure_code }) => ({
  id,
  failure_code: failure_code ?? 'review_rejected',
}));

const fund = shaped(fundReserve, ({ amount }) => {
  assert(amount !== null, 'the reserve is funded by an amount');
  return { amount };
});

/** The context that moves need besides what they load. */
interface MoveContext {
  readonly db: Kysely<Database>;
  readonly environment: Environment;
}

const publish = ({ db, environment }: MoveContext) =>
  shaped(publishForAll({ db }, environment), ({ id, version, title, text, security_reason }) => {
    assert(version !== null && title !== null && text !== null, 'publish takes all three');
    return { document_type: id as DocumentType, version, title, text, security_reason };
  });

const wholeVersion = {
  version: 'required',
  title: 'required',
  text: 'required',
  security_reason: 'optional',
} as const;

export type ReviewTable = Readonly<Record<ReviewResource, Reviewed>> & {
  readonly [R in ReviewResource]: {
    readonly moves: Readonly<Record<(typeof reviewMoves)[R][number], ReviewMove>>;
  };
};

const recordOf = (kind: IdKind) => (id: string) => uuidOf(kind, id);
/** The id of what exists once is its name. */
export const namedOf = (names: readonly string[]) => (id: string) =>
  names.includes(id) ? id : null;

const linkMoves = {
  verify: allowed(linkedAccounts, ['review_verify'], runs(verifyLink)),
  reject: allowed(
    linkedAccounts,
    ['fail', 'review_reject'],
    runs(rejectLink, { failure_code: 'optional' }),
  ),
  release_hold: allowed(linkedAccounts, ['release_hold'], runs(releaseLinkHold)),
  lift_opt_out: { ...runs(liftOptOut, { note: 'required' }), from: ['verified'] },
};

const messageMoves = { close: runs(closeBankMessage), book: runs(bookBankMessage) };

const returnMoves = ({ db }: Pick<MoveContext, 'db'>) => ({
  accept: allowed(
    returnRequests,
    ['accept'],
    runs(acceptReturnRequest({ db }), { amount: 'optional', finding: 'optional' }),
  ),
  refuse: allowed(returnRequests, ['refuse'], runs(refuseReturnRequest, { finding: 'required' })),
});

const noticeMoves = {
  give: { ...runs(giveNotice(noticeEffects), { finding: 'required' }), from: ['task'] },
} as const;

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
      withdraw_electronic: runs(withdrawElectronic),
      restore_electronic: runs(restoreElectronic),
      open_identity: { ...runs(openByPeople(customers), { note: 'required' }), from: [] },
    },
  },
  owners: {
    idOf: recordOf('owner'),
    moves: {
      approve: allowed(owners, ['approve'], runs(approveOwner)),
      reject: allowed(owners, ['reject'], runs(rejectOwner)),
      open_identity: { ...runs(openByPeople(owners), { note: 'required' }), from: [] },
    },
  },
  documents: {
    idOf: namedOf(documentTypes),
    moves: { publish: runs(publish({ db, environment }), wholeVersion) },
  },
  'linked-accounts': { idOf: recordOf('linked_account'), moves: linkMoves },
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
  'bank-messages': { idOf: recordOf('bank_message'), moves: messageMoves },
  'return-requests': { idOf: recordOf('return_request'), moves: returnMoves({ db }) },
  notices: { idOf: recordOf('notice'), moves: noticeMoves },
  reserve: { idOf: namedOf(['reserve']), moves: { fund: runs(fund, { amount: 'required' }) } },
});
