import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';

/**
 * Advisory lock of migrations, a number used for nothing else: the letters `tpmg`. All cells of a database
 * wait for it, since they share its schema control and its roles.
 */
const lock = 0x74_70_6d_67;

/** Asked for, not waited for: an index that is made concurrently waits for every statement under way. */
const pollMs = 50;

async function polled(client: Client, sql: string): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>(sql, [lock]);
    if (rows[0]?.held) return;
    await sleep(pollMs);
  }
}

/** Runs `work` alone among all processes that migrate this database, in one transaction. */
export async function inLockedTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  return underMigrationLock(client, async () => {
    await client.query('begin');
    try {
      const result = await work();
      await client.query('commit');
      return result;
    } catch (error) {
      // Report the first error, also when the connection is lost.
      await client.query('rollback').catch(() => {});
      throw error;
    }
  });
}

/** Runs `work` alone among all processes that migrate this database, outside of a transaction. */
export async function underMigrationLock<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await polled(client, 'select pg_try_advisory_lock($1) as held');
  try {
    return await work();
  } finally {
    // The lock ends with the session too.
    await client.query('select pg_advisory_unlock($1)', [lock]).catch(() => {});
  }
}

/** A statement did not get its lock on a table in time. */
export class LockWait extends Error {
  readonly table: string | null;
  constructor(table: string | null, cause: unknown) {
    super('no lock in time', { cause });
    this.table = table;
  }
}

/** Not there in time; and where two would have waited for each other. */
const lockCodes: readonly string[] = ['55P03', '40P01'];
const tableOf =
  /^(?:alter table (?:only )?|create (?:unique )?(?:index|trigger) [\s\S]*? on |drop table (?:if exists )?)([\w.]+)/i;

/** @throws LockWait where a lock was not there in time */
export async function sendPatiently(client: Client, statement: string): Promise<void> {
  await client.query(statement).catch((error) => {
    if (!lockCodes.includes(error.code)) throw error;
    throw new LockWait(tableOf.exec(statement)?.[1] ?? null, error);
  });
}

/** Whoever waits for a lock keeps all others from the table that come after it: no longer than this. */
export const lockTimeoutMs = 2_000;
const firstPauseMs = 250;
const longestPauseMs = 10_000;
/** About ten minutes: the longest report takes as long. */
const attempts = 60;

const holderSql = `select a.pid, a.application_name as name,
    extract(epoch from clock_timestamp() - a.xact_start)::integer as seconds
  from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where l.relation = to_regclass($1) and l.granted and l.pid <> pg_backend_pid()
  order by a.xact_start limit 1`;

async function holderOf(client: Client, table: string | null): Promise<string> {
  if (table === null) return 'a lock';
  const { rows } = await client.query<{ pid: number; name: string; seconds: number }>(holderSql, [
    table,
  ]);
  const [row] = rows;
  if (!row) return `the table ${table}`;
  return `the table ${table}, which session ${row.pid} (${row.name}) has used for ${row.seconds} s`;
}

/**
 * Runs the transaction of a migration, again where a statement of it did not get its lock: whoever uses the table
 * goes on meanwhile.
 * @param tell is told what it waits for
 * @throws one line that says so, after about ten minutes
 */
export async function retryingLockWaits<T>(
  client: Client,
  name: string,
  tell: (line: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LockWait)) throw error;
      const line = `Migration ${name} waits for ${await holderOf(client, error.table)}`;
      if (attempt === attempts)
        throw new Error(`${line}; it has not been applied`, { cause: error });
      const pauseMs = Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs);
      tell(`${line}; it tries again in ${pauseMs} ms`);
      await sleep(pauseMs);
    }
}
