import type { Work } from '@tenant-payments/engine/work.ts';
import type { BankMessageRow } from '../../rails/bank_messages.ts';

const source = ({ id }: BankMessageRow) => ({ type: 'adjustment', id });

/**
 * A transfer was executed after it had failed here, or beyond its amount: whose money it was has it twice, and the
 * reserve bears it until a person takes it back (rules/bank-orders#27).
 */
export const bookSent = (work: Work, message: BankMessageRow, amount: number): void =>
  work.post(source(message), { recipe: 'sent_after_failure', parties: {}, amounts: { amount } });

/** Money for the reserve came after it had failed here, such a transfer was sent back, or one fell short. */
export const bookReceived = (work: Work, message: BankMessageRow, amount: number): void =>
  work.post(source(message), {
    recipe: 'received_after_failure',
    parties: {},
    amounts: { amount },
  });
