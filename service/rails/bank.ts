/** What a bank can be asked to do. Each kind is one message of the bank's network. */
export const instructionKinds = ['request_for_payment', 'credit_transfer'] as const;
export type InstructionKind = (typeof instructionKinds)[number];

/** One order to the bank, with all that it needs to know. */
export interface BankInstruction {
  readonly tenantId: string;
  /** The same id is the same order, however often it is handed over. */
  readonly id: string;
  readonly kind: InstructionKind;
  /** Cents. */
  readonly amount: number;
  /** How long a request may be answered; null for a transfer, which the bank executes or rejects. */
  readonly lifetimeSeconds: number | null;
  /** The aggregator's name for the customer's bank account. */
  readonly reference: string;
}

/**
 * The bank. It only takes orders here; what becomes of them arrives later as a bank fact
 * (`inbound.ts`).
 * `take` may be called again for an order that it has taken, and must not execute it twice: the
 * service hands over until it has recorded that it did.
 */
export interface Bank {
  take(instruction: BankInstruction): Promise<void>;
}
