import { assert } from '../../core/fail.ts';
import type { Posting } from '../../core/ledger.ts';
import type { Work } from '../../core/work.ts';
import { sendCredit } from '../../rails/instructions.ts';
import type { AccountRow } from '../accounts/table.ts';
import { scheduleRefundsAndClosing } from '../accounts/waiting_jobs.ts';
import { receiveInSuspense } from '../suspense/moves.ts';
import { type Case, count, refuse } from './case.ts';
import { reserveDue } from './deadlines.ts';
import type { DisputeRow } from './table.ts';

type CreditPosting = Posting<'dispute_credited'> | Posting<'dispute_credit_sent'>;

/** @throws ApiError invalid_state {reason: no_account}: the customer was never approved */
export function creditedAccount({ dispute, account }: Case): AccountRow {
  if (!account) throw refuse(dispute, 'no_account');
  return account;
}

/**
 * What a credit posts and where it goes: to the account, or once that has closed to the customer's
 * last bank (decisions 1.5).
 * @param amount cents; one credit in a dispute's life, provisional or awarded
 */
export function creditOf(rows: Case, amount: number) {
  const account = creditedAccount(rows);
  assert(rows.dispute.credited_cents === 0, 'a dispute is credited once');
  const isClosed = account.status === 'closed';
  const post: CreditPosting = isClosed
    ? { recipe: 'dispute_credit_sent', parties: {}, amounts: { amount } }
    : {
        recipe: 'dispute_credited',
        parties: { customer: account.id },
        amounts: { amount },
        counterparts: { customer: null },
        description: null,
      };
  const bank = rows.link?.status === 'verified' && rows.link.can_withdraw ? rows.link : null;
  const route: DisputeRow['credit_route'] = isClosed ? (bank ? 'sent' : 'suspense') : 'account';
  const set = {
    credited_cents: amount,
    credit_route: route,
    credit_link_id: isClosed && bank ? bank.id : null,
  };
  return { post, set };
}

/** What follows a credit that the dispute's move has posted. */
export function afterCredit(work: Work, rows: Case): void {
  const { dispute } = rows;
  const { credited_cents: amount, credit_link_id } = dispute;
  const account = creditedAccount(rows);
  const source = { sourceType: 'dispute', sourceId: dispute.id } as const;
  if (dispute.credit_route === 'account') scheduleRefundsAndClosing(work, account);
  else if (credit_link_id !== null)
    sendCredit(work, { ...source, linkedAccountId: credit_link_id, amount });
  else moveCreditToSuspense(work, dispute);
  count(work, rows, { credited: amount });
  // A Regulation E credit is never blocked (decisions 2.1).
  work.scheduleJob(reserveDue, dispute.id, work.now);
}

/** No bank takes it: it waits in suspense for a reviewer. */
export function moveCreditToSuspense(work: Work, dispute: DisputeRow): void {
  receiveInSuspense(work, {
    amount: dispute.credited_cents,
    reason: 'undeliverable',
    source_type: 'dispute',
    source_id: dispute.id,
    account_id: dispute.account_id,
    linked_account_id: dispute.credit_link_id,
  });
}
