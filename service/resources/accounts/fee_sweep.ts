import { command } from '@tenant-payments/engine/command.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { column, type RowOf, table } from '@tenant-payments/engine/table.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../database.ts';
import { type InstructionRow, moveOwnMoney } from '../../rails/instructions.ts';
import { orderIdOfRecord } from '../../rails/order_id.ts';
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

type Sweep = RowOf<typeof feeSweeps>;

export interface CollectedFees {
  readonly platform_fees: number;
  readonly tenant_fees: number;
}

/** The fee clearing position in cents. Only its sweep lowers it, and one that the bank refuses raises it again. */
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

/** The movement and the bank know a sweep by this. */
const sourceOf = ({ id }: Sweep) => ({ type: 'adjustment', id });
const feesOf = ({ platform_fees, tenant_fees }: Sweep) => ({ platform_fees, tenant_fees });
const amountOf = ({ platform_fees, tenant_fees }: CollectedFees) => platform_fees + tenant_fees;

/** Its order has the id of the day: a restore that has lost the sweep pays it no second time (rules/restore#2). */
function orderSweep(work: Work, sweep: Sweep): void {
  work.post(sourceOf(sweep), {
    recipe: 'fee_sweep_ordered',
    parties: {},
    amounts: feesOf(sweep),
  });
  moveOwnMoney(work, {
    purpose: 'fee_sweep',
    orderId: orderIdOfRecord(work, 'internal_transfer', 'fee_sweep', sweep.day),
    sourceId: sweep.id,
    amount: amountOf(sweep),
  });
}

/** The sweep that an order is of: that of the day on which it was made. */
export async function loadSweep(read: Read, { source_id, created_at }: InstructionRow) {
  const sweep = await read.one(feeSweeps, easternDay(created_at));
  assert(sweep.id === source_id, 'a sweep and its order are of one day');
  return sweep;
}

/** The bank has moved it. */
export const settleSweep = (work: Work, sweep: Sweep): void =>
  work.post(sourceOf(sweep), {
    recipe: 'fee_sweep_settled',
    parties: {},
    amounts: { amount: amountOf(sweep) },
  });

/** The bank refuses it: the fees wait for the next sweep. */
export const undoSweep = (work: Work, sweep: Sweep): void =>
  work.post(sourceOf(sweep), {
    recipe: 'fee_sweep_failed',
    parties: {},
    amounts: feesOf(sweep),
  });

/**
 * Job `fees_sweep`, each day: the transfer of the collected fees to the operating account is ordered; later ones
 * wait for the next day.
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
      if (swept || amountOf(fees) === 0) return { value: null };
      const made = { day, id: work.newId(), ...fees, created_at: work.now };
      orderSweep(work, work.create(feeSweeps, made));
      return { value: null };
    },
  });
