import { command } from '@tenant-payments/engine/command.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { linkedAccounts } from './table.ts';

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
