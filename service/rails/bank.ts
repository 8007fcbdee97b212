import type { RequestNetwork, RequestUse } from '@tenant-payments/contract/core/request_uses.ts';
import type { instructionKinds } from '@tenant-payments/contract/resources/bank_messages.ts';
import type {
  OwnBankFacts,
  OwnBankRole,
} from '@tenant-payments/contract/resources/own_bank_accounts.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { RailsCall } from './call.ts';
import type { BankOutcome } from './facts.ts';
import type { Counterparty } from './party.ts';

export type InstructionKind = (typeof instructionKinds)[number];

/** The purpose of an order. */
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
  /** The account as two people have put it in force; null: none is, so the bank knows it by Tenant and role alone. */
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
  /** The use of a request, and the networks by which the bank permits it; null: a transfer. */
  readonly request: {
    readonly useCase: RequestUse;
    readonly networks: readonly RequestNetwork[];
  } | null;
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
  /** The customer whose bank account pays or is paid; null where both accounts are the Tenant's own. */
  readonly counterparty: Counterparty | null;
  /**
   * The text that the customer reads in their bank's app: the merchant or else the Tenant, and the record. In the
   * characters that the networks carry, at most 140 (`remittance.ts`).
   */
  readonly remittance: string;
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

/** The bank's answer when it takes an order. */
export interface OrderAnswer {
  /** The bank's own id of the order, by which facts may name it. */
  readonly providerId: string;
}

/** An order that the bank may have, as it is asked about. */
export interface TakenOrder extends Pick<BankInstruction, 'tenantId' | 'id'> {
  /** Null: it has not said one, or its answer was lost. */
  readonly providerId: string | null;
}

/** The abilities of a bank besides taking orders. */
export interface BankCan {
  readonly cancel: boolean;
  readonly query: boolean;
}

/**
 * The bank. It only takes orders; its answer to each arrives later as a BankFact. `take` may be
 * called again for an order that it has taken, and must not execute it twice: the service repeats
 * the call until it has recorded it, and after a restore it orders again what it does not know any
 * more. Of an order that has ended there the outcome is then reported again (rules/restore#4).
 */
export interface Bank {
  /** @throws Refused when it will never execute the order; anything else that it throws is tried again */
  // biome-ignore lint/suspicious/noConfusingVoidType: a module of 1.0 answers nothing
  take(instruction: BankInstruction, call?: RailsCall): Promise<OrderAnswer | void>;
  /**
   * Tells what a reviewer has answered to a request to give money back; repeated until it is recorded. The money of an
   * accepted one goes by an order. Absent: a person tells it.
   * @throws Refused when the bank will never take the answer: a person tells it
   */
  answerReturnRequest?(answer: ReturnAnswer, call?: RailsCall): Promise<void>;
  /** The orders that it took, or that ended, since then; absent: its book is a file (rules/restore#16). */
  ordersSince?(since: Instant, call?: RailsCall): Promise<readonly BookedOrder[]>;
  /** Absent: it takes orders alone. */
  readonly can?: BankCan;
  /** Asks that an order is executed no more; whether it was is a fact (rules/bank-orders#18). */
  cancel?(order: TakenOrder, call?: RailsCall): Promise<void>;
  /**
   * Asks how an order stands. Where the bank has it, its answer is a fact, also of what it has reported before; where
   * it was never handed the order, `known` is false (rules/bank-orders#21).
   */
  query?(order: TakenOrder, call?: RailsCall): Promise<{ readonly known: boolean }>;
}

/** Whether this bank takes a call that not every bank takes. */
export const bankCan = (bank: Bank, what: 'cancel' | 'query'): boolean =>
  bank.can?.[what] === true && bank[what] !== undefined;
