import {
  isStaffRole,
  type Role,
  roles,
  rolesWithin,
} from '@tenant-payments/contract/core/roles.ts';
import { fail } from '@tenant-payments/engine/fail.ts';

/** The roles that a program may be given. */
export interface Grants {
  /** Among these somebody may choose. */
  readonly allowed: readonly Role[];
  /** The most that both allow: no role that another one includes. */
  readonly most: readonly Role[];
}

/**
 * The roles both asked for and held; where none is named, all that a member holds. A role of staff is never given
 * unless it was asked for by its name (rules/device-sign-in#4).
 */
export function grantsOf(asked: readonly Role[], held: readonly Role[]): Grants {
  const own = rolesWithin(held);
  const wanted =
    asked.length === 0
      ? new Set([...own].filter((role) => !isStaffRole(role)))
      : rolesWithin(asked);
  const allowed = roles.filter((role) => own.has(role) && wanted.has(role));
  const isIncluded = (role: Role) =>
    allowed.some((other) => other !== role && rolesWithin([other]).has(role));
  return { allowed, most: allowed.filter((role) => !isIncluded(role)) };
}

/** The roles that an approval gives. @throws ApiError invalid_state; parameter_invalid: above what is allowed */
export function chosen({ allowed, most }: Grants, given: readonly Role[] = most): readonly Role[] {
  if (allowed.length === 0) throw fail('invalid_state', { details: { reason: 'no_common_role' } });
  if (given.every((role) => allowed.includes(role)))
    return roles.filter((role) => given.includes(role));
  throw fail('parameter_invalid', { param: 'roles', details: { reason: 'not_allowed', allowed } });
}
