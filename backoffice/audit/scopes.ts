import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { mayCall } from '@tenant-payments/contract/core/roles.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { platformScope as platform } from '@tenant-payments/engine/platform.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { listAudit as contract } from '../contract/operate/audit.ts';
import type { Scopes } from './rows.ts';

type Scope = QueryOf<typeof contract>['scope'];
type Reader = Pick<ReadContext, 'tenantId' | 'actor'>;

/** @throws ApiError forbidden: the platform's chain is admin's, a Tenant's wants a Tenant */
export function scopeOf({ tenantId, actor }: Reader, scope: Scope = 'tenant'): string {
  if (scope !== 'tenant') {
    const roles = ['admin'] as const;
    if (mayCall(roles, actor.roles)) return platform;
    throw fail('forbidden', { param: 'scope', details: { roles } });
  }
  if (tenantId === '') throw fail('forbidden', { details: { reason: 'choose_tenant' } });
  return tenantId;
}

/**
 * The chains that a list is of. All of them are staff's; a program of a Tenant has its own and the platform's.
 * @throws ApiError forbidden
 */
export function scopesOf(reader: Reader, scope: Scope): Scopes {
  const one = scopeOf(reader, scope);
  if (scope !== 'all') return one;
  return reader.actor.kind === 'client' ? [platform, reader.tenantId] : null;
}
