import { mayCall, type Role } from '@tenant-payments/contract/core/roles.ts';
import type { Actor } from '@tenant-payments/engine/actor.ts';
import { assert, fail } from '@tenant-payments/engine/fail.ts';
import { type ApprovalAct, approvalActs } from '../contract/operate/approvals.ts';
import type { AskedMove } from './reviewed_move.ts';

const acts: ReadonlyMap<string, ApprovalAct> = new Map(Object.entries(approvalActs));

export type NamedMove = Pick<AskedMove, 'resource' | 'move'>;

/** The act that a move is; null: there is no such move. */
export const actOf = ({ resource, move }: NamedMove): ApprovalAct | null =>
  acts.get(`${resource}.${move}`) ?? null;

/** @throws ApiError forbidden */
export function assertRole({ roles }: Pick<Actor, 'roles'>, may: readonly Role[]): void {
  if (!mayCall(may, roles)) throw fail('forbidden', { details: { roles: may } });
}

/** The door is a reviewer's, and some moves are an admin's alone. @throws ApiError forbidden */
export function assertMayMake(actor: Pick<Actor, 'roles'>, named: NamedMove): void {
  const act = actOf(named);
  assert(act, 'a move of a reviewer is an act');
  assertRole(actor, act.may);
}
