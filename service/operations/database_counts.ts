import type { TLSSocket } from 'node:tls';
import type { Clocks } from '@tenant-payments/engine/time/clock.ts';
import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { openBelieved } from './believed.ts';

/** The age of a value that changes slowly: it is read once a minute. */
const goodMs = 60_000;

interface Proven {
  readonly value: number | null;
  /** The first Tenant's beginning. */
  readonly begun: Instant | null;
}

interface Named {
  readonly name: string;
  readonly value: number;
}

/** Counts in the database, beside the ages of what waits. */
export interface DatabaseCounts {
  /** Jobs that are due, and how late the first of them is, by name. */
  readonly jobs: readonly { readonly name: string; readonly due: number; readonly late: number }[];
  /** Seconds since the Tenant's ledger was proven, or begun, that was proven longest ago; null: there is no Tenant. */
  readonly proof: number | null;
  /** The same of the chains of the audit. */
  readonly auditProof: number | null;
  /** Seconds since a backup was made, tried, and a part of the log was archived; of what never was, since the first Tenant. */
  readonly backups: readonly Named[];
  readonly alarms: readonly Named[];
  /** Seconds since the newest key of each ring was first used. */
  readonly keys: readonly Named[];
  /** Seconds for which the database's certificate is still good; null: it is reached without TLS. */
  readonly certificate: number | null;
}

/** Due jobs by name, of those that are due first: the index gives them in their order. */
const jobs = `select name, count(*)::float8 as due,
    extract(epoch from $1::timestamptz - min(wake_at))::float8 as late
  from (select name, wake_at from jobs where wake_at <= $1 order by wake_at limit 5000) j
  group by name order by name`;

const proof = `select min(t.created_at) as begun,
    extract(epoch from $1::timestamptz - min(coalesce(last.at, t.created_at)))::float8 as value
  from tenants t left join lateral (select p.at from ledger_proofs p
    where p.tenant_id = t.tenant_id order by p.at desc limit 1) last on true`;

const auditProof = `select extract(epoch from $1::timestamptz - min(coalesce(p.at, a.at)))::float8 as value
  from control.audit_heads h left join control.audit_proofs p on p.scope = h.scope
    left join control.audit a on p.scope is null and a.scope = h.scope and a.number = 1`;

const backups = `select name, extract(epoch from $1::timestamptz - coalesce(last, $2))::float8 as value
  from (select what as name, max(b.at) as last
      from unnest(array['made', 'tried']) what left join control.backups b using (what) group by what
    union all
    select 'archived', last_archived_time from pg_stat_archiver
      where $3 or last_archived_time is not null) found
  where coalesce(last, $2) is not null`;

const alarms = `select alarm as name, count(*)::float8 as value from (
    select alarm from control.alarms where acknowledged_at is null limit 10000) a
  group by alarm order by alarm`;

const keys = `select name, extract(epoch from $1::timestamptz - max(noted_at))::float8 as value
  from database_identity where key_id <> '' group by name order by name`;

interface Needs {
  readonly pool: pg.Pool;
  /** The pool of the database of control; often the same. */
  readonly control: pg.Pool;
  readonly clocks: Pick<Clocks, 'realNow'>;
  readonly config: Pick<Config, 'databaseUrl'>;
}

/** The end of the certificate that a connection of the pool has been shown. */
async function certificateOf(pool: pg.Pool, nowMs: number): Promise<number | null> {
  const client = await pool.connect();
  try {
    const { stream } = (client as unknown as { connection: { stream: TLSSocket } }).connection;
    if (!stream.encrypted) return null;
    return (Date.parse(stream.getPeerCertificate().valid_to) - nowMs) / 1_000;
  } finally {
    client.release();
  }
}

/** Reads it; null when the database does not answer. */
export function openDatabaseCounts({
  pool,
  control,
  clocks,
  config,
}: Needs): () => Promise<DatabaseCounts | null> {
  return openBelieved(async () => {
    const nowMs = clocks.realNow();
    const values = [instantOf(nowMs)];
    const named = async (from: pg.Pool, text: string, given: unknown[]) =>
      (await from.query<Named>(text, given)).rows;
    const proven = await pool.query<Proven>(proof, values);
    const { value = null, begun = null } = proven.rows[0] ?? {};
    // The embedded server has no archive.
    const ofBackups = [...values, begun, config.databaseUrl !== null];
    const [due, audited, made, open, rings, certificate] = await Promise.all([
      pool.query<DatabaseCounts['jobs'][number]>(jobs, values),
      control.query<Pick<Proven, 'value'>>(auditProof, values),
      named(control, backups, ofBackups),
      named(control, alarms, []),
      named(pool, keys, values),
      certificateOf(pool, nowMs),
    ]);
    return {
      jobs: due.rows,
      proof: value,
      auditProof: audited.rows[0]?.value ?? null,
      backups: made,
      alarms: open,
      keys: rings,
      certificate,
    };
  }, goodMs);
}
