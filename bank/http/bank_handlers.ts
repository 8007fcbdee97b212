import type { Bank } from '../bank.ts';
import { answerRequest, cancel, knownOrder, orderOf, take } from '../book/acts.ts';
import { type KeptOrder, ownAccount } from '../book/book.ts';
import { Refusal } from '../book/refusal.ts';
import type { Order, ReturnAnswer, Role, Terms } from '../book/types.ts';
import { planOf } from '../play/plan.ts';
import { banks, isRoutingNumber } from './routing_numbers.ts';
import type { Answer, Asked, Handlers } from './serve.ts';

/** An order as it is shown. */
export const shownOrder = ({
  id,
  provider_id,
  taken_at,
  status,
  outcome,
  terms,
}: KeptOrder): Order => ({
  id,
  provider_id,
  taken_at,
  status,
  outcome,
  terms,
});

interface Paged {
  readonly after?: string;
  readonly limit: number;
  readonly since?: string;
}

/** Rows from a cursor on, which is the number of the rows before it. */
function pageOf<Row>(rows: readonly Row[], { after, limit }: Paged, first = 0) {
  const from = after === undefined ? first : Number(after);
  const data = rows.slice(from, from + limit);
  return { data, next: String(Math.min(from, rows.length) + data.length) };
}

function listOrders({ book }: Bank, paged: Paged): Answer {
  const since = Date.parse(paged.since ?? '1970-01-01');
  const rows = [...book.orders.values()].filter(
    ({ taken_at, outcome }) => Date.parse(outcome?.at ?? taken_at) >= since,
  );
  const { data, next } = pageOf(rows, paged);
  const isLast = Number(next) >= rows.length;
  return { body: { data: data.map(shownOrder), next: isLast ? null : next } };
}

function listEvents({ book }: Bank, paged: Paged): Answer {
  const since = Date.parse(paged.since ?? '1970-01-01');
  const found = book.events.findIndex(({ at }) => Date.parse(at) >= since);
  return { body: pageOf(book.events, paged, found < 0 ? book.events.length : found) };
}

/** Takes an order once; its plan says whether this call is told so. */
function openTaking({ book, commit }: Bank) {
  /** Orders that met an error: the next try is taken. */
  const refused = new Set<string>();
  return async ({ params: { id = '' }, body }: Asked): Promise<Answer> => {
    const terms = body as Terms;
    const known = knownOrder(book, id, terms);
    if (known) return { body: shownOrder(known) };
    const plan = planOf(terms, book.count(terms), book.behaviour());
    if (plan.reply === 'error' && !refused.has(id)) {
      refused.add(id);
      throw new Refusal('unavailable', 'an error of the bank; the order is not taken');
    }
    await commit(take(id, terms, plan));
    if (plan.reply === 'hang') return 'hang';
    return { status: 201, body: shownOrder(orderOf(book, id)) };
  };
}

/** The operations that the bank offers to clients it knows. */
export function bankHandlers(bank: Bank): Handlers {
  const { book, commit } = bank;
  const accountOf = ({ params, query }: Asked): string =>
    ownAccount(query.tenant as string, params.role as Role);
  return {
    putOrder: openTaking(bank),
    getOrder: ({ params: { id = '' } }) => ({ body: shownOrder(orderOf(book, id)) }),
    cancelOrder: async ({ params: { id = '' } }) => {
      const entry = cancel(orderOf(book, id));
      if (entry) await commit(entry);
      return { body: shownOrder(orderOf(book, id)) };
    },
    listOrders: ({ query }) => listOrders(bank, query as unknown as Paged),
    listEvents: ({ query }) => listEvents(bank, query as unknown as Paged),
    getBalance: (asked) => ({
      body: {
        role: asked.params.role,
        tenant: asked.query.tenant,
        at: new Date().toISOString(),
        balance: book.balance(accountOf(asked)),
      },
    }),
    listLines: (asked) => ({
      body: pageOf(book.lines(accountOf(asked)), asked.query as unknown as Paged),
    }),
    answerReturnRequest: async ({ params: { id = '' }, body }) => {
      const entry = answerRequest(book, id, body as ReturnAnswer);
      if (entry) await commit(entry);
      return { body: book.requests.get(id) };
    },
    getRoutingNumber: ({ params: { routing = '' } }) => {
      if (!isRoutingNumber(routing)) throw new Refusal('not_found', 'no bank has this number');
      return { body: { routing, ...(banks[routing] ?? banks.other) } };
    },
  };
}
