import { mayCall, type Role } from '@tenant-payments/contract/core/roles.ts';
import type { Actor } from '@tenant-payments/engine/actor.ts';
import { assert, fail } from '@tenant-payments/engine/fail.ts';
import { approvalActs } from '../contract/operate/approvals.ts';
import type { AskedMove } from './reviewed_move.ts';

/** @throws ApiError forbidden */
export function assertRole({ roles }: Pick<Actor, 'roles'>, may: readonly Role[]): void {
  if (!mayCall(may, roles)) throw fail('forbidden', { details: { roles: may } });
}

/** The door is a reviewer's, and some moves are an admin's alone. @throws ApiError forbidden */
export function assertMayMake(
  actor: Pick<Actor, 'roles'>,
  { resource, move }: Pick<AskedMove, 'resource' | 'move'>,
): void {
  const act = approvalActs[`${resource}.${move}`];
  assert(act, 'a move of a reviewer is an act');
  assertRole(actor, act.may);
}
