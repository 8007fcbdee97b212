import { isUuid } from '@tenant-payments/contract/core/ids.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { ownTenant } from '../own_tenant.ts';

/** The Tenants that the caller may see of those that it asks for; null: all of them. */
export function visibleTenants(caller: ReadContext, asked: string | undefined): string[] | null {
  const own = ownTenant(caller);
  if (own !== null) return asked === undefined || asked === own ? [own] : [];
  if (asked === undefined) return null;
  return isUuid(asked) ? [asked] : [];
}
