import { command } from '@tenant-payments/engine/command.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { sendCredit } from '../../rails/instructions.ts';
import { bankCounterpart } from '../accounts/counterparts.ts';
import { beginTransaction, pendingTransactions } from '../accounts/pending_transactions.ts';
import { type AccountRow, accounts } from '../accounts/table.ts';
import { scheduleRefundsAndClosing } from '../accounts/waiting_jobs.ts';
import { failureCode } from '../failure_code.ts';
import { withdrawalLimits } from '../limits/daily_limits.ts';
import { givePayoutBack, payoutSums } from '../limits/payouts.ts';
import { hasFailed, type LinkedAccountRow, linkedAccounts } from '../linked_accounts/table.ts';
import { endSession, loadNamed, movedByFlow } from '../sessions/open.ts';
import { type WithdrawalFailure, type WithdrawalRow, withdrawals } from './table.ts';

const daySeconds = 24 * 3600;

/** The counters of the amount, the customer's and the Tenant's; a payout is not counted. */
async function loadCounted(read: Read, withdrawal: WithdrawalRow) {
  const { customer_id, counted_day, counted_in_payouts } = withdrawal;
  const [counter, ofAll] = await Promise.all([
    counted_day === null ? null : withdrawalLimits.loadCounted(read, customer_id, counted_day),
    read.maybe(payoutSums, counted_in_payouts ? counted_day : null),
  ]);
  return { counter, ofAll };
}

/** The rows that every end of an unconfirmed withdrawal reads or changes. */
export async function loadOpenWithdrawal(read: Read, id: string) {
  const withdrawal = await read.one(withdrawals, id);
  const [account, session, counted] = await Promise.all([
    read.one(accounts, withdrawal.account_id),
    loadNamed(read, withdrawal.session_id),
    loadCounted(read, withdrawal),
  ]);
  return { withdrawal, account, session, counted };
}
type OpenWithdrawal = Awaited<ReturnType<typeof loadOpenWithdrawal>>;

type Ending = 'decline' | 'expire' | 'refuse' | 'fail';

/** Fails it: releases what it held and gives the limit back. */
function failWith(
  work: Work,
  { withdrawal, account, counted }: Pick<OpenWithdrawal, 'withdrawal' | 'account' | 'counted'>,
  ending: Ending,
  failure: WithdrawalFailure,
): void {
  work.move(withdrawal, ending, {
    set: { failure_code: failure, held_cents: 0 },
    post: {
      recipe: 'withdrawal_released',
      parties: { holder: withdrawal.account_id },
      amounts: { amount: withdrawal.amount },
    },
  });
  const { amount, counted_day, counted_in_payouts } = withdrawal;
  if (counted_day !== null) withdrawalLimits.giveBack(work, counted.counter, amount);
  if (counted_in_payouts) givePayoutBack(work, counted.ofAll, amount);
  // A rejected payout is tried again 24 hours later (rules/closing#11).
  if (withdrawal.is_payout)
    work.scheduleJob('account_closing', account.id, addSeconds(work.now, daySeconds));
  else scheduleRefundsAndClosing(work, account);
}

/**
 * Ends an unconfirmed withdrawal, and its session with it.
 * @throws ApiError invalid_state when the withdrawal is no longer open
 */
export function endWithdrawal(
  work: Work,
  rows: OpenWithdrawal,
  ending: Exclude<Ending, 'fail'>,
  failure: WithdrawalFailure,
): WithdrawalRow {
  failWith(work, rows, ending, failure);
  endSession(work, rows.withdrawal.session_id, rows.session);
  work.cancelJob('withdrawal_deadline', rows.withdrawal.id);
  return rows.withdrawal;
}

/** The rows of an open withdrawal, and those that a confirmation checks. */
export async function loadConfirmation(read: Read, id: string) {
  const open = await loadOpenWithdrawal(read, id);
  return { ...open, link: await read.one(linkedAccounts, open.withdrawal.linked_account_id) };
}
type Confirmation = Awaited<ReturnType<typeof loadConfirmation>>;

/** Why a confirmation fails the withdrawal; a removed link is no reason (rules/withdrawals#11). */
function confirmationFailure({ account, link }: Confirmation): WithdrawalFailure | null {
  if (account.status !== 'active') return 'account_restricted';
  if (hasFailed(link)) return 'linked_account_failed';
  return null;
}

