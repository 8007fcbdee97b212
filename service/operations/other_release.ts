import { instantOf } from '@tenant-payments/engine/time/instant.ts';
import { version } from '../config/version.ts';
import type { Service } from '../service.ts';
import { liveForMs } from './process_registry.ts';

/** Whether a process of another release is alive, as while an upgrade lasts (rules/engine#44). */
export async function isBesideAnother({
  pool,
  clocks,
}: Pick<Service, 'pool' | 'clocks'>): Promise<boolean> {
  const { rows } = await pool.query(
    'select process_id from processes where seen_at >= $1 and version is distinct from $2 limit 1',
    [instantOf(clocks.realNow() - liveForMs), version],
  );
  return rows.length > 0;
}
