import { faultFacts } from '@tenant-payments/engine/fault.ts';
import type { Rails } from '../rails/rails.ts';
import { beginLateJob, type LateJob, lateJobs } from '../resources/linked_accounts/late_jobs.ts';
import type { Service } from '../service.ts';

/** The most links of a Tenant in a night, so that the calls of their jobs spread over as many days. */
const inANight = 10_000;
/** Links in one command. */
const atOnce = 100;

type Needs = Pick<Service, 'pool' | 'engine' | 'log'>;

/** The jobs that records of a Tenant lack since an earlier release, which did not know them, has moved them. */
export interface CatchUp {
  /** Schedules them. Never rejects. */
  run(tenantId: string): Promise<void>;
}

export function openCatchUp(
  { pool, engine, log }: Needs,
  { aggregator }: Pick<Rails, 'aggregator'>,
): CatchUp {
  async function begin(tenantId: string, late: LateJob): Promise<void> {
    const { rows } = await pool.query<{ id: string }>(
      `select l.id from linked_accounts l where l.tenant_id = $1 and ${late.when}
        and not exists (select from jobs j
          where j.tenant_id = l.tenant_id and j.name = '${late.job}' and j.ref = l.id)
        order by l.id limit ${inANight}`,
      [tenantId],
    );
    const ids = rows.map(({ id }) => id);
    for (let from = 0; from < ids.length; from += atOnce) {
      const input = { ids: ids.slice(from, from + atOnce) };
      await engine.submit(beginLateJob(late), { tenantId, input, lane: 'job' });
    }
    if (ids.length > 0)
      log.info(
        { tenant_id: tenantId, job: late.job, records: ids.length },
        'records of an earlier release had no such job, and have it now',
      );
  }

  return {
    async run(tenantId) {
      for (const late of lateJobs(aggregator))
        await begin(tenantId, late).catch((error: unknown) => {
          const facts = { tenant_id: tenantId, job: late.job, fault: faultFacts(error) };
          log.error(facts, 'the jobs that records lack could not be scheduled');
        });
    },
  };
}
