import { command } from '../core/command.ts';
import { fail } from '../core/fail.ts';
import { balances } from '../core/ledger.ts';
import type { Read } from '../core/reader.ts';
import type { Work } from '../core/work.ts';
import { closingJobName } from '../resources/accounts/claims.ts';
import { accounts } from '../resources/accounts/table.ts';
import { passkeys } from '../resources/customers/credentials/passkeys.ts';
import { pins } from '../resources/customers/credentials/pins.ts';
import { disputes, isUnresolved } from '../resources/disputes/table.ts';
import { activeLink, linkedAccounts } from '../resources/linked_accounts/table.ts';
import { loads } from '../resources/loads/table.ts';
import { payments } from '../resources/payments/table.ts';
import { failRefund, fundingNow, loadRefund, lost } from '../resources/refunds/moves.ts';
import { byTurn } from '../resources/refunds/queue.ts';
import { refunds } from '../resources/refunds/table.ts';
import { accountStatementDue } from '../resources/statements/single.ts';
import { payOut, settleWithdrawal } from '../resources/withdrawals/moves.ts';
import { withdrawals } from '../resources/withdrawals/table.ts';

/**
 * All that may still be open of an account. Each set can only shrink once the account is closing:
 * who adds to it sees that. So a step goes by sets that were read of an account closing already.
 */
async function loadClosing(read: Read, accountId: string) {
  const account = await read.one(accounts, accountId);
  const [balance, links, pin, keys, open] = await Promise.all([
    read.one(balances, accountId),
    read.set(linkedAccounts, 'customer_id', account.customer_id),
    read.maybe(pins, account.customer_id),
    read.set(passkeys, 'customer_id', account.customer_id),
    loadOpen(read, accountId),
  ]);
  const claims = await Promise.all(open.refunds.map(({ id }) => loadRefund(read, id)));
  const wasClosing = account.status === 'closing';
  return { account, wasClosing, balance, links, pin, keys, open, claims };
}
type Closing = Awaited<ReturnType<typeof loadClosing>>;

async function loadOpen(read: Read, accountId: string) {
  const [outgoing, incoming, loading, withdrawing, refunding, own, against] = await Promise.all([
    read.set(payments, 'payer_account_id', accountId),
    read.set(payments, 'payee_account_id', accountId),
    read.set(loads, 'account_id', accountId),
    read.set(withdrawals, 'account_id', accountId),
    read.set(refunds, 'merchant_account_id', accountId),
    read.set(disputes, 'account_id', accountId),
    read.set(disputes, 'merchant_account_id', accountId),
  ]);
  return {
    outgoing,
    incoming,
    loads: loading,
    withdrawals: withdrawing,
    refunds: refunding,
    disputes: own,
    disputesAgainst: against,
  };
}

const ended = new Set([
  'closed',
  'completed',
  'settled',
  'failed',
  'canceled',
  'partially_refunded',
  'refunded',
]);
const isOpen = (rows: readonly { readonly status: string }[]) =>
  rows.some(({ status }) => !ended.has(status));

/** What a closing account waits for (decisions 1.9), in a word; null: nothing. */
function waitsFor({ account, open }: Closing): string | null {
  if (account.legal_hold) return 'legal_hold';
  if (account.suspension_reasons !== '') return 'suspension';
  if (isOpen(open.outgoing) || isOpen(open.incoming)) return 'payments';
  if (isOpen(open.loads)) return 'loads';
  if (isOpen(open.withdrawals)) return 'withdrawals';
  if (isOpen(open.refunds)) return 'refunds';
  if (isOpen(open.disputes) || open.disputesAgainst.some(isUnresolved)) return 'disputes';
  return null;
}
/**
 * Refunds wait for money. Where nothing is open that could bring or release some, those that what is
 * there does not pay fail, first in first out (decisions 1.1, Refund). One that it pays has its turn.
 */
function giveUpClaims(work: Work, { account, open, claims }: Closing): void {
  const waiting = claims.filter(({ refund }) => refund.status === 'pending_funds').sort(byTurn);
  const refunding = open.refunds.filter(({ status }) => status !== 'pending_funds');
  const rest = [open.outgoing, open.incoming, open.loads, open.withdrawals, refunding];
  if (open.disputesAgainst.some(isUnresolved) || isOpen(open.disputes)) return;
  if (rest.some(isOpen) || account.legal_hold || account.suspension_reasons !== '') return;
  for (const rows of waiting) {
    const gone = lost(rows);
    if (!gone && fundingNow(rows)) {
      work.scheduleJob('refund_queue', account.id, work.now);
      return;
    }
    failRefund(work, rows, 'give_up', gone ?? 'insufficient_funds');
  }
}

/**
 * One step of a closing: what remains is paid out to the verified link; once nothing remains the
 * account is closed. Without a link it stays closing, and linking stays allowed.
 * @returns what it waits for; null when it has closed
 */
function step(work: Work, rows: Closing): string | null {
  const { account, balance, links, pin, keys } = rows;
  giveUpClaims(work, rows);
  const waits = waitsFor(rows);
  if (waits !== null) return waits;
  if (balance.available > 0) {
    const link = activeLink(links);
    if (link?.status !== 'verified' || !link.can_withdraw) return 'linked_account';
    payOut(work, account, link, balance.available);
    return 'withdrawals';
  }
  work.requireExactBalance(balance);
  work.move(account, 'finish_closing', { set: { closed_at: work.now } });
  work.scheduleJob(accountStatementDue, account.id, work.now);
  // PIN and passkeys are kept until closing (decisions 1.12).
  if (pin) work.change(pin, { hash: '' });
  for (const key of keys) work.change(key, { public_key: '' });
  return null;
}

/** Job `account_closing`: at closing, and at every end of something that it waited for. */
export const closingJob = command(closingJobName, {
  load: (read, { ref }: { ref: string }) => loadClosing(read, ref),
  decide: (work, rows, { ref }) => {
    work.cancelJob(closingJobName, ref);
    if (rows.wasClosing && rows.account.status === 'closing') step(work, rows);
    return { value: null };
  },
});

/**
 * What the sandbox plays as `account.closed`: a payout in progress settles, and the account closes.
 * @throws ApiError invalid_state {reason}: what it still waits for
 */
export const finishClosing = command('finish_closing', {
  load: async (read, { id }: { id: string }) => {
    const rows = await loadClosing(read, id);
    const payouts = rows.open.withdrawals.filter(
      ({ is_payout, status }) => is_payout && status === 'processing',
    );
    const settling = payouts.map((payout) => settleWithdrawal.load(read, payout, undefined));
    return { rows, settling: await Promise.all(settling) };
  },
  decide: (work, { rows, settling }, input) => {
    const refuse = (reason?: string) =>
      fail('invalid_state', {
        details: {
          current_status: rows.account.status,
          allowed: ['closing'],
          ...(reason ? { reason } : {}),
        },
      });
    if (!rows.wasClosing || rows.account.status !== 'closing') throw refuse();
    for (const payout of settling) settleWithdrawal.decide(work, payout, input, undefined);
    const waits = step(work, rows);
    if (waits !== null) throw refuse(waits);
    work.cancelJob(closingJobName, rows.account.id);
    return { record: rows.account };
  },
});
