import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { Role } from '@tenant-payments/contract/core/roles.ts';
import { type Actor, actorName } from '@tenant-payments/engine/actor.ts';
import { assert, fail } from '@tenant-payments/engine/fail.ts';
import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { actOf, assertRole } from '../review/move_act.ts';
import { type Approver, assertIndependent, dependenceIn, staffRolesOf } from './independence.ts';
import { hasLapsed, type ReadApproval } from './lapsed.ts';
import { isSame, type Seen } from './seen.ts';
import type { ApprovalRow, approvals } from './table.ts';
import { changedSince, seenOf } from './view.ts';

export interface Decision {
  readonly id: string;
  readonly note?: string | null;
}

/** @throws ApiError not_found */
export function approvalId({ id }: Decision): string {
  const found = uuidOf('approval', id);
  if (found === null) throw fail('not_found', { param: 'id' });
  return found;
}

export const realNowOf = ({ clocks }: Pick<Service, 'clocks'>): Instant =>
  instantOf(clocks.realNow());

const whyLapsed = {
  lapsed: 'nobody decided it in its time; make a new one',
  maker_left: 'who asked for it has left the staff, or lost the role, since; make a new one',
  first_approver_left: 'the first admin who approved it has left since; make a new one',
} as const;

/** @throws ApiError invalid_state, of a lapsed request with why */
export function assertWaits(row: ReadApproval, realNow: Instant): void {
  const lapsed = hasLapsed(row, realNow);
  if (row.status === 'waiting' && !lapsed) return;
  const reason = row.lapsed_by ?? 'lapsed';
  throw fail('invalid_state', {
    ...(lapsed && { message: whyLapsed[reason] }),
    details: {
      current_status: lapsed ? 'lapsed' : row.status,
      allowed: ['waiting'],
      ...(lapsed && { reason }),
    },
  });
}

/**
 * Also where one of them is an API key of the other. Programs that no person stands behind count as
 * one, since whoever has one makes the others.
 */
const isSamePerson = (actor: Actor, name: string | null, person: string | null): boolean =>
  name !== null && (actorName(actor) === name || actor.personId === person);

/** Whether a request is the caller's own. */
export const isMaker = (actor: Actor, { maker, maker_person }: ApprovalRow): boolean =>
  isSamePerson(actor, maker, maker_person);

interface Approving {
  readonly realNow: Instant;
  readonly approver: Approver | null;
  /** Acted on; null: none. */
  readonly tenantId: string | null;
  readonly isAboveCap?: boolean;
}

/**
 * @param approver as the commit finds them: a role may be lost since the request was let in; null: a program
 * @throws ApiError forbidden {reason: own_request}, {reason: second_admin}; without the role
 */
function assertMayApprove(
  actor: Actor,
  row: ApprovalRow,
  { approver, isAboveCap = false }: Approving,
): void {
  if (isMaker(actor, row))
    throw fail('forbidden', {
      details: { reason: 'own_request' },
      message: 'another person than the one who asks must approve',
    });
  const act = actOf(row);
  assert(act, 'a request is of an act');
  const may: readonly Role[] = isAboveCap ? ['admin'] : act.may;
  assertRole(actor, may);
  if (approver) assertRole({ roles: staffRolesOf(approver) }, may);
  if (isSamePerson(actor, row.first_approver, row.first_person))
    throw fail('forbidden', {
      details: { reason: 'second_admin' },
      message: 'above the cap of the day a further admin must approve too',
    });
}

/**
 * The conditions of every approval, of a Tenant's request and of the platform's.
 * @throws ApiError invalid_state; forbidden
 */
export function assertApprovable(
  { actor }: Pick<Work, 'actor'>,
  row: ReadApproval,
  by: Approving,
): void {
  const { realNow, approver, tenantId } = by;
  assertWaits(row, realNow);
  assertMayApprove(actor, row, by);
  assertIndependent(dependenceIn(approver, row, { tenantId, realNow }));
}

/** @throws ApiError invalid_state {reason: changed_since} */
export function assertUnchanged(found: Seen, row: ApprovalRow): void {
  if (!isSame(found, seenOf(row))) throw changedSince();
}

type Ended = 'approved' | 'refused';

/** The columns that end a request. */
export const ending = (actor: Actor, status: Ended, { note = null }: Decision, now: Instant) => ({
  status,
  decider: actorName(actor),
  decision_note: note,
  decided_at: now,
});

/** Ends a request. */
export const end = (work: Work, row: ApprovalRow, status: Ended, decision: Decision): ApprovalRow =>
  work.change<typeof approvals>(row, ending(work.actor, status, decision, work.now));
