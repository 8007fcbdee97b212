import { command } from '../../core/command.ts';
import { balances } from '../../core/ledger.ts';
import type { Work } from '../../core/work.ts';
import { displayName, type Named } from '../customers/names.ts';
import { type AccountRow, accounts } from './table.ts';

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
  return account;
}

/** Who keeps an account suspended. It is active again when none of them does (decisions 1.1). */
export type SuspensionReason = 'verification' | 'review';

const reasonsOf = (account: AccountRow): string[] =>
  account.suspension_reasons.split(' ').filter((reason) => reason !== '');

/**
 * Gives a reason to suspend. An account that is suspended already, or closing, only keeps it.
 * Payments and loads that wait for their customer are refused at their confirmation.
 */
export function suspend(work: Work, account: AccountRow, reason: SuspensionReason): void {
  const reasons = reasonsOf(account);
  if (!reasons.includes(reason)) reasons.push(reason);
  const set = { suspension_reasons: reasons.join(' ') };
  if (account.status === 'active' || account.status === 'dormant')
    work.move(account, 'suspend', { set });
  else work.change(account, set);
}

/** Takes a reason back; the last one makes a suspended account active. */
export function liftSuspension(work: Work, account: AccountRow, reason: SuspensionReason): void {
  const reasons = reasonsOf(account).filter((kept) => kept !== reason);
  const set = { suspension_reasons: reasons.join(' ') };
  if (account.status === 'suspended' && reasons.length === 0)
    work.move(account, 'reactivate', { set });
  else work.change(account, set);
}

const read = { load: accountOf };

async function accountOf(
  reader: Parameters<Parameters<typeof command>[1]['load']>[0],
  { id }: { id: string },
): Promise<AccountRow> {
  return reader.one(accounts, id);
}
