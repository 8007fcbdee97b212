import type { Bank, BankInstruction, BookedOrder } from '@tenant-payments/service/rails/bank.ts';
import type { RailsCall } from '@tenant-payments/service/rails/call.ts';
import type { BankFact } from '@tenant-payments/service/rails/facts.ts';
import type { Order } from '../book/types.ts';
import { BankError, type Client } from './client.ts';
import { Refused } from './errors.ts';
import { bookedOrder, standingOf, termsOf } from './facts.ts';

interface Page {
  readonly data: readonly Order[];
  readonly next: string | null;
}

const isRefusal = (error: unknown, code: BankError['code']): error is BankError =>
  error instanceof BankError && error.code === code;

/** The bank's port, as the service calls it. @param tell reports what the bank was asked about */
export function openBank(
  { call }: Client,
  tell: (tenantId: string, fact: BankFact) => Promise<unknown>,
): Bank {
  const read = (id: string, more?: RailsCall) => call<Order>('GET', `/orders/${id}`, more);
  const tellStanding = (order: Order) => tell(order.terms.tenant, standingOf(order));

  /** The same id is the same order: what was ordered before goes on as it is. */
  async function knownOrder(error: BankError, order: BankInstruction, more?: RailsCall) {
    const known = await read(order.id, more);
    const { kind, amount } = known.terms;
    if (kind === order.kind && amount === order.amount) return known;
    throw error;
  }

  /** @throws Refused when the bank can do nothing with the order, now or later */
  async function put(order: BankInstruction, more?: RailsCall): Promise<Order> {
    try {
      return await call<Order>('PUT', `/orders/${order.id}`, { ...more, body: termsOf(order) });
    } catch (error) {
      if (isRefusal(error, 'order_differs')) return knownOrder(error, order, more);
      if (isRefusal(error, 'invalid_request')) throw new Refused('FF02', error.message, 'bank');
      throw error;
    }
  }

  return {
    can: { cancel: true, query: true },
    async take(order, more) {
      const taken = await put(order, more);
      // The order was given before, and the service may have lost how it ended.
      if (taken.outcome) await tellStanding(taken);
      return { providerId: taken.provider_id };
    },
    async cancel({ tenantId, id }, more) {
      try {
        await call('POST', `/orders/${id}/cancel`, more);
      } catch (error) {
        // How it ended is told by an event.
        if (isRefusal(error, 'order_has_ended')) return;
        if (!isRefusal(error, 'not_found')) throw error;
        await tell(tenantId, { id: `never taken ${id}`, orderId: id, outcome: 'cancelled' });
      }
    },
    async query({ id }, more) {
      try {
        await tellStanding(await read(id, more));
        return { known: true };
      } catch (error) {
        if (isRefusal(error, 'not_found')) return { known: false };
        throw error;
      }
    },
    async answerReturnRequest({ id, answer, amount, text }, more) {
      const said = { ...(amount !== null && { amount }), ...(text !== null && { text }) };
      const body = { answer, ...said };
      await call('POST', `/return-requests/${id}/answer`, { ...more, body });
    },
    async ordersSince(since, more) {
      const found: BookedOrder[] = [];
      let after = '';
      for (;;) {
        const page = await call<Page>('GET', `/orders?since=${since}${after}`, more);
        found.push(...page.data.map(bookedOrder));
        if (page.next === null) return found;
        after = `&after=${page.next}`;
      }
    },
  };
}
