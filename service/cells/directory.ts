import { openKnownIds } from '../core/known_ids.ts';
import type { Service } from '../service.ts';
import type { AnyCell } from './any_cell.ts';

/** A Tenant, and the cell that has it. */
export interface Placed {
  readonly tenantId: string;
  readonly service: Service;
}

/** Finds a Tenant by its id, or by that of a client (rules/cells#9). */
export type Directory = (id: string) => Promise<Placed | undefined>;

/** Tenants and clients in one: their ids are never the same. */
const idsSql = `select tenant_id::text as id, tenant_id as tenant, cell from control.tenants
  union all select c.client_id, t.tenant_id, t.cell
    from control.clients c join control.tenants t on t.tenant_id = c.tenant_id`;

/** A Tenant that another process makes, in any cell, is known without a restart. */
export function openDirectory(
  services: readonly Service[],
  ask: AnyCell,
  movedTo: (tenantId: string) => string | undefined,
): Directory {
  const cells = new Map(services.map((service) => [service.cell, service]));
  const known = openKnownIds(async () => {
    const rows = await ask<{ id: string; tenant: string; cell: string }>({ text: idsSql });
    const served = rows.flatMap(({ id, tenant, cell }): [string, Placed][] => {
      const service = cells.get(cell);
      return service ? [[id, { tenantId: tenant, service }]] : [];
    });
    return new Map(served);
  });
  return async (id) => {
    const placed = await known(id);
    if (placed === undefined) return undefined;
    const service = cells.get(movedTo(placed.tenantId) ?? '');
    return service ? { ...placed, service } : placed;
  };
}
