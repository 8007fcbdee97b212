import { Closed, Text } from '@tenant-payments/contract/core/schema.ts';
import type { Actor } from '../../engine/actor.ts';
import { fail } from '../../engine/fail.ts';
import type { Instant } from '../../engine/time/instant.ts';
import { assertShape } from '../../service/http/serve/validation.ts';
import { commandLine } from './actor.ts';
import type { Deployment, OpenDatabase, Parts } from './deployment.ts';

/** Names the Tenant of a command; the id as `tenants list` shows it. */
export interface OfTenant {
  readonly tenant: string;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const unknownTenant = (id: string) =>
  fail('not_found', {
    details: { reason: 'unknown_tenant' },
    message: `this database has no Tenant ${id}`,
  });

/** @throws ApiError not_found, reason `unknown_tenant`: what is given is no id */
export function checkedId(id: string): string {
  if (!uuid.test(id)) throw unknownTenant(id);
  return id;
}

/** The Tenant's clock and suspension. @throws ApiError not_found, reason `unknown_tenant` */
export async function findTenant({ db }: Pick<OpenDatabase, 'db'>, id: string) {
  const found = await db
    .selectFrom('tenants')
    .where('tenant_id', '=', checkedId(id))
    .select(['clock_offset_ms', 'clock_at'])
    .executeTakeFirst();
  if (!found) throw unknownTenant(id);
  return found;
}

/** The part of a request that the portal's handlers take. */
export interface TenantContext {
  readonly tenantId: string;
  readonly actor: Actor;
  readonly db: OpenDatabase['db'];
  readonly now: () => Promise<Instant>;
}

/** Opens a deployment for one of its Tenants. @throws ApiError not_found, reason `unknown_tenant` */
export async function openTenant(
  deployment: Deployment,
  { tenant }: OfTenant,
): Promise<{ readonly parts: Parts; readonly context: TenantContext }> {
  const parts = await deployment.parts();
  const facts = await findTenant(parts, tenant);
  const now = async () => parts.clocks.at(tenant, facts).now;
  return { parts, context: { tenantId: tenant, actor: commandLine(), db: parts.db, now } };
}

const Reason = Closed({ reason: Text(500) });

/** @throws ApiError parameter_invalid, param `reason` */
export const checkReason = (reason: string): void => assertShape(Reason, { reason });
