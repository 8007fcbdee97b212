import { openKnownIds } from '../core/known_ids.ts';
import type { Service } from '../service.ts';

/** Which cell has a Tenant, or a Tenant's client (rules/cells#9). */
export type Directory = (id: string) => Promise<Service | undefined>;

/** Tenants and clients in one: their ids are never the same. */
const idsSql = `select tenant_id::text as id, cell from control.tenants
  union all select c.client_id, t.cell
    from control.clients c join control.tenants t on t.tenant_id = c.tenant_id`;

/** A Tenant that another process makes, in any cell, is known without a restart. */
export function openDirectory([first, ...others]: readonly [Service, ...Service[]]): Directory {
  const cells = new Map([first, ...others].map((service) => [service.cell, service]));
  return openKnownIds(async () => {
    const { rows } = await first.pool.query<{ id: string; cell: string }>(idsSql);
    const served = rows.flatMap(({ id, cell }): [string, Service][] => {
      const service = cells.get(cell);
      return service ? [[id, service]] : [];
    });
    return new Map(served);
  });
}
