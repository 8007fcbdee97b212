import { randomUUID } from 'node:crypto';
import { openInbound } from '../../../service/inbound/inbound.ts';
import type { Bank, BankInstruction, BookedOrder } from '../../../service/rails/bank.ts';
import type { BankOutcome, FactResult } from '../../../service/rails/facts.ts';
import type { Service } from '../../../service/service.ts';

interface Executed {
  readonly order: BankInstruction;
  readonly at: string;
  readonly outcome: BankOutcome;
  /** The bank's own id of its message. */
  readonly message: string;
}

/** A bank that remembers every order by its id, and executes each once, however often it is handed over. */
export interface CountingBank extends Bank {
  /** Every order that it executed, in order. */
  readonly executed: readonly Executed[];
  /** How often it was handed an order that it knew. */
  readonly repeated: () => number;
  /** Tells a service what it has not told yet. @returns what each fact did */
  report(service: Pick<Service, 'engine' | 'log'>): Promise<FactResult[]>;
  /** Forgets what it has not told: the messages are lost on their way. */
  loseReports(): void;
}

/** @param failing whether it refuses an order */
export function openCountingBank(failing: (order: BankInstruction) => boolean): CountingBank {
  const book = new Map<string, Executed>();
  let untold: Executed[] = [];
  let repeated = 0;
  return {
    get executed() {
      return [...book.values()];
    },
    repeated: () => repeated,
    async take(order) {
      const known = book.get(order.id);
      if (known) {
        repeated += 1;
        untold.push(known);
        return;
      }
      const outcome: BankOutcome = failing(order)
        ? { outcome: 'failed', reason: 'AC04' }
        : { outcome: 'settled', amount: order.amount };
      const done = { order, at: new Date().toISOString(), outcome, message: randomUUID() };
      book.set(order.id, done);
      untold.push(done);
    },
    async ordersSince(since) {
      return [...book.values()]
        .filter(({ at }) => at >= since)
        .map(
          ({ order: { tenantId, id, kind, amount }, at, outcome }): BookedOrder => ({
            tenantId,
            id,
            kind,
            amount,
            at,
            outcome,
          }),
        );
    },
    async report(service) {
      const inbound = openInbound({ ...service, asks: false });
      const results: FactResult[] = [];
      const told = untold;
      untold = [];
      for (const { order, message, outcome } of told)
        results.push(
          await inbound.bank(order.tenantId, { id: message, orderId: order.id, ...outcome }),
        );
      return results;
    },
    loseReports() {
      untold = [];
    },
  };
}
