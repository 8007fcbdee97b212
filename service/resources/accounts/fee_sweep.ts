import { command } from '@tenant-payments/engine/command.ts';
import { column, table } from '@tenant-payments/engine/table.ts';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../database.ts';
import { easternDay, nextDaily } from '../limits/days.ts';

/** When a day's fees leave the clearing position, in Eastern Time (rules/ledger#10). */
export const feeSweepTime = '23:30';

/** One row for each day, so that a sum that was read before the batch is never swept twice. */
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

export interface CollectedFees {
  readonly platform_fees: number;
  readonly tenant_fees: number;
}

/** The fee clearing position in cents. Only its sweep lowers it. */
export async function readCollectedFees(
  db: Kysely<Database>,
  tenantId: string,
): Promise<CollectedFees> {
  const { rows } = await sql<CollectedFees>`
    select coalesce(sum(delta) filter (where pocket = 'fees_platform'), 0)::bigint as platform_fees,
      coalesce(sum(delta) filter (where pocket = 'fees_tenant'), 0)::bigint as tenant_fees
    from entries where tenant_id = ${tenantId} and account_id is null`.execute(db);
  return rows[0] ?? { platform_fees: 0, tenant_fees: 0 };
}

/**
 * Job `fees_sweep`, each day: the collected fees go to the operating accounts; later ones wait for
 * the next day.
 */
export const feeSweepJob = ({ db }: { readonly db: Kysely<Database> }) =>
  command('fees_sweep', {
    prepare: (_input: { ref: string }, { tenantId }) => readCollectedFees(db, tenantId),
    load: async (read) => {
      const day = easternDay(await read.now());
      return { day, swept: await read.maybe(feeSweeps, day) };
    },
    decide: (work, { day, swept }, { ref }, fees) => {
      work.scheduleJob('fees_sweep', ref, nextDaily(feeSweepTime, work.now));
      if (swept || fees.platform_fees + fees.tenant_fees === 0) return { value: null };
      const id = work.newId();
      work.create(feeSweeps, { day, id, ...fees, created_at: work.now });
      work.post(
        { type: 'adjustment', id },
        { recipe: 'fees_swept', parties: {}, amounts: { ...fees } },
      );
      return { value: null };
    },
  });
