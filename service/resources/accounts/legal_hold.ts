import { command } from '../../core/command.ts';
import { fail } from '../../core/fail.ts';
import type { Read } from '../../core/reader.ts';
import { scheduleRefundQueue } from './claims.ts';
import { type AccountRow, accounts } from './table.ts';

const loadAccount = (read: Read, { id }: { id: string }) => read.one(accounts, id);

const refuse = ({ status }: AccountRow, reason: string) =>
  fail('invalid_state', { details: { current_status: status, allowed: [], reason } });

/**
 * The reviewer has what remains of a closing account, now or later, stay where it is (decisions 1.1,
 * Account). Nobody else sees it.
 * @throws ApiError invalid_state when it is closed, or held already
 */
export const placeLegalHold = command('place_legal_hold', {
  load: loadAccount,
  decide: (work, account) => {
    if (account.status === 'closed') throw refuse(account, 'closed');
    if (account.legal_hold) throw refuse(account, 'held');
    return { record: work.change(account, { legal_hold: true }) };
  },
});

/** Takes the hold away: a closing goes on. @throws ApiError invalid_state when there is none */
export const releaseLegalHold = command('release_legal_hold', {
  load: loadAccount,
  decide: (work, account) => {
    if (!account.legal_hold) throw refuse(account, 'no_hold');
    work.change(account, { legal_hold: false });
    scheduleRefundQueue(work, account);
    return { record: account };
  },
});
