import { isUuid } from '@tenant-payments/contract/core/ids.ts';
import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { FastifyRequest } from 'fastify';
import { platform } from '../scope.ts';

async function tenantExists(db: Queryable, tenantId: string): Promise<boolean> {
  const { rowCount } = await db.query('select from tenants where tenant_id = $1', [tenantId]);
  return (rowCount ?? 0) > 0;
}

/**
 * The Tenant whose records a request of a session or an API key is about: that where it acts, or the one that staff
 * name in the header `Tenant-Id`; empty: none. @throws ApiError forbidden; parameter_invalid
 */
export async function tenantNamed(
  db: Queryable,
  scope: string | null,
  { headers }: Pick<FastifyRequest, 'headers'>,
): Promise<string> {
  const named = headers['tenant-id'];
  if (scope !== platform) {
    if (named === undefined || named === scope) return scope ?? '';
    throw fail('forbidden', { details: { reason: 'staff_only' } });
  }
  if (named === undefined) return '';
  if (typeof named === 'string' && isUuid(named) && (await tenantExists(db, named))) return named;
  throw fail('parameter_invalid', {
    param: 'Tenant-Id',
    details: { reason: 'unknown_tenant' },
    message: 'Tenant-Id names no Tenant',
  });
}
