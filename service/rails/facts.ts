import type { FailureCode } from '@tenant-payments/contract/core/failure_codes.ts';
import type { Refuser } from '@tenant-payments/contract/resources/bank_messages.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { IdentitySubject } from './identity.ts';
import type { MessageFailure } from './messages.ts';

/** The sender names each thing that happened once: the same id is the same fact. */
interface Fact {
  /** The sender's own id of its message. */
  readonly id: string;
}

/** The one who refused an order, and the words; absent: the bank does not say. */
export interface BankRefusal {
  readonly saidBy?: Refuser;
  /** The words, kept without numbers of accounts and addresses, at most 500 characters (rules/failure-codes#15). */
  readonly text?: string;
}

/** The bank's answer to an order. */
export type BankOutcome =
  /**
   * `amount` in cents: what the bank moved. `paymentId`, of a request: the bank's own id of the payment by which it
   * was paid, so that a second payment is known from the first told again (rules/received-money#2).
   */
  | { readonly outcome: 'settled'; readonly amount: number; readonly paymentId?: string }
  /** `reason` is the network's code (`AC04`), or our own code where the network has none. */
  | ({ readonly outcome: 'failed'; readonly reason: string } & BankRefusal)
  /** A transfer was sent back after it had been settled; `amount` in cents: what came back. */
  | { readonly outcome: 'returned'; readonly amount: number }
  /** The order was sent on to the network. `providerId`: the bank's own id of it, where `take` has not said it. */
  | { readonly outcome: 'sent'; readonly providerId?: string }
  /**
   * `pending_review`: the bank looks at it first. `accepted`: the customer has, and the money has not come yet.
   * `settled_pending`: final for us, and its receiver may still send it back.
   */
  | { readonly outcome: 'pending_review' | 'accepted' | 'settled_pending' }
  /** The order will never be executed; `reason`: the network's code, where there is one. */
  | ({ readonly outcome: 'cancelled'; readonly reason?: string } & BankRefusal);

/** The name of an order: the id of the BankInstruction, or the `providerId` that `take` has answered. */
export type OrderNamed =
  | { readonly orderId: string }
  | { readonly orderId?: undefined; readonly providerId: string };
export type OrderFact = Fact & OrderNamed & BankOutcome;

/** Money that came to the Tenant's account for its customers, and that the bank cannot say the order of. */
export interface ReceivedMoney {
  /** Cents. */
  readonly amount: number;
  /** Money on another own account is not told. */
  readonly to: 'fbo';
  /** The sender, with the last four digits of their account; null: the bank does not say. */
  readonly sender: { readonly name: string; readonly last4: string | null } | null;
  /** The sender's text. It is kept without numbers of accounts and addresses. */
  readonly remittance: string | null;
  /**
   * The sender's own reference. The 32 digits of an order of the Tenant name that order, and so do they in the
   * remittance.
   */
  readonly endToEndId: string | null;
  /** The bank's own id of the payment: the same id is the same money, in whichever fact it comes. */
  readonly paymentId: string;
}
export type MoneyFact = Fact & { readonly money: ReceivedMoney };

/** Another bank asks for money back that came. `id` is the bank's own id of the request, by which it gets the answer. */
export type ReturnRequestFact = Fact & {
  readonly returnRequest: {
    /** The order that brought the money, or the bank's own id of the payment (`paymentId`). */
    readonly of: string;
    /** Cents. */
    readonly amount: number;
    /** The network's reason: `FRAD`, `DUPL`, `TECH` … */
    readonly reason: string;
    readonly text: string | null;
    readonly answerBy: Instant;
  };
};

export type BankFact = OrderFact | MoneyFact | ReturnRequestFact;

