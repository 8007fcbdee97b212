import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { command } from '../../core/command.ts';
import { column, table } from '../../core/table.ts';
import type { Database } from '../database.ts';
import { easternDay, nextDaily } from '../limits/days.ts';

/** When a day's fees leave the clearing position, in Eastern Time (decisions 2.2, fees_swept). */
export const sweptAt = '23:30';

/** One for each day, so that what was summed before a batch is never swept twice. */
export const feeSweeps = table({
  name: 'fee_sweeps',
  key: ['day'],
  frozen: ['id', 'platform_fees', 'tenant_fees', 'created_at'],
  columns: {
    day: column.date,
    id: column.uuid,
    platform_fees: column.cents,
    tenant_fees: column.cents,
    created_at: column.instant,
  },
});

interface Position {
  readonly platform_fees: number;
  readonly tenant_fees: number;
}

/** What stands in the fee clearing position, in cents. It only grows, but for its sweep. */
async function positionOf(db: Kysely<Database>, tenantId: string): Promise<Position> {
  const { rows } = await sql<Position>`
    select coalesce(sum(delta) filter (where pocket = 'fees_platform'), 0)::bigint as platform_fees,
      coalesce(sum(delta) filter (where pocket = 'fees_tenant'), 0)::bigint as tenant_fees
    from entries where tenant_id = ${tenantId} and account_id is null`.execute(db);
  return rows[0] ?? { platform_fees: 0, tenant_fees: 0 };
}

/** Job `fees_sweep`, each day: the fees go to the operating accounts. What comes later waits. */
export const feeSweepJob = ({ db }: { readonly db: Kysely<Database> }) =>
  command('fees_sweep', {
    prepare: (_input: { ref: string }, { tenantId }) => positionOf(db, tenantId),
    load: async (read) => {
      const day = easternDay(await read.now());
      return { day, swept: await read.maybe(feeSweeps, day) };
    },
    decide: (work, { day, swept }, { ref }, position) => {
      work.scheduleJob('fees_sweep', ref, nextDaily(sweptAt, work.now));
      if (swept || position.platform_fees + position.tenant_fees === 0) return { value: null };
      const id = work.newId();
      work.create(feeSweeps, { day, id, ...position, created_at: work.now });
      work.post(
        { type: 'adjustment', id },
        { recipe: 'fees_swept', parties: {}, amounts: { ...position } },
      );
      return { value: null };
    },
  });
