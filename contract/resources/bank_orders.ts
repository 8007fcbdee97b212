import { lifecycle } from '../core/lifecycle.ts';

/**
 * An order to the bank (rules/bank-orders#12). `unclear`: a hand-over got no clear answer. `sent`: the bank has it, and its
 * record says how it ended. `closing`: its record has ended here, and the bank has not said its last word.
 */
export const bankOrderLifecycle = lifecycle(
  'bank_order',
  ['waiting', 'unclear', 'sent', 'withdrawn', 'closing', 'closed'],
  {
    order: { from: 'new', to: 'waiting', by: 'service', event: null },
    miss: { from: ['waiting'], to: 'unclear', by: 'service', event: null },
    hand_over: {
      from: ['waiting', 'unclear'],
      to: 'sent',
      by: ['service', 'bank'],
      event: null,
    },
    withdraw: { from: ['waiting'], to: 'withdrawn', by: 'service', event: null },
    // A withdrawn order was being handed over meanwhile.
    close: { from: ['unclear', 'sent', 'withdrawn'], to: 'closing', by: 'service', event: null },
    end: { from: ['sent', 'closing'], to: 'closed', by: 'bank', event: null },
  },
);

/** Words of the bank that move no record, in the order in which they follow each other. */
export const waitingWords = ['pending_review', 'sent', 'accepted', 'settled_pending'] as const;
export type WaitingWord = (typeof waitingWords)[number];

/**
 * The bank's word on an order, as its row keeps the last one. Of a record that settled at once it keeps none; of one that
 * money settled which came back, `returned`, until the bank says what it had sent.
 */
export const bankWords = [...waitingWords, 'settled', 'failed', 'cancelled', 'returned'] as const;

/** Whether the bank was asked to cancel an order whose record has ended; `cannot`: its bank takes no such call. */
export const cancellations = ['wanted', 'asked', 'cannot'] as const;