/** Sends the credit transfer; the Transaction is shown as pending. */
function send(
  work: Work,
  withdrawal: WithdrawalRow,
  link: LinkedAccountRow,
  move: 'confirm' | 'pay_out',
): void {
  const pending = beginTransaction(work, withdrawal, link);
  const confirmed_at = move === 'confirm' ? work.now : null;
  work.move(withdrawal, move, { set: { confirmed_at, transaction_id: pending.id } });
  const order = {
    sourceType: 'withdrawal',
    sourceId: withdrawal.id,
    orderId: withdrawal.bank_order_id,
    linkedAccountId: withdrawal.linked_account_id,
    amount: withdrawal.amount,
  } as const;
  sendCredit(work, order, move === 'pay_out' ? 'closing' : 'withdrawal');
}

/** The payout of a closing account: no session, no minimum, no limit (rules/closing#9). */
export function payOut(
  work: Work,
  account: AccountRow,
  link: LinkedAccountRow,
  amount: number,
  orderId: string,
): void {
  const payout = work.create(
    withdrawals,
    {
      id: work.newId(),
      customer_id: account.customer_id,
      account_id: account.id,
      linked_account_id: link.id,
      amount,
      is_payout: true,
      failure_code: null,
      network_reason_code: null,
      held_cents: amount,
      session_id: null,
      transaction_id: null,
      counted_day: null,
      counted_in_payouts: false,
      bank_order_id: orderId,
      metadata: null,
      created_at: work.now,
      confirmed_at: null,
      settled_at: null,
    },
    'create',
    { post: { recipe: 'withdrawal_held', parties: { holder: account.id }, amounts: { amount } } },
  );
  send(work, payout, link, 'pay_out');
}

/**
 * The customer confirms: the credit transfer is sent. A check that fails ends the withdrawal.
 * @throws ApiError invalid_state when the withdrawal is not open
 */
export function confirmWithdrawal(work: Work, rows: Confirmation): WithdrawalRow {
  const { withdrawal, link } = rows;
  const failure = withdrawal.status === 'requires_confirmation' ? confirmationFailure(rows) : null;
  if (failure) return endWithdrawal(work, movedByFlow(rows), 'refuse', failure);
  send(work, withdrawal, link, 'confirm');
  work.cancelJob('withdrawal_deadline', withdrawal.id);
  return withdrawal;
}

async function loadProcessing(read: Read, id: string) {
  const withdrawal = await read.one(withdrawals, id);
  const [account, link, pending, counted] = await Promise.all([
    read.one(accounts, withdrawal.account_id),
    read.one(linkedAccounts, withdrawal.linked_account_id),
    read.maybe(pendingTransactions, withdrawal.transaction_id),
    loadCounted(read, withdrawal),
  ]);
  return { withdrawal, account, link, pending, counted };
}

/** The bank accepted: the withdrawal is settled. */
export const settleWithdrawal = command('settle_withdrawal', {
  load: (read, { id }: { id: string }) => loadProcessing(read, id),
  decide: (work, { withdrawal, account, link, pending }) => {
    work.move(withdrawal, 'settle', {
      set: { settled_at: work.now, held_cents: 0 },
      post: {
        recipe: 'withdrawal_settled',
        parties: { holder: withdrawal.account_id },
        amounts: { amount: withdrawal.amount },
        counterparts: { holder: bankCounterpart(link) },
        description: null,
        begun: pending ? { holder: pending } : {},
      },
    });
    assert(pending, 'a withdrawal in processing has its pending Transaction');
    work.move(pending, 'settle', { set: { posted_at: work.now } });
    scheduleRefundsAndClosing(work, account);
    return { record: withdrawal };
  },
});

/** The bank rejected: the amount is released and the Transaction reversed. */
export const failWithdrawal = command('fail_withdrawal', {
  load: (read, { id }: { id: string; failure_code: string | null }) => loadProcessing(read, id),
  decide: (work, rows, { failure_code }) => {
    failWith(work, rows, 'fail', failureCode('withdrawal', failure_code));
    assert(rows.pending, 'a withdrawal in processing has its pending Transaction');
    work.move(rows.pending, 'reverse');
    return { record: rows.withdrawal };
  },
});
