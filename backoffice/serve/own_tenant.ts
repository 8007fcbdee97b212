import type { ReadContext } from '@tenant-payments/service/read_context.ts';

/** A sandbox's program is staff over its own Tenant alone; null: everything. */
export const ownTenant = ({ actor, tenantId }: Pick<ReadContext, 'actor' | 'tenantId'>) =>
  actor.personId === null ? tenantId : null;
