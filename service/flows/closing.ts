import { amounts } from '@tenant-payments/contract/core/numbers.ts';
import type { ClosingWait } from '@tenant-payments/contract/resources/closing.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { balances } from '@tenant-payments/engine/ledger.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { orderIdOfPayout } from '../rails/order_id.ts';
import { bankAccountView } from '../resources/accounts/counterparts.ts';
import { accounts } from '../resources/accounts/table.ts';
import { emptyCredentials, loadCredentials } from '../resources/customers/credentials/empty.ts';
import { endLiveSessions, loadLiveSessions } from '../resources/customers/live_sessions.ts';
import { tellCustomer } from '../resources/customers/messages/tell.ts';
import { freedMobile } from '../resources/customers/mobile_number.ts';
import { type CustomerRow, customers } from '../resources/customers/table.ts';
import { disputes, isUnresolved } from '../resources/disputes/table.ts';
import { scheduleConsentEnd } from '../resources/linked_accounts/consent_end.ts';
import { activeLink, linkedAccounts } from '../resources/linked_accounts/table.ts';
import { loads } from '../resources/loads/table.ts';
import { payments } from '../resources/payments/table.ts';
import { failRefund, fundingNow, loadRefund, unpayableReason } from '../resources/refunds/moves.ts';
import { firstInLine } from '../resources/refunds/queue.ts';
import { refunds } from '../resources/refunds/table.ts';
import { payOut, settleWithdrawal } from '../resources/withdrawals/moves.ts';
import { withdrawals } from '../resources/withdrawals/table.ts';

/**
 * The rows of an account that may be open. Once it is closing each set can only shrink, since every command that adds
 * to one checks the account (rules/closing#7). So `step` needs sets read while closing.
 */
