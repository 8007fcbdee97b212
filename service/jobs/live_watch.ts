import { readLacking } from '../resources/customers/documents/live.ts';
import type { Service } from '../service.ts';

type Needs = Pick<Service, 'db' | 'environment' | 'log'>;

/**
 * Tells each night of a Tenant of production that has customers and lacks what it needs to take more of them: it was
 * there before the release that asks for it (rules/documents#37).
 */
export async function watchLive({ db, environment, log }: Needs, tenantId: string): Promise<void> {
  if (environment === 'sandbox') return;
  const found = await db
    .selectFrom('customers')
    .where('tenant_id', '=', tenantId)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  if (!found) return;
  const lacks = await readLacking({ db, environment }, tenantId);
  if (lacks.length > 0)
    log.error(
      { alarm: 'not_live', tenant_id: tenantId, lacks },
      'a Tenant with customers takes no new ones: it lacks what production asks for',
    );
}
