import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type RestoreRow, restores } from './table.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @throws ApiError not_found, param id */
export async function loadRestore(read: Read, id: string): Promise<RestoreRow> {
  const found = uuid.test(id) ? await read.maybe(restores, id) : null;
  if (!found) throw fail('not_found', { param: 'id' });
  return found;
}

/** @throws ApiError invalid_state when it has ended */
export function assertUnderWay({ ended_at }: RestoreRow): void {
  if (ended_at !== null)
    throw fail('invalid_state', {
      details: { current_status: 'ended', allowed: ['under_way'] },
      message: `the restore was ended at ${ended_at}`,
    });
}

/** Ends it: within a second each process releases what it holds (rules/restore#15). */
export function endRestore(work: Work, row: RestoreRow, by: string, now: Instant): RestoreRow {
  assertUnderWay(row);
  return work.change<typeof restores>(row, { ended_at: now, ended_by: by });
}

/** The same where one person is enough. */
export const endRestoreAlone = command('end_restore', {
  load: (read, { id }: { id: string; by: string; now: Instant }) => loadRestore(read, id),
  decide: (work, row, { by, now }) => ({
    value: { ended_at: endRestore(work, row, by, now).ended_at },
  }),
});