async function loadClosing(read: Read, accountId: string) {
  const account = await read.one(accounts, accountId);
  const [balance, customer, links, credentials, open, payoutId] = await Promise.all([
    read.one(balances, accountId),
    read.one(customers, account.customer_id),
    read.set(linkedAccounts, 'customer_id', account.customer_id),
    loadCredentials(read, account.customer_id),
    loadOpen(read, accountId),
    orderIdOfPayout(read, withdrawals, accountId),
  ]);
  const [claims, sessions] = await Promise.all([
    Promise.all(firstInLine(open.refunds).map(({ id }) => loadRefund(read, id))),
    loadLiveSessions(read, customer),
  ]);
  const wasClosing = account.status === 'closing';
  const rows = { account, wasClosing, balance, customer, links, credentials, open };
  return { ...rows, claims, sessions, payoutId };
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

const endStates = new Set([
  'closed',
  'completed',
  'settled',
  'failed',
  'canceled',
  'partially_refunded',
  'refunded',
]);
const isOpen = (rows: readonly { readonly status: string }[]) =>
  rows.some(({ status }) => !endStates.has(status));

/** The cause that a closing account waits for, and until when where that is known. */
interface Waiting {
  readonly for: ClosingWait;
  readonly until: Instant | null;
}

/** The first thing open that a closing account waits for (rules/closing#6); null: nothing. */
function waitsFor({ account, open }: Closing): ClosingWait | null {
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
 * Refunds that wait for funds fail when nothing is open that could bring or release some
 * (rules/closing#8). The first that the balance can pay is left to the refund queue.
 */
function giveUpClaims(work: Work, { account, open, claims }: Closing): void {
  const waiting = claims.filter(({ refund }) => refund.status === 'pending_funds');
  const refunding = open.refunds.filter(({ status }) => status !== 'pending_funds');
  const rest = [open.outgoing, open.incoming, open.loads, open.withdrawals, refunding];
  if (open.disputesAgainst.some(isUnresolved) || isOpen(open.disputes)) return;
  if (rest.some(isOpen) || account.legal_hold || account.suspension_reasons !== '') return;
  for (const rows of waiting) {
    const failure = unpayableReason(rows);
    if (!failure && fundingNow(rows)) {
      work.scheduleJob('refund_queue', account.id, work.now);
      return;
    }
    failRefund(work, rows, 'give_up', failure ?? 'insufficient_funds');
  }
}

/** Orders the payout, or says what it waits for: never before the hold has passed (rules/closing#9). */
function tryPayout(work: Work, rows: Closing): Waiting {
  const { account, balance, customer, links, payoutId } = rows;
  const link = activeLink(links);
  if (link?.status !== 'verified' || !link.can_withdraw)
    return { for: 'linked_account', until: null };
  const { withdrawal_hold_until: until } = link;
  const bank = bankAccountView(link).display_name;
  if (until !== null) {
    if (account.closing_waits_until !== until)
      tellCustomer(work, customer, 'payout_held', { bank, until });
    return { for: 'withdrawal_hold', until };
  }
  // The step after its settlement pays the next part.
  const amount = Math.min(balance.available, amounts.networkMaximum);
  tellCustomer(work, customer, 'payout_ordered', { amount, bank });
  payOut(work, account, link, amount, payoutId);
  return { for: 'withdrawals', until: null };
}

/** Frees the customer's number (rules/closing#13). */
type Free = (work: Work, customer: CustomerRow) => void;

/** Nothing remains of the account. */
function finish(
  work: Work,
  { account, balance, customer, links, credentials, sessions }: Closing,
  free: Free,
): null {
  work.requireExactBalance(balance);
  work.move(account, 'finish_closing', { set: { closed_at: work.now } });
  work.scheduleJob('account_statement', account.id, work.now);
  const link = activeLink(links);
  if (link) scheduleConsentEnd(work, link);
  endLiveSessions(work, customer, sessions);
  emptyCredentials(work, credentials);
  free(work, customer);
  return null;
}

function tryClose(work: Work, rows: Closing, free: Free): Waiting | null {
  giveUpClaims(work, rows);
  const open = waitsFor(rows);
  if (open !== null) return { for: open, until: null };
  return rows.balance.available > 0 ? tryPayout(work, rows) : finish(work, rows, free);
}

/**
 * One step of a closing: pays the balance out to the verified linked account, or closes the account
 * once nothing remains. Without a linked account it stays closing, and linking stays allowed.
 * @returns what it waits for, as the account's row keeps it; null when the account has closed
 */
function step(work: Work, rows: Closing, free: Free): Waiting | null {
  const waits = tryClose(work, rows, free);
  work.change(rows.account, {
    closing_waits_for: waits?.for ?? null,
    closing_waits_until: waits?.until ?? null,
  });
  return waits;
}

interface Context {
  readonly vault: Vault;
}

const freeing =
  ({ vault }: Context, tenantId: string): Free =>
  (work, customer) =>
    void work.change(customer, freedMobile(vault, tenantId, customer));

/** Job `account_closing`: when the closing begins, and when something it waited for has ended. */
export const closingJob = (context: Context) =>
  command('account_closing', {
    prepare: async (_input: { ref: string }, { tenantId }) => freeing(context, tenantId),
    load: (read, { ref }) => loadClosing(read, ref),
    decide: (work, rows, { ref }, free) => {
      work.cancelJob('account_closing', ref);
      const { account, customer, wasClosing } = rows;
      if (wasClosing && account.status === 'closing') step(work, rows, free);
      // An account that closed before numbers became free again.
      else if (account.status === 'closed') free(work, customer);
      return { value: null };
    },
  });

/**
 * Simulates `account.closed`: a payout in progress settles, and the account closes.
 * @throws ApiError invalid_state {reason}: what it still waits for
 */
export const finishClosing = (context: Context) =>
  command('finish_closing', {
    prepare: async (_input: { id: string }, { tenantId }) => freeing(context, tenantId),
    load: async (read, { id }) => {
      const rows = await loadClosing(read, id);
      const payouts = rows.open.withdrawals.filter(
        ({ is_payout, status }) => is_payout && status === 'processing',
      );
      const settling = payouts.map((payout) => settleWithdrawal.load(read, payout, undefined));
      return { rows, settling: await Promise.all(settling) };
    },
    decide: (work, { rows, settling }, input, free) => {
      const refuse = (waits?: Waiting) =>
        fail('invalid_state', {
          details: {
            current_status: rows.account.status,
            allowed: ['closing'],
            ...(waits ? { reason: waits.for } : {}),
            ...(waits?.until ? { until: waits.until } : {}),
          },
        });
      if (!rows.wasClosing || rows.account.status !== 'closing') throw refuse();
      for (const payout of settling) settleWithdrawal.decide(work, payout, input, undefined);
      const waits = step(work, rows, free);
      if (waits !== null) throw refuse(waits);
      work.cancelJob('account_closing', rows.account.id);
      return { record: rows.account };
    },
  });
