import { loadLifecycle } from '@tenant-payments/contract/resources/loads.ts';
import type { TargetType } from '@tenant-payments/contract/resources/sessions.ts';
import { assert } from '../core/fail.ts';
import type { Read } from '../core/reader.ts';
import type { Work } from '../core/work.ts';
import { failLoad, settleLoad } from '../resources/loads/moves.ts';
import { type BankOutcome, judge, type Reach, type Verdict } from './facts.ts';
import { instructions } from './instructions.ts';
import { failureOf } from './reasons.ts';

/** A record whose money a bank moves, with what its answer does. */
interface Leg {
  readonly status: () => string;
  /** The states in which the bank's answer is waited for, and those in which it has been given. */
  readonly reach: Readonly<Record<BankOutcome['outcome'], Reach>>;
  readonly settle: (work: Work) => void;
  readonly fail: (work: Work, reason: string) => void;
}

async function load(read: Read, id: string): Promise<Leg> {
  const rows = await settleLoad.load(read, { id }, undefined);
  const { settle, fail } = loadLifecycle.moves;
  return {
    status: () => rows.load.status,
    reach: {
      settled: { from: settle.from, known: ['settled'] },
      failed: { from: fail.from, known: ['failed'] },
    },
    settle: (work) => settleLoad.decide(work, rows, { id }, undefined),
    fail: (work, reason) => {
      const { failure, networkReason } = failureOf('load', reason);
      failLoad.decide(work, rows, { id, failure_code: failure }, undefined);
      work.change(rows.load, { network_reason_code: networkReason });
    },
  };
}

/** What a bank moves money for. Payments by bank, withdrawals and refunds join by a row. */
const legs: Readonly<Partial<Record<TargetType, (read: Read, id: string) => Promise<Leg>>>> = {
  load,
};

/** An order with the record that it was given for. @throws ApiError not_found */
export async function readOrder(read: Read, orderId: string) {
  const order = await read.one(instructions, orderId);
  const readLeg = legs[order.source_type];
  assert(readLeg, `a bank moves money for ${order.source_type}`);
  return { order, leg: await readLeg(read, order.source_id) };
}
export type Order = Awaited<ReturnType<typeof readOrder>>;

/** The bank's answer to an order, as a move of its record (decisions 1.1). */
export function tellOfOrder(work: Work, { order, leg }: Order, told: BankOutcome): Verdict {
  // Funds other than those asked for are not this record's.
  if (told.outcome === 'settled' && told.amount !== order.amount) return 'amount_mismatch';
  const verdict = judge(leg.status(), leg.reach[told.outcome]);
  if (verdict !== 'taken') return verdict;
  if (told.outcome === 'settled') leg.settle(work);
  else leg.fail(work, told.reason);
  return verdict;
}
