import {
  type ApprovalAct,
  approvalActs,
} from '@tenant-payments/contract/portal/operate/approvals.ts';
import { mayCall, type Role } from '@tenant-payments/contract/portal/roles.ts';
import type { Actor } from '../../core/actor.ts';
import { fail } from '../../core/fail.ts';
import { reviewAct } from '../../people/audit/acts.ts';
import type { Service } from '../../service.ts';
import { type MoveTable, namedOf, openReviewMoves, runs } from '../review/moves.ts';
import { changeSettings } from '../settings/change.ts';
import type { Subject } from './subject.ts';

const acts: ReadonlyMap<string, ApprovalAct> = new Map(Object.entries(approvalActs));

interface Named {
  readonly resource: string;
  readonly move: string;
}

/** Everything that a second person can be asked to approve: the reviewer's moves, and what is none. */
export const openAskedMoves = (service: Pick<Service, 'db' | 'environment'>): MoveTable => ({
  ...openReviewMoves(service),
  settings: {
    idOf: namedOf(['settings']),
    moves: { change: runs(changeSettings(service), { settings: 'required' }) },
  },
});

/** The act that a move is; null: one person may always make it. */
export const actOf = ({ resource, move }: Named) => acts.get(`${resource}.${move}`) ?? null;

/** How the audit names it. */
export const auditedAs = (named: Named): string =>
  actOf(named)?.audited ?? reviewAct(named.resource, named.move);

/** Whether it is a reviewer's, which has a row of its own beside the audit (rules/review#2). */
export const isReview = (named: Named): boolean => actOf(named)?.audited === undefined;

/** Whether it needs a second person. What nobody knows the amount of is never below a threshold. */
export function isNeeded({ when }: ApprovalAct, { refused, isBeyond }: Subject): boolean {
  if (when === 'always') return true;
  return 'beyondTimes' in when ? isBeyond : refused === null || refused > when.refusesAbove;
}

/** What one person is told who makes such a move alone. */
export const needed = ({ status }: Subject) =>
  fail('invalid_state', {
    details: { current_status: status, allowed: [], reason: 'approval_required' },
    message: 'a second person must approve this: ask by POST /portal/api/approvals',
  });

/** @throws ApiError forbidden */
export function assertRole({ roles }: Actor, may: readonly Role[]): void {
  if (!mayCall(may, roles)) throw fail('forbidden', { details: { roles: may } });
}
