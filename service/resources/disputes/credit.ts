import { assert } from '@tenant-payments/engine/fail.ts';
import type { Posting } from '@tenant-payments/engine/ledger.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { sendCredit } from '../../rails/instructions.ts';
import type { AccountRow } from '../accounts/table.ts';
import { scheduleRefundsAndClosing } from '../accounts/waiting_jobs.ts';
import { keepInSuspense, receiveInSuspense } from '../suspense/moves.ts';
import { addToPayment, type Case, linkNow, refuse } from './case.ts';
import type { DisputeRow } from './table.ts';

type CreditPosting = Posting<'dispute_credited'> | Posting<'dispute_credit_ordered'>;

/** @throws ApiError invalid_state {reason: no_account}: the customer was never approved */
export function creditedAccount({ dispute, account }: Case): AccountRow {
  if (!account) throw refuse(dispute, 'no_account');
  return account;
}

/**
 * The posting of a credit, and its destination: to the account, or to the verified link of a closed account
 * (rules/disputes#31).
 * @param amount cents; a dispute is credited once, provisionally or at the determination
 */
export function creditOf(rows: Case, amount: number) {
  const account = creditedAccount(rows);
  assert(rows.dispute.credited_cents === 0, 'a dispute is credited once');
  const isClosed = account.status === 'closed';
  const post: CreditPosting = isClosed
    ? { recipe: 'dispute_credit_ordered', parties: {}, amounts: { amount } }
    : {
        recipe: 'dispute_credited',
        parties: { customer: account.id },
        amounts: { amount },
        counterparts: { customer: null },
        description: null,
      };
  const link = isClosed ? linkNow(rows) : null;
  const bank = link?.status === 'verified' && link.can_withdraw ? link : null;
  const route: DisputeRow['credit_route'] = isClosed ? (bank ? 'sent' : 'suspense') : 'account';
  const set = {
    credited_cents: amount,
    credit_route: route,
    credit_link_id: bank?.id ?? null,
  };
  return { post, set };
}

/** After the move that posted a credit: sends it, counts it, checks the reserve. */
export function afterCredit(work: Work, rows: Case): void {
  const { dispute } = rows;
  const { credited_cents: amount, credit_link_id, bank_order_id: orderId } = dispute;
  const account = creditedAccount(rows);
  const source = { sourceType: 'dispute', sourceId: dispute.id } as const;
  if (dispute.credit_route === 'account') scheduleRefundsAndClosing(work, account);
  else if (credit_link_id !== null)
    sendCredit(work, { ...source, orderId, linkedAccountId: credit_link_id, amount });
  else moveCreditToSuspense(work, dispute);
  addToPayment(work, rows, { credited: amount });
  // A credit is never blocked: it may take the reserve below zero (rules/disputes#16).
  work.scheduleJob('dispute_reserve', dispute.id, work.now);
}

/**
 * Without a bank that takes it, the credit goes to suspense (rules/disputes#32).
 * @param isInTransit 1.0 has posted a credit that was sent as though the bank had moved it
 */
export function moveCreditToSuspense(work: Work, dispute: DisputeRow, isInTransit = true): void {
  const money = {
    amount: dispute.credited_cents,
    source_type: 'dispute',
    source_id: dispute.id,
    account_id: dispute.account_id,
    linked_account_id: dispute.credit_link_id,
  } as const;
  if (isInTransit) keepInSuspense(work, money);
  else receiveInSuspense(work, { ...money, reason: 'undeliverable' });
}
