import type { Actor } from '@tenant-payments/engine/actor.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';

/** A Tenant's program in a sandbox: its access token, or a key that it made. The machine's operator is none. */
export const isProgram = ({ kind, personId }: Pick<Actor, 'kind' | 'personId'>): boolean =>
  personId === null && kind !== 'operator_key';

/** A sandbox's program is staff over its own Tenant alone (rules/tenants#5); null: everything. */
export const ownTenant = ({ actor, tenantId }: Pick<ReadContext, 'actor' | 'tenantId'>) =>
  isProgram(actor) ? tenantId : null;
