import type { RailsCall } from './call.ts';

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

/**
 * The bank. It only takes orders; its answer to each arrives later as a BankFact. `take` may be
 * called again for an order that it has taken, and must not execute it twice: the service repeats
 * the call until it has recorded it.
 */
export interface Bank {
  take(instruction: BankInstruction, call?: RailsCall): Promise<void>;
}
