import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import type { RestoreCause } from './table.ts';

/** The timeline on which the database writes, and what it knows of that. */
interface TimelineFacts {
  readonly system_identifier: string;
  readonly timeline: number;
  readonly is_first: boolean;
  readonly is_known: boolean;
  readonly knows_system: boolean;
  readonly has_target: boolean;
}

/** A restore to a point leaves its settings behind, the promotion of a standby has none (rules/restore#6). */
const here = `select (pg_control_system()).system_identifier::text as system_identifier,
  ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer as timeline`;
/** No right to ask, no such function, or a server that only reads. */
const untold = new Set(['42501', '42883', '0A000', '55000']);

/** Whether the server says on which timeline it writes; some that others manage do not (rules/restore#8). */
export async function tellsTimeline(db: Queryable): Promise<boolean> {
  try {
    await db.query(here);
    return true;
  } catch (error) {
    if (untold.has(String((error as { code?: unknown }).code))) return false;
    throw error;
  }
}

const timelineFacts = `select h.system_identifier, h.timeline, not exists (select from database_timelines) as is_first,
    exists (select from database_timelines t where t.system_identifier = h.system_identifier
      and t.timeline = h.timeline) as is_known,
    exists (select from database_timelines t
      where t.system_identifier = h.system_identifier) as knows_system,
    exists (select from pg_settings where setting <> '' and name in ('recovery_target',
      'recovery_target_lsn', 'recovery_target_name', 'recovery_target_time', 'recovery_target_xid')
    ) as has_target
  from (${here}) h`;

const enter = `insert into database_timelines (system_identifier, timeline)
  select system_identifier, timeline from (${here}) h on conflict do nothing`;

/** Notes the timeline on which the database writes now, as one that is known. */
export const enterTimeline = async (db: Queryable): Promise<void> => void (await db.query(enter));

/**
 * The finding of a start: a database that was restored, and why it thinks so; one that goes on elsewhere; nothing new.
 */
export type Finding = Extract<RestoreCause, 'target' | 'system'> | 'moved' | null;

/** Whether the database was restored since a process last ran. A new database's first timeline is entered. */
export async function findRestore(db: Queryable): Promise<Finding> {
  const { rows } = await db.query<TimelineFacts>(timelineFacts);
  const [row] = rows;
  if (!row || row.is_known) return null;
  if (row.is_first) {
    await enterTimeline(db);
    return null;
  }
  if (!row.knows_system) return 'system';
  return row.has_target ? 'target' : 'moved';
}

/** The last beat of this process that the database has acknowledged. */
export interface Witness {
  readonly system_identifier: string;
  readonly timeline: number;
  readonly seen: number;
}

const count = `update database_timelines t set seen = t.seen + 1 from (${here}) h
  where t.system_identifier = h.system_identifier and t.timeline = h.timeline
  returning t.system_identifier, t.timeline, t.seen::float8 as seen`;
const seenThen = `select seen::float8 as seen from database_timelines
  where system_identifier = $1 and timeline = $2`;

/**
 * A beat: counts on. A database that has less than it has acknowledged was restored, or has lost writes in
 * a failover; one that has all of it may go on elsewhere.
 * @param before the last beat; null: this is the first
 */
export async function beat(
  db: Queryable,
  before: Witness | null,
): Promise<{ readonly witness: Witness | null; readonly hasLost: boolean }> {
  let hasLost = false;
  if (before) {
    const { rows } = await db.query<{ seen: number }>(seenThen, [
      before.system_identifier,
      before.timeline,
    ]);
    hasLost = (rows[0]?.seen ?? -1) < before.seen;
    if (!hasLost) await enterTimeline(db);
  }
  const { rows } = await db.query<Witness>(count);
  return { witness: rows[0] ?? null, hasLost };
}
