import { addSeconds, type Instant } from '@tenant-payments/engine/time/instant.ts';
import { held } from './grant.ts';
import type { RoleGrantRow } from './table.ts';

const daySeconds = 24 * 3_600;

/**
 * Whether the platform is being set up: it has no admin, or none of more than 24 hours (rules/approvals#20).
 * Nobody could be an independent second person then.
 * @param staff the roles of the platform
 */
export function isBootstrapping(staff: readonly RoleGrantRow[], now: Instant): boolean {
  const dayAgo = addSeconds(now, -daySeconds);
  return !held(staff).some(({ role, granted_at }) => role === 'admin' && granted_at <= dayAgo);
}
