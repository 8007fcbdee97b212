import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';

export type BackupEvent = 'made' | 'tried';

/** Notes that a base backup was made, or that one was restored to try it (rules/restore#18). */
export async function noteBackup(
  control: Queryable,
  { what, place, at, by }: { what: BackupEvent; place: string; at: Instant; by: string },
): Promise<void> {
  await control.query(
    `insert into control.backups (id, what, place, at, noted_by)
     values (gen_random_uuid(), $1, $2, $3, $4)`,
    [what, place, at, by],
  );
}

/** A server's state of its backups; times are its own. */
export interface BackupState {
  readonly archive_mode: string;
  /** Seconds after which a started segment is archived; 0: when it is full. */
  readonly archive_timeout: number;
  readonly last_archived_seconds: number | null;
  /** The last attempt has failed. */
  readonly is_failing: boolean;
  readonly made_seconds: number | null;
  readonly tried_seconds: number | null;
}

const ago = (instant: string) => `extract(epoch from clock_timestamp() - ${instant})::float8`;
const newest = (what: BackupEvent) =>
  `(select max(at) from control.backups where what = '${what}')`;

/** @param server whose archive it is; @param control that knows what was noted */
export async function readBackupState(server: Queryable, control: Queryable): Promise<BackupState> {
  const { rows: said } = await server.query<BackupState>(
    `select current_setting('archive_mode') as archive_mode,
       (select setting::integer from pg_settings where name = 'archive_timeout') as archive_timeout,
       ${ago('last_archived_time')} as last_archived_seconds,
       coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as is_failing
     from pg_stat_archiver`,
  );
  const { rows: noted } = await control.query<BackupState>(
    `select ${ago(newest('made'))} as made_seconds, ${ago(newest('tried'))} as tried_seconds`,
  );
  const [archiver, notes] = [said[0], noted[0]];
  if (!archiver || !notes) throw new Error('a server says how it archives');
  return { ...archiver, ...notes };
}

const hour = 3_600;
const day = 24 * hour;
const limits = { archived: hour, made: 8 * day, tried: 100 * day } as const;

const days = (seconds: number): string => `${Math.floor(seconds / day)} days`;

/** The faults of the log's archive: a part that is not archived is lost with the machine. */
function archiveFaults(state: BackupState): string[] {
  const { archive_mode, archive_timeout, last_archived_seconds, is_failing } = state;
  if (archive_mode === 'off')
    return ['archive_mode is off: all since the last base backup would be lost.'];
  const late = Math.max(limits.archived, 2 * archive_timeout);
  return [
    ...(is_failing ? ["The last archive_command failed: see the server's log."] : []),
    ...(archive_timeout === 0
      ? ['archive_timeout is 0: a segment that is not full is not archived. Set 60.']
      : []),
    ...(last_archived_seconds === null
      ? ['Nothing was archived yet.']
      : last_archived_seconds > late
        ? [`Nothing was archived for ${Math.floor(last_archived_seconds / 60)} minutes.`]
        : []),
  ];
}

/**
 * The faults of the backups, a sentence each.
 * @param hasArchive false: the embedded server, whose backups are copies alone
 */
export function backupFaults(state: BackupState, hasArchive: boolean): readonly string[] {
  const { made_seconds: made, tried_seconds: tried } = state;
  return [
    ...(hasArchive ? archiveFaults(state) : []),
    ...(made === null
      ? ['No base backup was noted.']
      : made > limits.made
        ? [`The last base backup is ${days(made)} old.`]
        : []),
    ...(tried === null
      ? ['No backup was ever restored to try it.']
      : tried > limits.tried
        ? [`A backup was last restored to try it ${days(tried)} ago.`]
        : []),
  ];
}
