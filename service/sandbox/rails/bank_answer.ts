import { command } from '@tenant-payments/engine/command.ts';
import { applyBankOutcome, type Order, readOrder } from '../../inbound/bank_facts.ts';
import type { BankOutcome } from '../../rails/facts.ts';
import { purposeOf } from '../../rails/instructions.ts';
import { type BankVoice, keepSaid } from './said_by_bank.ts';
import { bankAnswer, isSimulated } from './test_values.ts';

/** The record still waits; if not, simulate was first and the answer is dropped. */
const waits = ({ order, leg }: Order): boolean =>
  order.status === 'closing' || leg.statuses.settled.from.includes(leg.status());

/** @returns null: it says nothing */
function answerTo({ order }: Order, isAutomatic: boolean): BankOutcome | null {
  if (order.status === 'closing') return { outcome: 'cancelled' };
  const settled: BankOutcome = { outcome: 'settled', amount: order.amount };
  if (isSimulated(purposeOf(order))) return bankAnswer(order.kind, order.amount);
  // Nothing else answers it, in whichever mode.
  return (isAutomatic ? bankAnswer(order.kind, order.amount) : null) ?? settled;
}

/** Job `sandbox_bank_answer`: answer, message and the end of the job are one command (rules/sandbox#16, #51). */
export const bankAnswerJob = (voice: BankVoice) =>
  command('sandbox_bank_answer', {
    load: (read, { ref }: { ref: string }) => readOrder(read, ref),
    decide: (work, rows, { ref }) => {
      const isAutomatic = work.tenant.settings.sandbox_mode === 'automatic';
      const answer = waits(rows) ? answerTo(rows, isAutomatic) : null;
      if (answer) {
        const fact = { id: `${answer.outcome} ${ref}`, orderId: ref, ...answer };
        keepSaid(work, voice, fact, applyBankOutcome(work, rows, answer));
      }
      work.cancelJob('sandbox_bank_answer', ref);
      return { value: null };
    },
  });
