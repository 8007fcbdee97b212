import type { Clocks } from '@tenant-payments/engine/time/clock.ts';
import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import type pg from 'pg';
import { version } from '../config/version.ts';
import { liveForMs } from './process_registry.ts';

interface Needs {
  readonly pool: Pick<pg.Pool, 'query'>;
  readonly clocks: Pick<Clocks, 'realNow'>;
}

/** Whether a process of another release is alive, as while an upgrade lasts (rules/engine#44). */
export async function isBesideAnother({ pool, clocks }: Needs): Promise<boolean> {
  const { rows } = await pool.query(
    'select process_id from processes where seen_at >= $1 and version is distinct from $2 limit 1',
    [instantOf(clocks.realNow() - liveForMs), version],
  );
  return rows.length > 0;
}
