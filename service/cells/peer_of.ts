import { isUuid } from '../people/scope.ts';
import type { Service } from '../service.ts';

/** The cell of a Tenant among those that this process serves; where it is in none, the given one. */
export async function peerOf(service: Service, tenantId: string): Promise<Service> {
  const { peers, pool } = service;
  if (peers.length === 1 || !isUuid(tenantId)) return service;
  const { rows } = await pool.query<{ cell: string }>(
    'select cell from control.tenants where tenant_id = $1',
    [tenantId],
  );
  return peers.find(({ cell }) => cell === rows[0]?.cell) ?? service;
}
