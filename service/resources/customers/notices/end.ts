import { command } from '@tenant-payments/engine/command.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import { accounts } from '../../accounts/table.ts';
import { rowNow } from '../../row_now.ts';
import { customers } from '../table.ts';
import { notices } from './table.ts';

const monthSeconds = 30 * 86_400;

/** Job `notice_end`: two years later the words are not kept any more, unless the account is held for a court. */
export const noticeEndJob = command('notice_end', {
  load: async (read, { ref }: { ref: string }) => {
    const notice = await read.one(notices, ref);
    const customer = await read.one(customers, notice.customer_id);
    return { notice, customer, account: await read.maybe(accounts, customer.account_id) };
  },
  decide: (work, { notice, customer, account }, { ref }) => {
    if (rowNow(customer.account_id, account)?.legal_hold)
      work.scheduleJob('notice_end', ref, addSeconds(work.now, monthSeconds));
    else {
      const emptied = { rendered_sealed: null, address_sealed: null, kept_until: null };
      work.change<typeof notices>(notice, emptied);
      work.cancelJob('notice_end', ref);
    }
    return { value: null };
  },
});
