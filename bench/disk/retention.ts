import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import type pg from 'pg';
import { pino } from 'pino';
import { openPool } from '../../engine/database/pool.ts';
import { openClocks } from '../../engine/time/clock.ts';
import { instantOf } from '../../engine/time/instant.ts';
import { type ServiceDatabase, urlOf } from '../../service/db/embedded_running.ts';
import { sweepRows } from '../../service/http/log/request_rows.ts';
import { openSweep } from '../../service/jobs/sweep.ts';

const dayMs = 24 * 3_600_000;
const redactedAtOnce = 5_000;
const deadlineMs = 600_000;

/** The smallest id of an event at this moment. */
const firstId = `rpad(lpad(to_hex($1::bigint), 12, '0'), 32, '0')::uuid`;

/** Removes the texts of events and their attempts as the daily job does (rules/retention#12). */
async function redact(pool: pg.Pool, beforeMs: number): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ count: number }>(
      `select coalesce(sum(redact_events(tenant_id, ${firstId}, $2)), 0)::int as count from tenants`,
      [beforeMs, redactedAtOnce],
    );
    if (rows[0]?.count === 0) return;
  }
}

/** Removes what the service itself removes in the next `days`, with its own statements. */
export async function passDays(database: ServiceDatabase, days: number): Promise<void> {
  const pool = openPool(urlOf(database, 'postgres'), { max: 2, statementTimeoutMs: deadlineMs });
  const atMs = Date.now() + days * dayMs;
  const clocks = openClocks(() => atMs);
  try {
    while (await sweepRows(pool, instantOf(atMs - lifetimes.requestLog * 1_000)));
    await openSweep({ pool, control: pool, clocks, log: pino({ level: 'silent' }) }).sweepNow();
    await redact(pool, atMs - lifetimes.eventText * 1_000);
  } finally {
    await pool.end();
  }
}
