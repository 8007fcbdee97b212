import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { type AccountRow, accounts } from './table.ts';
import { scheduleRefundsAndClosing } from './waiting_jobs.ts';

const loadAccount = (read: Read, { id }: { id: string }) => read.one(accounts, id);

const refuse = ({ status }: AccountRow, reason: string) =>
  fail('invalid_state', { details: { current_status: status, allowed: [], reason } });

/**
 * The reviewer stops the payout of an account that closes now or later, and keeps what is stored of its holder; a closed
 * account can be held too. The Tenant sees nothing of it: no event, no field, no version (rules/accounts#19).
 * @throws ApiError invalid_state when it is held already
 */
export const placeLegalHold = command('place_legal_hold', {
  load: loadAccount,
  decide: (work, account) => {
    if (account.legal_hold) throw refuse(account, 'held');
    return { record: work.change(account, { legal_hold: true }) };
  },
});

/**
 * Takes the hold away, so that a closing goes on.
 * @throws ApiError invalid_state when there is none
 */
export const releaseLegalHold = command('release_legal_hold', {
  load: loadAccount,
  decide: (work, account) => {
    if (!account.legal_hold) throw refuse(account, 'no_hold');
    work.change(account, { legal_hold: false });
    scheduleRefundsAndClosing(work, account);
    return { record: account };
  },
});
