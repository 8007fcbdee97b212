import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { RailsCall } from './call.ts';
import type { BankOutcome } from './facts.ts';

/** The orders that a bank takes. Each kind is one message of the bank's network. */
export const instructionKinds = ['request_for_payment', 'credit_transfer'] as const;
export type InstructionKind = (typeof instructionKinds)[number];

/** One order to the bank, complete. */
export interface BankInstruction {
  readonly tenantId: string;
  /** The same id is the same order, however often it is handed over. */
  readonly id: string;
  readonly kind: InstructionKind;
  /** Cents. */
  readonly amount: number;
  /** How long a request may be answered; null for a transfer, which the bank executes or rejects. */
  readonly lifetimeSeconds: number | null;
  /** The aggregator's id of the customer's bank account. */
  readonly reference: string;
}

/** An order in the bank's own book. */
export interface BookedOrder extends Pick<BankInstruction, 'tenantId' | 'id' | 'kind' | 'amount'> {
  /** When the bank took it. */
  readonly at: Instant;
  /** How it ended there; null: it has not. */
  readonly outcome: BankOutcome | null;
}

/**
 * The bank. It only takes orders; its answer to each arrives later as a BankFact. `take` may be
 * called again for an order that it has taken, and must not execute it twice: the service repeats
 * the call until it has recorded it, and after a restore it orders again what it does not know any
 * more. Of an order that has ended there the outcome is then reported again (rules/restore#4).
 */
export interface Bank {
  take(instruction: BankInstruction, call?: RailsCall): Promise<void>;
  /** The orders that it took, or that ended, since then; absent: its book is a file (rules/restore#16). */
  ordersSince?(since: Instant, call?: RailsCall): Promise<readonly BookedOrder[]>;
}
