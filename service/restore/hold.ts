import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import type { ServiceJobName } from '@tenant-payments/engine/job_names.ts';

/**
 * The jobs by which something leaves the service; a thing that a person asks for now, such as a code, is sent
 * (rules/restore#10).
 */
const heldJobs = [
  'instruction',
  'order_hand_over',
  'order_cancel',
  'customer_message',
  'return_answer',
] as const satisfies readonly ServiceJobName[];

/** SQL on `tenants t`: its events may be delivered. */
export const deliversNow = 't.held_at is null';

/** SQL on `tenants t` and a column of a job's name: the job may run. */
export const runsNow = (name: string): string =>
  `(t.held_at is null or ${name} <> all ('{${heldJobs}}'))`;

const openRestore = 'select from control.restores where ended_at is null';

/**
 * Holds the Tenants of this cell, and raises the floor of their versions. The revision is raised too, so that no batch
 * runs across it.
 */
export async function holdTenants(db: Queryable, floor: number): Promise<void> {
  await db.query(
    `update tenants set held_at = coalesce(held_at, now()), revision = revision + 1,
       version_floor = greatest(version_floor, $1),
       version_floors = case when version_floor < $1 then version_floors || $1::integer
         else version_floors end
     where (held_at is null or version_floor < $1) and exists (${openRestore})`,
    [floor],
  );
}

/** Releases them, unless a restore is under way when it commits. */
export async function releaseTenants(db: Queryable): Promise<void> {
  await db.query(
    `update tenants set held_at = null, revision = revision + 1
     where held_at is not null and not exists (${openRestore})`,
  );
}
