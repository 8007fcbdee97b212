import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { command } from '@tenant-payments/engine/command.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type InstructionRow, moveOwnMoney } from '../../rails/instructions.ts';
import { orderIdOfRecord } from '../../rails/order_id.ts';

const kind = 'internal_transfer';
const purpose = 'reserve_top_up';
const posted = (id: string) => ({ type: 'adjustment', id });

/**
 * Orders money for a Tenant's reserve from the operating account (rules/ledger#28). No record of the Tenant moves,
 * so the movement is a source of its own.
 * @param named what the order's id is derived from; absent: its source
 */
export function orderTopUp(work: Work, amount: number, named?: string): InstructionRow {
  const id = work.newId();
  work.post(posted(id), { recipe: 'top_up_ordered', parties: {}, amounts: { amount } });
  const orderId = orderIdOfRecord(work, kind, purpose, named ?? id);
  return moveOwnMoney(work, { purpose, orderId, sourceId: id, amount });
}

/** The bank has moved it. */
export const settleTopUp = (work: Work, { source_id, amount }: InstructionRow): void =>
  work.post(posted(source_id), { recipe: 'top_up_settled', parties: {}, amounts: { amount } });

/** The bank refuses it: the reserve has it no more. */
export const undoTopUp = (work: Work, { source_id, amount }: InstructionRow): void =>
  work.post(posted(source_id), { recipe: 'top_up_failed', parties: {}, amounts: { amount } });

/** A reviewer orders money for the reserve. */
export const fundReserve = command('fund_reserve', {
  load: async (_read, _input: { readonly amount: number }) => null,
  decide: (work, _loaded, { amount }) => {
    const { source_id } = orderTopUp(work, amount);
    const id = publicId('adjustment', source_id);
    return { value: { id, object: 'reserve_funding', amount, currency: 'USD' } };
  },
});
