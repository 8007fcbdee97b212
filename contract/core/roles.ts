/**
 * The roles of people in the portal and the console (rules/people#1). Staff work for the platform, members for one
 * Tenant; one person may be both.
 */
export const staffRoles = ['admin', 'reviewer', 'support'] as const;
export type StaffRole = (typeof staffRoles)[number];

export const isStaffRole = (role: string): role is StaffRole =>
  (staffRoles as readonly string[]).includes(role);

export const memberRoles = ['owner', 'developer', 'finance', 'reader'] as const;
export type MemberRole = (typeof memberRoles)[number];

export const roles = [...staffRoles, ...memberRoles] as const;
export type Role = StaffRole | MemberRole;

/** The roles whose rights each role has besides its own. */
const includes: Readonly<Record<Role, readonly Role[]>> = {
  admin: ['reviewer', 'support'],
  reviewer: ['support'],
  support: [],
  owner: ['developer', 'finance', 'reader'],
  developer: ['reader'],
  finance: ['reader'],
  reader: [],
};

/** The roles that somebody has who holds these. */
export const rolesWithin = (held: readonly Role[]): ReadonlySet<Role> =>
  new Set(held.flatMap((role) => [role, ...includes[role]]));

/** The callers that an operation permits: the holders of these roles, everybody who is signed in, or anybody. */
export type May = readonly Role[] | 'signed_in' | 'anybody';

/** The roles that see personal data; others get it masked (rules/people#7). */
export const seesPersonalData: readonly Role[] = ['developer', 'finance', 'reviewer'];

/** Whether somebody who holds these roles, and is signed in, may call it. */
export function mayCall(may: May, held: readonly Role[]): boolean {
  if (typeof may === 'string') return true;
  const within = rolesWithin(held);
  return may.some((role) => within.has(role));
}
