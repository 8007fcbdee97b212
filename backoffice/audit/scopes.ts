import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { mayCall } from '@tenant-payments/contract/core/roles.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { platformScope as platform } from '@tenant-payments/engine/platform.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { listAudit as contract } from '../contract/operate/audit.ts';
import { ownTenant } from '../own_tenant.ts';
import type { Scopes } from './rows.ts';

type Scope = QueryOf<typeof contract>['scope'];
type Reader = Pick<ReadContext, 'tenantId' | 'actor'>;

/** @throws ApiError forbidden: what is beyond one Tenant is admin's */
function assertAdmin({ actor }: Reader): void {
  const roles = ['admin'] as const;
  if (!mayCall(roles, actor.roles)) throw fail('forbidden', { param: 'scope', details: { roles } });
}

/** @throws ApiError forbidden: the platform's chain is admin's and no program's, a Tenant's wants a Tenant */
export function scopeOf(reader: Reader, scope: Exclude<Scope, 'all'> = 'tenant'): string {
  const { tenantId } = reader;
  if (scope === 'platform') {
    assertAdmin(reader);
    if (ownTenant(reader) === null) return platform;
    throw fail('forbidden', { param: 'scope', details: { reason: 'no_person' } });
  }
  if (tenantId === '') throw fail('forbidden', { details: { reason: 'choose_tenant' } });
  return tenantId;
}

/**
 * The chains that a list is of. All of them are staff's; a program of a Tenant has its own (rules/tenants#5).
 * @throws ApiError forbidden
 */
export function scopesOf(reader: Reader, scope: Scope): Scopes {
  if (scope !== 'all') return scopeOf(reader, scope);
  assertAdmin(reader);
  const own = ownTenant(reader);
  return own === null ? null : [own];
}
