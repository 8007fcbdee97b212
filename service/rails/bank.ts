import type { instructionKinds } from '@tenant-payments/contract/resources/bank_messages.ts';
import type {
  OwnBankFacts,
  OwnBankRole,
} from '@tenant-payments/contract/resources/own_bank_accounts.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { RailsCall } from './call.ts';
import type { BankOutcome } from './facts.ts';

export type InstructionKind = (typeof instructionKinds)[number];

/** What an order is for. */
export const orderPurposes = [
  'load',
  'payment_by_bank',
  'withdrawal',
  'refund',
  'dispute_credit',
  'closing',
  'fee_sweep',
  'reserve_top_up',
  'suspense_return',
  'return_of_funds',
] as const;
export type OrderPurpose = (typeof orderPurposes)[number];

/** A Tenant's own account at the bank (rules/own-bank-accounts#1). */
export interface OwnAccount {
  readonly role: OwnBankRole;
  /** As two people have put it in force; null: none is, so the bank knows it by Tenant and role alone. */
  readonly account: (OwnBankFacts & { readonly account_number: string }) | null;
}

/** One order to the bank, complete. */
export interface BankInstruction {
  readonly tenantId: string;
  /** The same id is the same order, however often it is handed over. */
  readonly id: string;
  /** The id in the 32 hexadecimal digits that the networks carry. */
  readonly endToEndId: string;
  readonly kind: InstructionKind;
  readonly purpose: OrderPurpose;
  /** Cents. */
  readonly amount: number;
  /** The Tenant's own account that pays; null: the customer's bank account does. */
  readonly from: OwnAccount | null;
  /** The Tenant's own account that is paid; null: the customer's bank account is. */
  readonly to: OwnAccount | null;
  /**
   * Until when a request may be answered, however late it is handed over; null for a transfer, which the bank
   * executes or rejects.
   */
  readonly expiresAt: Instant | null;
  /** The aggregator's id of the customer's bank account; null where both accounts are the Tenant's own. */
  readonly reference: string | null;
  /** The order whose money goes back; null: none. */
  readonly returnOf: string | null;
}

/** The answer to a request of another bank to give money back (rules/received-money#8). */
export interface ReturnAnswer {
  readonly tenantId: string;
  /** The bank's own id of the request: that of its fact. */
  readonly id: string;
  readonly answer: 'accept' | 'partial' | 'reject';
  /** Cents that are given back; null: none. */
  readonly amount: number | null;
  /** The reviewer's words for the other bank. */
  readonly text: string | null;
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
  /**
   * Tells what a reviewer has answered to a request to give money back; repeated until it is recorded. The money of an
   * accepted one goes by an order. Absent: a person tells it.
   */
  answerReturnRequest?(answer: ReturnAnswer, call?: RailsCall): Promise<void>;
  /** The orders that it took, or that ended, since then; absent: its book is a file (rules/restore#16). */
  ordersSince?(since: Instant, call?: RailsCall): Promise<readonly BookedOrder[]>;
}
