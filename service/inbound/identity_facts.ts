import { customerLifecycle } from '@tenant-payments/contract/resources/customers.ts';
import { ownerLifecycle } from '@tenant-payments/contract/resources/owners.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { FactResult, IdentityDecision, IdentityFact } from '../rails/facts.ts';
import type { IdentitySubject } from '../rails/identity.ts';
import {
  approveCustomer,
  holdCustomerForReview,
  rejectCustomer,
} from '../resources/customers/moves.ts';
import {
  approveOwner,
  holdOwnerForReview,
  ownersComplete,
  rejectOwner,
} from '../resources/customers/owners/moves.ts';
import { keepCheck } from '../resources/identity/checks.ts';
import { type FactStatuses, resultOf } from './result.ts';

/** A customer or owner that the provider decides on, with the move of each decision. */
export interface Subject {
  /** The customer; of an owner the business. */
  readonly customerId: string;
  readonly statuses: Readonly<Record<IdentityDecision, FactStatuses>>;
  readonly status: () => string;
  /** A business is approved only after its owners (rules/customers#12). */
  readonly isEarly: () => boolean;
  /** The application was withdrawn: nobody waits for the answer any more (rules/closing#18). */
  readonly isWithdrawn: () => boolean;
  /** Why a person decides, although the provider approves; null: nothing stands against it (rules/owners#14). */
  readonly doubt: () => 'named_otherwise' | null;
  readonly moves: Readonly<Record<IdentityDecision, (work: Work) => void>>;
}

const customerMoves = customerLifecycle.moves;
const customerStatuses: Subject['statuses'] = {
  approved: { from: customerMoves.approve.from, known: ['approved'] },
  rejected: { from: customerMoves.reject.from, known: ['rejected'] },
  unclear: {
    from: [...customerMoves.unclear.from, ...customerMoves.review.from],
    known: ['in_review'],
  },
};

async function readCustomer(read: Read, id: string): Promise<Subject> {
  const rows = await approveCustomer.load(read, { id }, undefined);
  const { customer, people } = rows;
  return {
    customerId: customer.id,
    statuses: customerStatuses,
    status: () => customer.status,
    isEarly: () => customer.type === 'business' && !ownersComplete(people),
    isWithdrawn: () => customer.withdrawn_reason !== null,
    doubt: () => null,
    moves: {
      approved: (work) => approveCustomer.decide(work, rows, { id }, undefined),
      rejected: (work) => rejectCustomer.decide(work, customer, { id }, undefined),
      unclear: (work) => holdCustomerForReview.decide(work, rows, { id }, undefined),
    },
  };
}

const ownerMoves = ownerLifecycle.moves;
const ownerStatuses: Subject['statuses'] = {
  approved: { from: ownerMoves.approve.from, known: ['approved'] },
  rejected: { from: ownerMoves.reject.from, known: ['rejected'] },
  unclear: { from: ownerMoves.unclear.from, known: ['in_review'] },
};

async function readOwner(read: Read, id: string): Promise<Subject> {
  const rows = await approveOwner.load(read, { id }, undefined);
  return {
    customerId: rows.owner.customer_id,
    statuses: ownerStatuses,
    status: () => rows.owner.status,
    isEarly: () => false,
    isWithdrawn: () => false,
    doubt: () => (rows.owner.named_otherwise ? 'named_otherwise' : null),
    moves: {
      approved: (work) => approveOwner.decide(work, rows, { id }, undefined),
      rejected: (work) => rejectOwner.decide(work, rows, { id }, undefined),
      unclear: (work) => holdOwnerForReview.decide(work, rows, { id }, undefined),
    },
  };
}

/** @throws ApiError not_found */
export const readSubject: Readonly<
  Record<IdentitySubject, (read: Read, id: string) => Promise<Subject>>
> = { customer: readCustomer, owner: readOwner };

/** A decision of a provider, with what it says beside it. */
type Decided = Omit<IdentityFact, 'id'>;

/** Keeps what a provider says beside its decision, and moves the record by it. */
export function applyIdentityFact(work: Work, subject: Subject, fact: Decided): FactResult {
  const result = applyIdentityDecision(work, subject, fact.decision);
  const doubt = subject.doubt();
  const reasons = [...(fact.reasons ?? []), ...(doubt === null ? [] : [doubt])];
  if (result === 'taken' || result === 'early')
    keepCheck(work, subject.customerId, { ...fact, reasons });
  return result;
}

/** A provider's approval of somebody who still waits is not the last word where there is a doubt. */
function judged({ statuses, status, doubt }: Subject, decision: IdentityDecision) {
  const isHeld = decision === 'approved' && doubt() !== null;
  return isHeld && statuses.approved.from.includes(status()) ? 'unclear' : decision;
}

/** Moves a customer or owner by the provider's decision (rules/customers#8, rules/owners#6). */
function applyIdentityDecision(work: Work, subject: Subject, given: IdentityDecision): FactResult {
  if (subject.isWithdrawn()) return 'known';
  const decision = judged(subject, given);
  const result = resultOf(subject.status(), subject.statuses[decision]);
  if (result !== 'taken') return result;
  if (decision === 'approved' && subject.isEarly()) return 'early';
  subject.moves[decision](work);
  return result;
}
