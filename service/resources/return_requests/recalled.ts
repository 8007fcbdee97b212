import { sumOf } from '@tenant-payments/contract/core/money.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { type InstructionRow, instructions } from '../../rails/instructions.ts';
import { type ReturnRequestRow, returnRequests } from './table.ts';

/** A request to give back the money of a load. */
export interface Recall {
  readonly request: ReturnRequestRow;
  /** The order by which it goes back; null: it is not accepted, or was of money in suspense, which is not of the load. */
  readonly back: InstructionRow | null;
}

/** Reads the requests of the order that brought a load. Whoever accepts one changes the order's row. */
export async function readRecalls(
  read: Read,
  { id }: Pick<InstructionRow, 'id'>,
): Promise<readonly Recall[]> {
  const requests = await read.set(returnRequests, 'order_id', id);
  return Promise.all(
    requests.map(async (request) => {
      const key = { source_type: 'adjustment', source_id: request.id } as const;
      return { request, back: await read.by(instructions, 'source', key) };
    }),
  );
}

const accepted = ({ request }: Recall): number => request.accepted_amount ?? 0;

/** The cents that were taken of the load to go back (rules/received-money#7). */
export const recalledCents = (recalls: readonly Recall[]): number =>
  sumOf(
    recalls.filter(({ back }) => back !== null),
    accepted,
  );

/** The cents of them that are where they came from, or on their way: what a bank refused is in suspense. */
export const cameBackCents = (recalls: readonly Recall[]): number =>
  sumOf(
    recalls.filter(({ back }) => back !== null && back.answer !== 'failed'),
    accepted,
  );
