import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type LinkedAccountRow, linkedAccounts } from './table.ts';

/** A customer who told the bank that they want no requests gets none from that account (rules/linking#9). */
export function followOptOut(work: Work, failure: string, linkId: string | null): void {
  if (failure === 'customer_opted_out' && linkId !== null)
    work.scheduleJob('request_opt_out', linkId, work.now);
}

/** Job `request_opt_out`: from now on the bank account can be paid, and not be asked. */
export const requestOptOutJob = command('request_opt_out', {
  load: (read, { ref }: { ref: string }) => read.one(linkedAccounts, ref),
  decide: (work, link, { ref }) => {
    if (link.can_load || link.can_pay_by_bank)
      work.change(link, { can_load: false, can_pay_by_bank: false });
    work.cancelJob('request_opt_out', ref);
    return { value: null };
  },
});

/** The bank takes requests for this account, and its customer takes none. */
export const isOptedOut = ({
  status,
  offered_load,
  can_load,
}: Pick<LinkedAccountRow, 'status' | 'offered_load' | 'can_load'>): boolean =>
  status === 'verified' && offered_load && !can_load;

/**
 * The customer has said that they take requests again: the reviewer notes how (rules/linking#9).
 * @throws ApiError invalid_state; {reason: not_opted_out}
 */
export const liftOptOut = command('lift_opt_out', {
  load: (read, { id }: { id: string }) => read.one(linkedAccounts, id),
  decide: (work, link) => {
    if (!isOptedOut(link))
      throw fail('invalid_state', {
        details: { current_status: link.status, allowed: ['verified'], reason: 'not_opted_out' },
      });
    return { record: work.change(link, { can_load: true, can_pay_by_bank: true }) };
  },
});
