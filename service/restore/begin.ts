import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { epochMs, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type { RestoreCause, RestoreRow } from './table.ts';

const epoch = '2020-01-01T00:00:00.000Z';

/**
 * Versions that are counted after a restore begin above all that were seen before it, of which the database
 * knows nothing: seconds since 2020, while a record changes far less than once a second (rules/restore#13).
 */
export const versionFloorAt = (now: Instant): number =>
  Math.floor((epochMs(now) - epochMs(epoch)) / 1_000);

const columns = 'id, cause, restored_to, version_floor, begun_at, begun_by, ended_at, ended_by';

/** The restore that is under way; null: none. */
export async function openRestoreOf(control: Queryable): Promise<RestoreRow | null> {
  const { rows } = await control.query<RestoreRow>(
    `select ${columns} from control.restores where ended_at is null`,
  );
  return rows[0] ?? null;
}

/** The latest restore, ended or not; null: there was none. */
export async function latestRestoreOf(control: Queryable): Promise<RestoreRow | null> {
  const { rows } = await control.query<RestoreRow>(
    `select ${columns} from control.restores order by begun_at desc limit 1`,
  );
  return rows[0] ?? null;
}

export interface Begun {
  readonly cause: RestoreCause;
  readonly restoredTo: Instant | null;
  readonly by: string;
  readonly now: Instant;
}

/**
 * Begins a restore. One that began by itself is told its point where nobody has said it.
 * @returns the one that is under way, this one or an earlier one
 */
export async function beginRestore(
  control: Queryable,
  { cause, restoredTo, by, now }: Begun,
): Promise<RestoreRow> {
  await control.query(
    `insert into control.restores (id, cause, restored_to, version_floor, begun_at, begun_by)
     values (gen_random_uuid(), $1, $2, $3, $4, $5) on conflict do nothing`,
    [cause, restoredTo, versionFloorAt(now), now, by],
  );
  if (restoredTo !== null)
    await control.query(
      `update control.restores set restored_to = $1, revision = revision + 1
       where ended_at is null and restored_to is null`,
      [restoredTo],
    );
  const begun = await openRestoreOf(control);
  if (!begun) throw new Error('the restore was ended while it began; begin it again');
  return begun;
}
