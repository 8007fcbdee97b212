import type { JobName } from '../../engine/job_names.ts';
import type { TestServer } from './server.ts';

/**
 * Ends what recurs for the first Tenant, but for the jobs that are named: an advance of months would run the
 * others each day.
 */
export async function endCalendar(
  { engine }: Pick<TestServer, 'engine'>,
  ...kept: readonly JobName[]
): Promise<void> {
  await engine.query(
    'delete from jobs where tenant_id = $1 and ref = $1 and name::text <> all($2)',
    kept,
  );
}
