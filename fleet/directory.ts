import { openKnownIds } from '@tenant-payments/engine/known_ids.ts';
import type { Peers, Service } from '@tenant-payments/service/service.ts';
import type { AnyCell } from './any_cell.ts';

/** A Tenant, and the cell that has it. */
export interface Placed {
  readonly tenantId: string;
  readonly service: Service;
}

/** Finds a Tenant by its id, or by that of a client (rules/cells#9). @throws ApiError 503 where its cell is away */
export type Directory = (id: string) => Promise<Placed | undefined>;

/** Tenants and clients in one: their ids are never the same. */
const idsSql = `select tenant_id::text as id, tenant_id as tenant, cell from control.tenants
  union all select c.client_id, t.tenant_id, t.cell
    from control.clients c join control.tenants t on t.tenant_id = c.tenant_id`;

/** A Tenant that another process makes, in any cell, is known without a restart. */
export function openDirectory(
  peers: Peers,
  ask: AnyCell,
  movedTo: (tenantId: string) => string | undefined,
): Directory {
  const known = openKnownIds(async () => {
    const rows = await ask<{ id: string; tenant: string; cell: string }>({ text: idsSql });
    return new Map(rows.map(({ id, ...found }) => [id, found]));
  });
  return async (id) => {
    const found = await known(id);
    if (found === undefined) return undefined;
    const { tenant: tenantId, cell } = found;
    const service = peers.at(movedTo(tenantId) ?? cell);
    return service && { tenantId, service };
  };
}
