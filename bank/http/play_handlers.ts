import type { Bank } from '../bank.ts';
import {
  accept,
  askBack,
  fail,
  giveBack,
  hasEnded,
  orderOf,
  payAgain,
  payIn,
  review,
  settle,
  settlePending,
} from '../book/acts.ts';
import type { Book, KeptOrder } from '../book/book.ts';
import type { BankEvent, Behaviour, Entry } from '../book/types.ts';
import { shownOrder } from './bank_handlers.ts';
import type { Handlers } from './serve.ts';

type Said = Partial<Pick<BankEvent, 'reason' | 'said_by' | 'text'>> & { amount?: number };

const acts = {
  review,
  accept,
  'settle-pending': settlePending,
  settle: (book, order, { amount }) => settle(book, order, amount),
  fail: (book, order, said) => fail(book, order, said),
  return: (book, order, { amount, reason }) => giveBack(book, order, amount, reason ?? undefined),
  'pay-again': (book, order, { amount }) => payAgain(book, order, amount),
  'ask-back': (book, order, { amount, ...said }) => askBack(book, order, amount, said),
} as const satisfies Record<string, (book: Book, order: KeptOrder, said: Said) => Entry>;

/** The acts on an order that will happen by themselves. */
const actsLeft = ({ plan, stepsDone }: KeptOrder) =>
  plan.steps.slice(stepsDone).map(({ act }) => act);

/** The operations that move the bank by hand. @param start how it behaves where nobody says otherwise */
export function playHandlers({ book, commit }: Bank, start: Behaviour): Handlers {
  return {
    listWaitingOrders: () => {
      const waiting = [...book.orders.values()].filter(
        (order) => !hasEnded(order) || actsLeft(order).length > 0,
      );
      return {
        body: {
          data: waiting.map((order) => ({ order: shownOrder(order), will: actsLeft(order) })),
        },
      };
    },
    playOrder: async ({ params: { id = '', act = '' }, body }) => {
      const entry = acts[act as keyof typeof acts]?.(book, orderOf(book, id), body as Said);
      if (entry) await commit(entry);
      return { body: entry?.event };
    },
    payIn: async ({ body }) => {
      const entry = payIn(body as Parameters<typeof payIn>[0]);
      await commit(entry);
      return { body: entry.event };
    },
    getBehaviour: () => ({ body: book.behaviour() }),
    putBehaviour: async ({ body }) => {
      const behaviour = { ...start, ...(body as Partial<Behaviour>) };
      await commit({ at: new Date().toISOString(), behaviour });
      return { body: behaviour };
    },
  };
}
