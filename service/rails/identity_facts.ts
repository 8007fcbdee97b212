import { customerLifecycle } from '@tenant-payments/contract/resources/customers.ts';
import { ownerLifecycle } from '@tenant-payments/contract/resources/owners.ts';
import type { Read } from '../core/reader.ts';
import type { Work } from '../core/work.ts';
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
} from '../resources/customers/owners.ts';
import { type IdentityDecision, judge, type Reach, type Verdict } from './facts.ts';
import type { IdentitySubject } from './identity.ts';

/** Somebody about whom the provider decides, with what each decision does. */
export interface Subject {
  readonly reach: Readonly<Record<IdentityDecision, Reach>>;
  readonly status: () => string;
  /** A business whose owners are not approved: it cannot be either (decisions 1.1). */
  readonly isEarly: () => boolean;
  readonly moves: Readonly<Record<IdentityDecision, (work: Work) => void>>;
}

const customerMoves = customerLifecycle.moves;
const customerReach: Subject['reach'] = {
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
    reach: customerReach,
    status: () => customer.status,
    isEarly: () => customer.type === 'business' && !ownersComplete(people),
    moves: {
      approved: (work) => approveCustomer.decide(work, rows, { id }, undefined),
      rejected: (work) => rejectCustomer.decide(work, customer, { id }, undefined),
      unclear: (work) => holdCustomerForReview.decide(work, rows, { id }, undefined),
    },
  };
}

const ownerMoves = ownerLifecycle.moves;
const ownerReach: Subject['reach'] = {
  approved: { from: ownerMoves.approve.from, known: ['approved'] },
  rejected: { from: ownerMoves.reject.from, known: ['rejected'] },
  unclear: { from: ownerMoves.unclear.from, known: ['in_review'] },
};

async function readOwner(read: Read, id: string): Promise<Subject> {
  const rows = await approveOwner.load(read, { id }, undefined);
  return {
    reach: ownerReach,
    status: () => rows.owner.status,
    isEarly: () => false,
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

/** The provider's decision, as a move of the person or business (decisions 1.1). */
export function tellOfSubject(work: Work, subject: Subject, decision: IdentityDecision): Verdict {
  const verdict = judge(subject.status(), subject.reach[decision]);
  if (verdict !== 'taken') return verdict;
  if (decision === 'approved' && subject.isEarly()) return 'early';
  subject.moves[decision](work);
  return verdict;
}
