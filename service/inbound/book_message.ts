import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import {
  assertOpenMessage,
  bankMessages,
  bankMessageView,
  closeMessage,
  saysMoved,
} from '../rails/bank_messages.ts';
import { instructions, purposeOf } from '../rails/instructions.ts';
import { accountsOfOrder } from '../rails/own_accounts.ts';
import { bookReceived, bookSent } from '../resources/accounts/after_failure.ts';
import { readOrder } from './bank_facts.ts';

/**
 * The reviewer books what the bank has moved by a transfer after it had said that it failed (rules/bank-orders#27).
 * @throws ApiError invalid_state when it is closed, the same was booked, or the message says no such thing
 */
export const bookBankMessage = command('book_bank_message', {
  load: async (read, { id }: { id: string }) => {
    const message = await read.one(bankMessages, id);
    const { source_type, source_id } = message;
    const [order, others] = await Promise.all([
      read.by(instructions, 'source', { source_type, source_id }),
      read.set(bankMessages, 'source_id', source_id),
    ]);
    return { message, others, rows: order && (await readOrder(read, order.id)) };
  },
  decide: (work, { message, others, rows }) => {
    assertOpenMessage(message);
    const { outcome, amount } = message;
    const refuse = (reason: string) =>
      fail('invalid_state', {
        details: { current_status: message.status, allowed: ['open'], reason },
      });
    if (!saysMoved(message) || amount === null || !rows) throw refuse('nothing_to_book');
    const { order, leg } = rows;
    if (!leg.statuses.failed.known.includes(leg.status())) throw refuse('nothing_to_book');
    if (others.some((other) => other.booked_at !== null && other.outcome === outcome))
      throw refuse('booked_before');
    work.touch(order);
    const { to } = accountsOfOrder(order.kind, purposeOf(order));
    const isIncoming = outcome === 'returned' || to === 'fbo';
    (isIncoming ? bookReceived : bookSent)(work, message, amount);
    work.change(message, { booked_at: work.now });
    closeMessage(work, message);
    return { value: bankMessageView(message) };
  },
});
