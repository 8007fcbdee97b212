import { openPool } from '@tenant-payments/engine/database/pool.ts';
import { faultFacts } from '@tenant-payments/engine/fault.ts';
import type { Clocks } from '@tenant-payments/engine/time/clock.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type pg from 'pg';
import type { Logger } from 'pino';
import { openServiceLogin } from './service_login.ts';

/** The six files that are sent at a time (rules/reports#23), the proof, and what asks how far it is. */
const poolSize = 8;
const statementTimeoutMs = 10_000;
/** A standby that is further behind tells of another time. */
const mostBehindMs = 60_000;
/** A standby that is away is asked again only after this time, so that not every read waits for it. */
const asksAgainMs = 10_000;

/** The server for reads that decide nothing (rules/operations#84). */
export interface Standby {
  /** @returns null: none is set, or it is away or far behind, which the log says once */
  fit(): Promise<pg.Pool | null>;
  close(): Promise<void>;
}

interface Needs {
  /** `DATABASE_READ_URL`, in the schema of the cell; null or absent: none. */
  readonly url: string | null | undefined;
  readonly clocks: Pick<Clocks, 'realNow'>;
  readonly processRegistry: { readonly id: string };
  readonly log: Pick<Logger, 'warn'>;
}

/** This process has beaten there lately: it is a copy of this database, and not far behind. */
const beaten = 'select from processes where process_id = $1 and seen_at >= $2';

export function openStandby({ url, clocks, processRegistry, log }: Needs): Standby {
  let pool: pg.Pool | null = null;
  let awaySinceMs: number | null = null;
  let askedMs = Number.NEGATIVE_INFINITY;

  /** @returns null: it is far behind, or no copy of this database */
  async function ask(address: string): Promise<pg.Pool | null> {
    pool ??= openPool((await openServiceLogin(address)).url, { max: poolSize, statementTimeoutMs });
    const lately = instantOf(clocks.realNow() - mostBehindMs);
    const { rowCount } = await pool.query(beaten, [processRegistry.id, lately]);
    return rowCount === 1 ? pool : null;
  }

  function tellAway(why: object): void {
    if (awaySinceMs === null)
      log.warn(
        why,
        'DATABASE_READ_URL is not read: proofs and files are read from the database itself',
      );
    awaySinceMs ??= performance.now();
  }

  function tellBack(): void {
    if (awaySinceMs !== null)
      log.warn(
        { away_ms: Math.round(performance.now() - awaySinceMs) },
        'DATABASE_READ_URL is read again',
      );
    awaySinceMs = null;
  }

  return {
    async fit() {
      const isPause = awaySinceMs !== null && performance.now() - askedMs < asksAgainMs;
      if (!url || isPause) return null;
      askedMs = performance.now();
      try {
        const found = await ask(url);
        if (found === null) tellAway({ reason: 'far_behind' });
        else tellBack();
        return found;
      } catch (error) {
        tellAway({ fault: faultFacts(error) });
        return null;
      }
    },
    close: async () => pool?.end(),
  };
}
