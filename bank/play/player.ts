import type { Bank } from '../bank.ts';
import { accept, fail, giveBack, hasEnded, say, settle } from '../book/acts.ts';
import type { Book, KeptOrder } from '../book/book.ts';
import { Refusal } from '../book/refusal.ts';
import type { Act, Entry, Kind, Refuser } from '../book/types.ts';
import { draw } from './plan.ts';

type Reason = { readonly reason: string; readonly said_by: Refuser };

const ofAccount = (reason: string): Reason => ({ reason, said_by: 'bank' });

/** Why orders fail by themselves. */
const reasons: Readonly<Record<Kind, readonly [Reason, ...Reason[]]>> = {
  request_for_payment: [
    { reason: 'CUST', said_by: 'customer' },
    ofAccount('AM04'),
    ofAccount('AC06'),
    { reason: 'AB09', said_by: 'network' },
  ],
  credit_transfer: [ofAccount('AC04'), ofAccount('AC06'), { reason: 'AB09', said_by: 'network' }],
  internal_transfer: [ofAccount('AB09')],
};

function reasonOf({ behaviour }: Book, { plan, terms }: KeptOrder): Reason {
  const list = reasons[terms.kind];
  const index = Math.floor(draw(behaviour().seed, plan.key, 'reason') * list.length);
  return list[index] ?? list[0];
}

const acts: Readonly<Record<Act, (book: Book, order: KeptOrder) => Entry>> = {
  accept,
  settle,
  pay_other_amount: (book, order) => settle(book, order, order.terms.amount + 1),
  fail: (book, order) => fail(book, order, reasonOf(book, order)),
  return: giveBack,
  say_failed: (book, order) => say(order, 'order.failed', reasonOf(book, order)),
  say_other_amount: (_book, order) =>
    say(order, 'order.settled', { amount: order.terms.amount + 1 }),
};

/** The changes of an act; none where somebody at the door of play was faster. */
function entryOf(act: Act, book: Book, order: KeptOrder): Partial<Entry> {
  try {
    return acts[act](book, order);
  } catch (error) {
    if (error instanceof Refusal) return {};
    throw error;
  }
}

/** Timers of Node know no more than 24 days. */
const longestMs = 24 * 3_600_000;

/** Does what the plans of orders have it do, each at its time, also after a restart. */
export function openPlayer({ book, commit, onKept }: Bank) {
  const timers = new Map<string, NodeJS.Timeout>();
  let isClosed = false;

  function at(name: string, dueMs: number, run: () => Entry | null): void {
    if (isClosed || timers.has(name)) return;
    const leftMs = Math.max(0, dueMs - Date.now());
    const timer = setTimeout(
      () => {
        timers.delete(name);
        if (leftMs > longestMs) return at(name, dueMs, run);
        const entry = run();
        // A disk that refuses ends the program.
        if (entry) commit(entry).catch(() => {});
      },
      Math.min(leftMs, longestMs),
    );
    timers.set(name, timer);
  }

  function armStep({ id, plan, stepsDone, changed_at }: KeptOrder): void {
    const step = plan.steps[stepsDone];
    if (!step) return;
    at(`step ${id}`, Date.parse(changed_at) + step.afterMs, () => {
      const order = book.orders.get(id);
      if (!order) return null;
      return { at: new Date().toISOString(), ...entryOf(step.act, book, order), stepOf: id };
    });
  }

  /** A request that nobody has paid ends at its instant. */
  function armExpiry({ id, terms }: KeptOrder): void {
    if (terms.expires_at === null) return;
    at(`expiry ${id}`, Date.parse(terms.expires_at), () => {
      const order = book.orders.get(id);
      if (!order || hasEnded(order)) return null;
      return fail(book, order, { reason: 'AEXR', said_by: 'network' });
    });
  }

  function arm(order: KeptOrder | undefined): void {
    if (!order) return;
    armStep(order);
    if (!hasEnded(order)) armExpiry(order);
  }

  for (const order of book.orders.values()) arm(order);
  onKept((entry) => arm(book.orders.get(entry.order?.id ?? entry.stepOf ?? '')));
  return {
    close(): void {
      isClosed = true;
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
