import { command } from '../../core/command.ts';
import { fail } from '../../core/fail.ts';
import { addSeconds } from '../../core/instant.ts';
import { balances } from '../../core/ledger.ts';
import type { Read } from '../../core/reader.ts';
import type { Work } from '../../core/work.ts';
import { displayName, type Named } from '../customers/names.ts';
import { scheduleRefundQueue } from './claims.ts';
import { type AccountRow, accounts, dormantAfterSeconds } from './table.ts';

/** Opens the Digital Account of a customer who is approved for the first time, with empty pockets. */
export function openAccount(
  work: Work,
  accountId: string,
  customer: Named & { readonly id: string },
): AccountRow {
  const account = work.create(
    accounts,
    {
      id: accountId,
      customer_id: customer.id,
      type: customer.type === 'business' ? 'merchant' : 'consumer',
      holder_name: displayName(customer),
      suspension_reasons: '',
      waiting_claims: 0,
      closing_reason: null,
      legal_hold: false,
      opened_at: work.now,
      closed_at: null,
    },
    'open',
  );
  work.create(balances, {
    account_id: accountId,
    available: 0,
    pending_outgoing: 0,
    earmarked: 0,
    entry_count: 0,
  });
  work.scheduleJob('dormancy', accountId, addSeconds(work.now, dormantAfterSeconds));
  return account;
}

/** Who keeps an account suspended. It is active again when none of them does (decisions 1.1). */
export type SuspensionReason = 'verification' | typeof reviewReason;
const reviewReason = 'review';

const reasonsOf = (account: AccountRow): string[] =>
  account.suspension_reasons.split(' ').filter((reason) => reason !== '');

/** Due at once when nothing goes out of an account any more (decisions 1.1, Account, cascade (a)). */
export const restrictedDue = 'account_restricted';

/** What waits for its customer ends within the second; until then its confirmation is refused. */
function enterSuspension(work: Work, account: AccountRow, reasons: string): void {
  // A dormant account waits for no dormancy; once it works again it does.
  if (account.status === 'dormant')
    work.scheduleJob('dormancy', account.id, addSeconds(work.now, dormantAfterSeconds));
  work.move(account, 'suspend', { set: { suspension_reasons: reasons } });
  work.scheduleJob(restrictedDue, account.id, work.now);
}

/** Gives a reason to suspend. An account that is suspended already, or closing, only keeps it. */
export function suspend(work: Work, account: AccountRow, reason: SuspensionReason): void {
  const reasons = reasonsOf(account);
  if (!reasons.includes(reason)) reasons.push(reason);
  if (account.status === 'active' || account.status === 'dormant')
    enterSuspension(work, account, reasons.join(' '));
  else work.change(account, { suspension_reasons: reasons.join(' ') });
}

/** Takes a reason back; the last one makes a suspended account active. */
export function liftSuspension(work: Work, account: AccountRow, reason: SuspensionReason): void {
  const before = reasonsOf(account);
  if (!before.includes(reason)) return;
  const reasons = before.filter((kept) => kept !== reason);
  const set = { suspension_reasons: reasons.join(' ') };
  if (account.status === 'suspended' && reasons.length === 0)
    work.move(account, 'reactivate', { set });
  else work.change(account, set);
  scheduleRefundQueue(work, account);
}

const loadAccount = (read: Read, { id }: { id: string }) => read.one(accounts, id);

/** The reviewer suspends: nothing goes out and nothing new comes in. */
export const suspendAccount = command('suspend_account', {
  load: loadAccount,
  decide: (work, account) => {
    enterSuspension(work, account, reviewReason);
    return { record: account };
  },
});

/** A dormant account works again, for another year at least. */
export function wake(work: Work, account: AccountRow): void {
  work.move(account, 'wake');
  work.scheduleJob('dormancy', account.id, addSeconds(work.now, dormantAfterSeconds));
}

/**
 * The reviewer lets an account work again; one that is closing loses the reason alone, which held its
 * payout (decisions 1.1, Account; 1.9).
 * @throws ApiError invalid_state unless it is dormant, or suspended by a reviewer
 */
export const reactivateAccount = command('reactivate_account', {
  load: loadAccount,
  decide: (work, account) => {
    if (account.status === 'dormant') wake(work, account);
    else if (reasonsOf(account).includes(reviewReason)) liftSuspension(work, account, reviewReason);
    else if (account.status !== 'suspended') work.move(account, 'reactivate');
    else
      throw fail('invalid_state', {
        details: { current_status: account.status, allowed: [], reason: 'verification' },
      });
    return { record: account };
  },
});

/** Its customer confirmed no movement for a year. */
export const makeDormant = command('make_dormant', {
  load: loadAccount,
  decide: (work, account) => {
    work.cancelJob('dormancy', account.id);
    return { record: work.move(account, 'make_dormant') };
  },
});
