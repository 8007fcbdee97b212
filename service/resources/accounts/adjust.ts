import { command } from '@tenant-payments/engine/command.ts';
import { assert, fail } from '@tenant-payments/engine/fail.ts';
import { balances } from '@tenant-payments/engine/ledger.ts';
import { accounts } from './table.ts';
import { scheduleRefundsAndClosing } from './waiting_jobs.ts';

interface Input {
  readonly id: string;
  /** Cents: above zero the reserve pays the account, below zero the account pays the reserve. */
  readonly amount: number | null;
}

/**
 * The reviewer corrects an account's balance from the platform's reserve, which may fall below
 * zero, or to it (rules/review#7).
 * @throws ApiError invalid_state when it is closed; insufficient_funds {available, required}: more
 *   would be taken back than is available
 */
export const adjustAccount = command('adjust_account', {
  load: async (read, { id }: Input) => {
    const [account, balance] = await Promise.all([read.one(accounts, id), read.one(balances, id)]);
    return { account, balance };
  },
  decide: (work, { account, balance }, { amount }) => {
    assert(amount !== null && amount !== 0, 'an adjustment has an amount');
    if (account.status === 'closed')
      throw fail('invalid_state', {
        details: {
          current_status: account.status,
          allowed: ['active', 'suspended', 'dormant', 'closing'],
        },
      });
    const { available } = balance;
    if (available + amount < 0)
      throw fail('insufficient_funds', {
        param: 'amount',
        details: { available, required: -amount },
      });
    const posting = {
      parties: { holder: account.id },
      amounts: { amount: Math.abs(amount) },
      counterparts: { holder: null },
      description: null,
    };
    const source = { type: 'adjustment', id: work.newId() };
    if (amount > 0) work.post(source, { recipe: 'adjusted', ...posting });
    else work.post(source, { recipe: 'adjusted_back', ...posting });
    scheduleRefundsAndClosing(work, account);
    return { record: account };
  },
});
