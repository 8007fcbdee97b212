import { type Command, command } from '@tenant-payments/engine/command.ts';
import { type BankFailure, reasonOf } from '../../inbound/reasons.ts';
import type { BankOutcome } from '../../rails/facts.ts';
import { type InstructionRow, instructions } from '../../rails/instructions.ts';
import { type BankVoice, keepSaid } from '../rails/said_by_bank.ts';
import type { ActorInput } from './simulate.ts';

export type BankSource = 'load' | 'payment' | 'withdrawal' | 'refund';
export type Words = (order: InstructionRow, input: ActorInput) => BankOutcome;

export const settledBy: Words = ({ amount }) => ({ outcome: 'settled', amount });
export const failedBy: Words = ({ kind }, { failure_code }) => ({
  outcome: 'failed',
  reason: reasonOf(kind, failure_code as BankFailure),
});

/** The fact of an answer to an order: an order has each answer once. */
export const factOfOrder = ({ id: orderId }: Pick<InstructionRow, 'id'>, answer: BankOutcome) => ({
  id: `${answer.outcome} ${orderId}`,
  orderId,
  ...answer,
});

/** The bank answers an order: the same command, which keeps what the bank says beside it (rules/sandbox#51). */
export const bankSays = <Loaded, Prepared>(
  voice: BankVoice,
  source_type: BankSource,
  actor: Command<ActorInput, Loaded, Prepared>,
  says: Words,
): Command<ActorInput> =>
  command(actor.name, {
    ...(actor.prepare && { prepare: actor.prepare }),
    ...(actor.ahead && { ahead: actor.ahead }),
    load: async (read, input: ActorInput, prepared: Prepared) => {
      const [rows, order] = await Promise.all([
        actor.load(read, input, prepared),
        read.by(instructions, 'source', { source_type, source_id: input.id }),
      ]);
      return { rows, order };
    },
    decide: (work, { rows, order }, input, prepared) => {
      const answer = actor.decide(work, rows, input, prepared);
      if (order) keepSaid(work, voice, factOfOrder(order, says(order, input)), 'taken');
      return answer;
    },
  }) as Command<ActorInput>;
