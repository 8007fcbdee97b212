import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { type InstructionRow, instructions } from '../../rails/instructions.ts';
import { returnRequests } from './table.ts';

/**
 * The cents that went back of the load that an order brought (rules/received-money#7). A request that was accepted of
 * money in suspense took none of it, and has no order back of its own. Whoever accepts one changes the order's row.
 */
export async function readRecalledCents(
  read: Read,
  { id }: Pick<InstructionRow, 'id'>,
): Promise<number> {
  const requests = await read.set(returnRequests, 'order_id', id);
  const recalled = await Promise.all(
    requests.map(async ({ id: source_id, accepted_amount }) => {
      const key = { source_type: 'adjustment', source_id } as const;
      return (await read.by(instructions, 'source', key)) ? (accepted_amount ?? 0) : 0;
    }),
  );
  return recalled.reduce((sum, cents) => sum + cents, 0);
}
