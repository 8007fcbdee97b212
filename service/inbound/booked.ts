import type { BankMessageRow } from '../rails/bank_messages.ts';
import { type InstructionRow, purposeOf } from '../rails/instructions.ts';
import { accountsOfOrder } from '../rails/own_accounts.ts';

/** Whether an order brings money to the account of the customers. */
export const bringsIn = (order: InstructionRow): boolean =>
  accountsOfOrder(order.kind, purposeOf(order)).to === 'fbo';

type Said = Pick<BankMessageRow, 'outcome'>;

/** Whether money came, as the bank says of an order: by it, or since it was sent back. */
export const saysCame = (order: InstructionRow, { outcome }: Said): boolean =>
  outcome === 'returned' || (outcome === 'settled' && bringsIn(order));

/** The message with such an outcome that a reviewer has booked: of one order there is one (rules/bank-orders#28). */
export const bookedOf = (
  messages: readonly BankMessageRow[],
  { outcome }: Said,
): BankMessageRow | undefined =>
  messages.find((message) => message.booked_at !== null && message.outcome === outcome);
