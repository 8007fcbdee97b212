import { linkedAccountLifecycle } from '@tenant-payments/contract/resources/linked_accounts.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { assertStatus } from '../assert_status.ts';
import { type LinkedAccountRow, linkedAccounts } from './table.ts';

/** Signing in at the bank again: money moves all the same, the aggregator reads nothing meanwhile (rules/linking#32). */

interface Input {
  readonly id: string;
}

const loadLink = (read: Read, { id }: Input) => read.one(linkedAccounts, id);

const refuse = ({ status }: LinkedAccountRow, reason: string) =>
  fail('invalid_state', { details: { current_status: status, allowed: ['verified'], reason } });

/** @throws ApiError invalid_state; {reason: needs_login} where it is known already */
export const needLogin = command('need_login', {
  load: loadLink,
  decide: (work, link) => {
    assertStatus(linkedAccountLifecycle, link.status, ['need_login']);
    if (link.needs_login_at !== null) throw refuse(link, 'needs_login');
    return { record: work.move(link, 'need_login', { set: { needs_login_at: work.now } }) };
  },
});

/** @throws ApiError invalid_state; {reason: no_login_needed} */
export const restoreLogin = command('restore_login', {
  load: loadLink,
  decide: (work, link) => {
    assertStatus(linkedAccountLifecycle, link.status, ['restore_login']);
    if (link.needs_login_at === null) throw refuse(link, 'no_login_needed');
    const set = { needs_login_at: null, login_restored_at: work.now };
    return { record: work.move(link, 'restore_login', { set }) };
  },
});
