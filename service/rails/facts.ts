import type { FailureCode } from '@tenant-payments/contract/core/failure_codes.ts';
import type { Refuser } from '@tenant-payments/contract/resources/bank_messages.ts';
import type { IdentitySubject } from './identity.ts';

/** The sender names each thing that happened once: the same id is the same fact. */
interface Fact {
  /** The sender's own id of its message. */
  readonly id: string;
}

/** Who refused an order, and in which words; absent: the bank does not say. */
export interface Said {
  readonly saidBy?: Refuser;
  /** It is kept without numbers of accounts and addresses, at most 500 characters (rules/failure-codes#15). */
  readonly text?: string;
}

/** The bank's answer to an order. */
export type BankOutcome =
  /** `amount` in cents: what the bank moved. */
  | { readonly outcome: 'settled'; readonly amount: number }
  /** `reason` is the network's code (`AC04`), or our own code where the network has none. */
  | ({ readonly outcome: 'failed'; readonly reason: string } & Said)
  /** A transfer was sent back after it had been settled; `amount` in cents: what came back. */
  | { readonly outcome: 'returned'; readonly amount: number };
/** `orderId` is the id of the BankInstruction. */
export type BankFact = Fact & { readonly orderId: string } & BankOutcome;

/** The identity provider's decision; `unclear` leaves it to the reviewer. */
export type IdentityDecision = 'approved' | 'rejected' | 'unclear';
export type IdentityFact = Fact & {
  readonly subject: IdentitySubject;
  readonly subjectId: string;
  readonly decision: IdentityDecision;
};

/** The result of a bank account's checks; `unclear` leaves it to the reviewer. */
export type LinkOutcome =
  | { readonly outcome: 'verified' }
  | { readonly outcome: 'failed'; readonly failure: FailureCode<'linked_account'> }
  | { readonly outcome: 'unclear' }
  /** Whose account it is; absent: those of the exchange. The service compares them with its customer (rules/linking#27). */
  | { readonly outcome: 'holders'; readonly names?: readonly string[] }
  /** The customer must sign in at the bank again; `verified` says that they have. */
  | { readonly outcome: 'needs_login' }
  /** The customer has withdrawn the consent. */
  | { readonly outcome: 'revoked' }
  /** The bank has replaced the numbers of the account: they are asked for again. */
  | { readonly outcome: 'numbers_changed' };
/** `linkId` is the id of the LinkCheck. `failed` may also follow for an account that was verified. */
export type LinkFact = Fact & { readonly linkId: string } & LinkOutcome;

/**
 * What a fact did.
 *
 * - `taken`: the record moved, or money that was sent back was credited to its holder. `known`: the
 *   record stood there already, nothing moved.
 * - `early`: a business was approved before its owners; the provider is called again after them.
 * - `contradiction`: the record ended otherwise. `unknown`: no record of this Tenant. Nothing moves.
 * - `amount_mismatch`: money of another amount than was ordered. `late`: money for a record that had
 *   failed. `unmatched`: money was sent back that can be credited to no account. The record stays
 *   as it is; the money goes to suspense.
 *
 * All but the first three raise an alarm; the bank's message is kept for a reviewer.
 */
export type FactResult =
  | 'taken'
  | 'known'
  | 'early'
  | 'contradiction'
  | 'unknown'
  | 'amount_mismatch'
  | 'late'
  | 'unmatched';

/**
 * Where the outside reports what happened there. Each fact is one command. The promise resolves when
 * its effect has committed; acknowledge the outside's message only then. A fact that was not
 * acknowledged may be reported again under its id, and moves nothing twice.
 * @throws ApiError parameter_invalid when a used id comes with another content; 503 internal_error
 *   when it is not known whether the fact was taken
 */
export interface Inbound {
  bank(tenantId: string, fact: BankFact): Promise<FactResult>;
  identity(tenantId: string, fact: IdentityFact): Promise<FactResult>;
  aggregator(tenantId: string, fact: LinkFact): Promise<FactResult>;
}
