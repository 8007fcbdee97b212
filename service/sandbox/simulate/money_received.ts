import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import { heldMoney, loadMoney, receiveMoney } from '../../inbound/unordered.ts';
import type { MoneyFact } from '../../rails/facts.ts';
import { instructions } from '../../rails/instructions.ts';
import { customers } from '../../resources/customers/table.ts';
import { loads } from '../../resources/loads/table.ts';
import { payments } from '../../resources/payments/table.ts';
import { type BankVoice, keepSaid } from '../rails/said_by_bank.ts';
import type { ActorInput } from './simulate.ts';

/** Cents of a payment that names no order, where none are given. */
const withoutOrder = 10_00;

interface Named {
  readonly amount: number;
  readonly endToEndId: string | null;
  readonly sender: string | null;
}

/** @throws ApiError invalid_state: the bank has no order of the record */
async function namedBy(read: Read, { kind, id }: ActorInput): Promise<Named> {
  if (kind === 'customer') {
    const { legal_name, given_name, family_name } = await read.one(customers, id);
    const name = legal_name ?? [given_name, family_name].filter(Boolean).join(' ');
    return { amount: withoutOrder, endToEndId: null, sender: name || null };
  }
  const source_type = kind === 'load' ? 'load' : 'payment';
  const order = await read.by(instructions, 'source', { source_type, source_id: id });
  if (order) return { amount: order.amount, endToEndId: order.id, sender: null };
  const { status } = await read.one(source_type === 'load' ? loads : payments, id);
  throw fail('invalid_state', {
    details: { current_status: status, allowed: ['processing'], reason: 'never_processing' },
  });
}

/**
 * `bank.money_received`: money comes to the customers' account. Of a load or a payment by bank it names the order, and
 * what simulate has said of that order was another payment; of a customer it names none.
 */
export const receiveMoneyOf = (voice: BankVoice) =>
  command('receive_money', {
    load: async (read, input: ActorInput) => {
      const { amount, endToEndId, sender } = await namedBy(read, input);
      const id = `sandbox-${crypto.randomUUID()}`;
      const fact: MoneyFact = {
        id,
        money: {
          amount: input.amount ?? amount,
          to: 'fbo',
          sender: sender === null ? null : { name: sender, last4: null },
          remittance: input.remittance ?? null,
          endToEndId,
          paymentId: id,
        },
      };
      const found = await loadMoney(read, heldMoney(fact));
      const payment = found.rows ? { ...found, others: [...found.others, { amount }] } : found;
      return { fact, payment };
    },
    decide: (work, { fact, payment }) => {
      keepSaid(work, voice, fact, receiveMoney(work, payment));
      return { value: null };
    },
  });
