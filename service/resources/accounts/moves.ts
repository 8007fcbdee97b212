import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { balances } from '@tenant-payments/engine/ledger.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { displayName, type NameFields } from '../customers/names.ts';
import { customers } from '../customers/table.ts';
import { type AccountRow, accounts, dormantAfterSeconds } from './table.ts';
import { scheduleRefundsAndClosing } from './waiting_jobs.ts';

/**
 * Opens the Digital Account of a customer who is approved for the first time, with empty pockets.
 */
export function openAccount(
  work: Work,
  accountId: string,
  customer: NameFields & { readonly id: string },
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
      closing_waits_for: null,
      closing_waits_until: null,
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

/** Why an account is suspended. It is active again when no reason is left (rules/accounts#4). */
export type SuspensionReason = 'verification' | typeof reviewReason;
const reviewReason = 'review';

const reasonsOf = (account: AccountRow): string[] =>
  account.suspension_reasons.split(' ').filter((reason) => reason !== '');

/** A job ends what waits for the customer; until it has run, a confirmation is refused. */
function moveToSuspended(work: Work, account: AccountRow, reasons: string): void {
  // The job of a dormant account has run; a suspended account needs one again.
  if (account.status === 'dormant')
    work.scheduleJob('dormancy', account.id, addSeconds(work.now, dormantAfterSeconds));
  work.move(account, 'suspend', { set: { suspension_reasons: reasons } });
  work.scheduleJob('account_restricted', account.id, work.now);
}

/** Adds a reason to suspend. An account that is suspended already, or closing, only keeps it. */
export function suspend(work: Work, account: AccountRow, reason: SuspensionReason): void {
  const reasons = reasonsOf(account);
  if (!reasons.includes(reason)) reasons.push(reason);
  if (account.status === 'active' || account.status === 'dormant')
    moveToSuspended(work, account, reasons.join(' '));
  else work.change(account, { suspension_reasons: reasons.join(' ') });
}

/** Removes a reason; without any a suspended account becomes active. */
export function liftSuspension(work: Work, account: AccountRow, reason: SuspensionReason): void {
  const before = reasonsOf(account);
  if (!before.includes(reason)) return;
  const reasons = before.filter((kept) => kept !== reason);
  const set = { suspension_reasons: reasons.join(' ') };
  if (account.status === 'suspended' && reasons.length === 0)
    work.move(account, 'reactivate', { set });
  else work.change(account, set);
  scheduleRefundsAndClosing(work, account);
}

const loadAccount = (read: Read, { id }: { id: string }) => read.one(accounts, id);

/** The reviewer suspends: no new payment, load, withdrawal or refund (rules/accounts#2). */
export const suspendAccount = command('suspend_account', {
  load: loadAccount,
  decide: (work, account) => {
    moveToSuspended(work, account, reviewReason);
    return { record: account };
  },
});

/** Makes a dormant account active, for 365 days at least. */
export function reactivateDormant(work: Work, account: AccountRow): void {
  work.move(account, 'wake');
  work.scheduleJob('dormancy', account.id, addSeconds(work.now, dormantAfterSeconds));
}

/**
 * The reviewer makes an account active again. A closing account stays closing and only loses the
 * reason, which had stopped its payout (rules/accounts#5).
 * @throws ApiError invalid_state unless it is dormant, suspended by a reviewer, or closing after its customer was
 *   rejected
 */
export const reactivateAccount = command('reactivate_account', {
  load: async (read, input: { id: string }) => {
    const account = await loadAccount(read, input);
    return { account, customer: await read.one(customers, account.customer_id) };
  },
  decide: (work, { account, customer }) => {
    const reasons = reasonsOf(account);
    if (account.status === 'dormant') reactivateDormant(work, account);
    else if (reasons.includes(reviewReason)) liftSuspension(work, account, reviewReason);
    else if (reasons.length === 0) work.move(account, 'reactivate');
    // No approval comes any more that would lift it.
    else if (account.status === 'closing' && customer.status === 'rejected')
      liftSuspension(work, account, 'verification');
    else
      throw fail('invalid_state', {
        details: { current_status: account.status, allowed: [], reason: 'verification' },
      });
    return { record: account };
  },
});

/** The customer confirmed no movement for 365 days. */
export const makeDormant = command('make_dormant', {
  load: loadAccount,
  decide: (work, account) => {
    work.cancelJob('dormancy', account.id);
    return { record: work.move(account, 'make_dormant') };
  },
});
