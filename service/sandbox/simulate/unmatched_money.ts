import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { RowOf } from '@tenant-payments/engine/table.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { applyBankOutcome, type Order, readOrder } from '../../inbound/bank_facts.ts';
import { instructions } from '../../rails/instructions.ts';
import { loads } from '../../resources/loads/table.ts';
import { withdrawals } from '../../resources/withdrawals/table.ts';
import { type BankVoice, keepSaid } from '../rails/said_by_bank.ts';
import { factOfOrder } from './bank_says.ts';

type Source = 'load' | 'withdrawal';

/** The record's order to the bank; null when it never had one. */
async function readOrderOf(read: Read, source_type: Source, source_id: string) {
  const order = await read.by(instructions, 'source', { source_type, source_id });
  return order && readOrder(read, order.id);
}

/** @throws ApiError invalid_state unless the bank had the order and the record is in `status` */
function reportOutcome(
  work: Work,
  voice: BankVoice,
  row: RowOf<typeof loads> | RowOf<typeof withdrawals>,
  order: Order | null,
  status: 'failed' | 'settled',
  outcome: 'settled' | 'returned',
): void {
  const refuse = (reason?: string) =>
    fail('invalid_state', {
      details: { current_status: row.status, allowed: [status], ...(reason ? { reason } : {}) },
    });
  if (row.status !== status) throw refuse();
  if (!order) throw refuse('never_processing');
  const fact = factOfOrder(order.order, { outcome, amount: row.amount });
  // The fact gives no references.
  const result = applyBankOutcome(work, order, fact);
  if (result === 'known') throw refuse('received_before');
  keepSaid(work, voice, fact, result);
}

/** `load.paid_late`: the bank pays a Request for Payment that had failed, in full. */
export const payLoadLate = (voice: BankVoice) =>
  command('pay_load_late', {
    load: async (read, { id }: { id: string }) => {
      const [load, order] = await Promise.all([read.one(loads, id), readOrderOf(read, 'load', id)]);
      return { load, order };
    },
    decide: (work, { load, order }) => {
      reportOutcome(work, voice, load, order, 'failed', 'settled');
      return { record: load };
    },
  });

/** `withdrawal.returned`: the customer's bank sends all of a settled withdrawal back. */
export const returnWithdrawal = (voice: BankVoice) =>
  command('return_withdrawal', {
    load: async (read, { id }: { id: string }) => {
      const [withdrawal, order] = await Promise.all([
        read.one(withdrawals, id),
        readOrderOf(read, 'withdrawal', id),
      ]);
      return { withdrawal, order };
    },
    decide: (work, { withdrawal, order }) => {
      reportOutcome(work, voice, withdrawal, order, 'settled', 'returned');
      return { record: withdrawal };
    },
  });
