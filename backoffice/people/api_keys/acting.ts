import {
  isStaffRole,
  mayCall,
  type Role,
  roles,
  rolesWithin,
} from '@tenant-payments/contract/core/roles.ts';
import type { Actor } from '@tenant-payments/engine/actor.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { platform } from '../scope.ts';

/**
 * The scope in which a caller acts: a person's session has roles of one scope alone, a sandbox's client of its Tenant.
 */
export function actingScope({ personId, roles }: Actor, tenantId: string): string {
  if (personId !== null && roles.some(isStaffRole)) return platform;
  if (tenantId !== '') return tenantId;
  throw fail('forbidden', { details: { reason: 'no_role' } });
}

/** The scope whose keys a caller manages: staff also those of the Tenant that they name. */
export const managedScope = (actor: Actor, tenantId: string): string =>
  tenantId === '' ? actingScope(actor, tenantId) : tenantId;

/** Whether a caller sees the keys of others: who may make them, and staff who read everything. */
export const seesAll = ({ roles }: Actor): boolean => mayCall(['developer', 'support'], roles);

/** Whether a caller revokes the keys of others. */
export const revokesAll = ({ roles }: Actor): boolean => mayCall(['developer', 'admin'], roles);

/** The roles asked for. @throws ApiError parameter_invalid: above the maker's (rules/api-keys#3) */
export function grantable({ roles: held }: Actor, asked: readonly Role[]): readonly Role[] {
  const within = rolesWithin(held);
  if (asked.every((role) => within.has(role))) return roles.filter((role) => asked.includes(role));
  throw fail('parameter_invalid', {
    param: 'roles',
    details: { reason: 'above_own', allowed: roles.filter((role) => within.has(role)) },
  });
}
