import type { Role } from '@tenant-payments/contract/core/roles.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { isBootstrapping } from './bootstrap.ts';
import { held } from './grant.ts';
import { platformApprovalNeeded } from './second_admin_needed.ts';
import type { RoleGrantRow } from './table.ts';

/** The changes to the staff that one admin does not make alone (rules/approvals#21). */

type Parts = Pick<Service, 'config'>;

/** The one who asks, and the roles of the platform. */
interface Asked {
  readonly work: Pick<Work, 'actor' | 'now'>;
  readonly staff: readonly RoleGrantRow[];
}

interface Change {
  readonly before: readonly Role[];
  readonly after: readonly Role[];
}

const approving: readonly Role[] = ['admin', 'reviewer'];
const mayApprove = (roles: readonly Role[]): boolean =>
  roles.some((role) => approving.includes(role));

/** Whether the command line gave the caller the role within a day of the first admin, which is not over. */
const isFirstOperator = ({ work: { actor, now }, staff }: Asked): boolean =>
  isBootstrapping(staff, now) &&
  held(staff).some(({ person_id, bootstrap }) => bootstrap && person_id === actor.personId);

/**
 * Whether a second admin is needed: a person with the settings of the deployment needs nobody else
 * (rules/approvals#12).
 */
const isAsked = ({ config }: Parts, { work }: Asked): boolean =>
  config.approvals && work.actor.kind !== 'command_line';

type Given = Parameters<typeof platformApprovalNeeded<'staff'>>[1];

/** @returns whether it is done by one only because the platform is being set up @throws ApiError invalid_state */
function assertGiving(parts: Parts, asked: Asked, move: Given): boolean {
  if (!isAsked(parts, asked)) return false;
  if (isFirstOperator(asked)) return true;
  throw platformApprovalNeeded('staff', move);
}

/**
 * An invitation of staff that one admin makes.
 * @param roles those that it gives, and those that the address holds already
 * @throws ApiError invalid_state {reason: approval_required}
 */
export const assertInvitesAlone = (parts: Parts, asked: Asked, roles: readonly Role[]): boolean =>
  mayApprove(roles) && assertGiving(parts, asked, 'invite');

/** A change of the roles of staff by one admin. @throws ApiError invalid_state {reason: approval_required} */
export function assertChangesAlone(parts: Parts, asked: Asked, { before, after }: Change): boolean {
  if (isAsked(parts, asked) && before.includes('admin') && !after.includes('admin'))
    throw platformApprovalNeeded('staff', after.length === 0 ? 'remove' : 'change');
  const isGiven = mayApprove(after.filter((role) => !before.includes(role)));
  return isGiven && assertGiving(parts, asked, 'change');
}
