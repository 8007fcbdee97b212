import { command } from '@tenant-payments/engine/command.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { column, type RowOf, table } from '@tenant-payments/engine/table.ts';
import { earlier, type Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../database.ts';
import { type InstructionRow, moveOwnMoney } from '../../rails/instructions.ts';
import { orderIdOfRecord } from '../../rails/order_id.ts';
import { easternDay, lastDaily, nextDaily } from '../limits/days.ts';

/** When a day's fees leave the clearing position, in Eastern Time (rules/ledger#10). */
export const feeSweepTime = '23:30';

/** One row for each day, so that a sum that was read before the batch is never swept twice. */
export const feeSweeps = table({
  name: 'fee_sweeps',
  key: ['day'],
  sets: ['id'],
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

/** The fees that wait, with the time that their sweep is due at; null: none is planned. */
export interface WaitingFees extends CollectedFees {
  readonly next_sweep_at: Instant | null;
}

/**
 * The fee clearing position in cents, and when it is swept, as of one moment. Only its sweep lowers it, and one that
 * the bank refuses raises it again.
 */
export async function readWaitingFees(
  db: Kysely<Database>,
  tenantId: string,
): Promise<WaitingFees> {
  const { rows } = await sql<WaitingFees>`
    select coalesce(sum(delta) filter (where pocket = 'fees_platform'), 0)::bigint as platform_fees,
      coalesce(sum(delta) filter (where pocket = 'fees_tenant'), 0)::bigint as tenant_fees,
      (select due_at from jobs where tenant_id = ${tenantId} and name = 'fees_sweep') as next_sweep_at
    from entries where tenant_id = ${tenantId} and account_id is null`.execute(db);
  const [fees] = rows;
  assert(fees, 'a sum is one row');
  return fees;
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

/** The sweep that an order is of. */
export async function loadSweep(read: Read, { source_id }: InstructionRow) {
  const [sweep] = await read.set(feeSweeps, 'id', source_id);
  assert(sweep, 'an order of a sweep has its sweep');
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
 * wait for the next day. However late it runs, its day is that of the 23:30 that it is due at: a day that the bank
 * has swept before a restore is the same order again (rules/restore#2). Days that were missed follow in turn.
 */
export const feeSweepJob = ({ db }: { readonly db: Kysely<Database> }) =>
  command('fees_sweep', {
    prepare: (_input: { ref: string }, { tenantId }) => readWaitingFees(db, tenantId),
    load: async (read, _input, { next_sweep_at }) => {
      const last = lastDaily(feeSweepTime, await read.now());
      // Another process may have swept this one, and planned the next.
      const due = earlier(next_sweep_at ?? last, last);
      const day = easternDay(due);
      return { due, day, swept: await read.maybe(feeSweeps, day) };
    },
    decide: (work, { due, day, swept }, { ref }, { platform_fees, tenant_fees }) => {
      work.scheduleJob('fees_sweep', ref, nextDaily(feeSweepTime, due));
      const fees = { platform_fees, tenant_fees };
      if (swept || amountOf(fees) === 0) return { value: null };
      const made = { day, id: work.newId(), ...fees, created_at: work.now };
      orderSweep(work, work.create(feeSweeps, made));
      return { value: null };
    },
  });
