import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { command } from '@tenant-payments/engine/command.ts';

/** What the sandbox puts into a new tenant's reserve, and restores each day (rules/sandbox#21). */
export const sandboxReserveCents = 10_000_00;

/**
 * Puts the platform's money into a Tenant's reserve (rules/ledger#11). No record of the Tenant
 * moves, so the movement is a source of its own.
 */
export const fundReserve = command('fund_reserve', {
  load: async (_read, _input: { readonly amount: number }) => null,
  decide: (work, _loaded, { amount }) => {
    const id = work.newId();
    work.post(
      { type: 'adjustment', id },
      { recipe: 'reserve_funded', parties: {}, amounts: { amount } },
    );
    return {
      value: { id: publicId('adjustment', id), object: 'reserve_funding', amount, currency: 'USD' },
    };
  },
});
