import type { FailureCode } from '@tenant-payments/contract/core/failure_codes.ts';
import type { IdentitySubject } from './identity.ts';

/** Whoever tells of it names each thing that happened once: the same id is the same fact. */
interface Fact {
  /** The outside's own name of its message. */
  readonly id: string;
}

/** What became of an order to the bank. */
export type BankOutcome =
  /** `amount` in cents: what the bank moved. */
  | { readonly outcome: 'settled'; readonly amount: number }
  /** `reason` as the network says it (`AC04`), or our own word where it has none. */
  | { readonly outcome: 'failed'; readonly reason: string }
  /** A transfer was sent back after it had been settled; `amount` in cents: what came. */
  | { readonly outcome: 'returned'; readonly amount: number };
/** `orderId` is the id of the BankInstruction. */
export type BankFact = Fact & { readonly orderId: string } & BankOutcome;

/** What the identity provider thinks of somebody; `unclear` leaves it to the reviewer. */
export type IdentityDecision = 'approved' | 'rejected' | 'unclear';
export type IdentityFact = Fact & {
  readonly subject: IdentitySubject;
  readonly subjectId: string;
  readonly decision: IdentityDecision;
};

/** How the checks of a bank account ended; `unclear` leaves it to the reviewer. */
export type LinkOutcome =
  | { readonly outcome: 'verified' }
  | { readonly outcome: 'failed'; readonly failure: FailureCode<'linked_account'> }
  | { readonly outcome: 'unclear' };
/** `linkId` is the id of the LinkCheck. `failed` may also come of an account that was verified. */
export type LinkFact = Fact & { readonly linkId: string } & LinkOutcome;

/**
 * What a fact did.
 *
 * - `taken`: the record moved, or money that was sent back is its holder's again. `known`: it stood
 *   there already, nothing moved.
 * - `early`: a business approved before its owners are; the provider is asked again once they are.
 * - `contradiction`: the record ended otherwise. `unknown`: of no record of this tenant. Nothing moves.
 * - `amount_mismatch`: money of another amount than was ordered. `late`: money for a record that had
 *   failed. `unmatched`: money sent back that nobody can be given. The record stays as it is; what
 *   came stands in suspense.
 *
 * All but the first three raise an alarm; what the bank said is kept for a reviewer.
 */
export type Verdict =
  | 'taken'
  | 'known'
  | 'early'
  | 'contradiction'
  | 'unknown'
  | 'amount_mismatch'
  | 'late'
  | 'unmatched';

/** Where a record must stand for a fact to move it, and where it already stands because of it. */
export interface Reach {
  readonly from: readonly string[];
  readonly known: readonly string[];
}

/** What a fact does to a record in this status. */
export function judge(status: string, { from, known }: Reach): Verdict {
  if (from.includes(status)) return 'taken';
  return known.includes(status) ? 'known' : 'contradiction';
}
