import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/**
 * Things that keep other transactions waiting with nobody at it: a transaction that somebody began and left, one that
 * was prepared, and a lock of a connection that does nothing. Each by what tells it from the next of its kind.
 */
const leftOpen = `select format('backend %s idle in the transaction of %s: %s', pid, xact_start,
      left(query, 200)) as what
    from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and state like 'idle in transaction%'
  union all select format('prepared transaction %s', gid)
    from pg_prepared_xacts where database = current_database()
  union all select format('backend %s idle with a lock: %s %s %s of %s: %s', a.pid, l.locktype, l.mode,
      coalesce(l.relation::regclass::text, concat_ws(' ', l.classid, l.objid)), a.state_change,
      left(a.query, 200))
    from pg_stat_activity a join pg_locks l on l.pid = a.pid
    where a.datname = current_database() and a.state = 'idle' and l.granted`;

const lookEveryMs = 100;

/** How long a transaction may be idle; others may be at work in this database. */
const transactionMs = 5_000;
/** The proof of a night keeps its lock while it rests, nine times as long as its step took. */
const lockMs = 60_000;

/**
 * @param patienceMs how long anything may be idle, instead of what each may by its kind
 * @throws with what nobody ends
 */
export async function proveNothingOpen(pool: pg.Pool, patienceMs?: number): Promise<void> {
  const sinceMs = performance.now();
  const mayBeIdle = (what: string) =>
    performance.now() - sinceMs <
    (patienceMs ?? (/ idle with a lock: advisory /.test(what) ? lockMs : transactionMs));
  for (let open: readonly string[] | null = null; ; ) {
    const { rows } = await pool.query<{ what: string }>(leftOpen);
    const found = rows.map(({ what }) => what);
    const still: readonly string[] =
      open === null ? found : open.filter((what) => found.includes(what));
    if (still.length === 0) return;
    if (!still.every(mayBeIdle)) throw new Error(`left open:\n${still.join('\n')}`);
    open = still;
    await sleep(lookEveryMs);
  }
}