/** The identity provider's decision; `unclear` leaves it to the reviewer. */
export type IdentityDecision = 'approved' | 'rejected' | 'unclear';
/** The finding of one of a provider's checks: `document`, `failed`, `expired`. Nothing in it says who somebody is. */
export interface IdentityFinding {
  readonly check: string;
  readonly result: 'passed' | 'failed' | 'unclear' | 'not_done';
  readonly reasons?: readonly string[];
}
export type IdentityFact = Fact & {
  readonly subject: IdentitySubject;
  readonly subjectId: string;
  readonly decision: IdentityDecision;
  /** Why, in words of the provider, for the reviewer alone: `document_expired`. Nothing that says who somebody is. */
  readonly reasons?: readonly string[];
  /** The findings of its checks, for the reviewer alone. */
  readonly checks?: readonly IdentityFinding[];
  /** Further findings, by name, for the reviewer alone. */
  readonly signals?: Readonly<Record<string, string>>;
};

/** The result of a bank account's checks; `unclear` leaves it to the reviewer. */
export type LinkOutcome =
  | { readonly outcome: 'verified' }
  | { readonly outcome: 'failed'; readonly failure: FailureCode<'linked_account'> }
  | { readonly outcome: 'unclear' }
  /**
   * The account's holders; `names` absent: those of the exchange. The service compares them with its customer, unless
   * the aggregator has done so: `score` from 0 to 100 says how much they are one (rules/linking#27).
   */
  | { readonly outcome: 'holders'; readonly names?: readonly string[]; readonly score?: number }
  /** The customer must sign in at the bank again. */
  | { readonly outcome: 'needs_login' }
  /** They have. `verified` says so too, and that the account's checks are done. */
  | { readonly outcome: 'login_restored' }
  /** The customer has withdrawn the consent. */
  | { readonly outcome: 'revoked' }
  /** The bank has replaced the numbers of the account: they are asked for again. */
  | { readonly outcome: 'numbers_changed' };
/** `linkId` is the id of the LinkCheck. `failed` may also follow for an account that was verified. */
export type LinkFact = Fact & { readonly linkId: string } & LinkOutcome;

/** The fate of a message that its provider has taken. */
export type MessageFact = Fact & {
  /** The id of the Message. */
  readonly messageId: string;
  readonly outcome: 'delivered' | MessageFailure;
  /** A code of the provider, such as `30003`: no words, which could name the recipient. */
  readonly reason?: string;
};

/**
 * The effect of a fact.
 *
 * - `taken`: the record moved, or its order did, or money was credited to its holder or sent back by an
 *   order. `known`: it stood there already, nothing moved.
 * - `queried`: it may have been executed all the same, so that the bank is asked first. Nothing moved.
 * - `early`: a business was approved before its owners; the provider is called again after them.
 * - `contradiction`: the record ended otherwise. `unknown`: no record of this Tenant. Nothing moves.
 * - `amount_mismatch`: money of another amount than was ordered. `late`: money for a record that had
 *   failed. `unmatched`: money was sent back that can be credited to no account, or came without an order of its
 *   own. The record stays as it is; the money goes to suspense.
 *
 * All but the first four raise an alarm; the bank's message is kept for a reviewer.
 */
export type FactResult =
  | 'taken'
  | 'known'
  | 'queried'
  | 'early'
  | 'contradiction'
  | 'unknown'
  | 'amount_mismatch'
  | 'late'
  | 'unmatched';

/**
 * The port through which the outside reports what happened there. Each fact is one command. The promise resolves when
 * its effect has committed; acknowledge the outside's message only then. A fact that was not acknowledged may be
 * reported again under its id, and moves nothing twice.
 * @throws ApiError parameter_invalid when a used id comes with another content; 503 internal_error
 *   when it is not known whether the fact was taken
 */
export interface Inbound {
  bank(tenantId: string, fact: BankFact): Promise<FactResult>;
  identity(tenantId: string, fact: IdentityFact): Promise<FactResult>;
  aggregator(tenantId: string, fact: LinkFact): Promise<FactResult>;
  messages(tenantId: string, fact: MessageFact): Promise<FactResult>;
}
