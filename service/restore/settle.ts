import { command } from '@tenant-payments/engine/command.ts';
import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type SettledOrderRow, settledOrders } from './table.ts';

/** Orders that the bank has, and that no record will ever be known of, are settled by people (rules/restore#20). */

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The order where it is settled already. @throws ApiError not_found, param id: no order can have this id */
export async function loadSettled(read: Read, id: string): Promise<SettledOrderRow | null> {
  if (!uuid.test(id)) throw fail('not_found', { param: 'id' });
  return (await read.maybe(settledOrders, id)) ?? null;
}

/** @throws ApiError invalid_state {reason: already_settled} */
export function assertUnsettled(row: SettledOrderRow | null): void {
  if (row !== null)
    throw fail('invalid_state', {
      details: { reason: 'already_settled' },
      message: `the order was settled at ${row.settled_at}`,
    });
}

/** Settles it: `restore status` finds it missing no more. */
export const settleOrder = (work: Work, id: string, by: string, now: Instant): SettledOrderRow =>
  work.create(settledOrders, { id, settled_at: now, settled_by: by });

/** The same where one person is enough. */
export const settleOrderAlone = command('settle_order', {
  load: (read, { id }: { id: string; by: string; now: Instant }) => loadSettled(read, id),
  decide: (work, row, { id, by, now }) => {
    assertUnsettled(row);
    return { value: { settled_at: settleOrder(work, id, by, now).settled_at } };
  },
});

/** The orders among these that are settled. */
export async function settledOf(
  control: Queryable,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await control.query<{ id: string }>(
    'select id from control.settled_orders where id = any ($1::uuid[])',
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}
