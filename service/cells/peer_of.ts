import { isUuid } from '@tenant-payments/contract/core/ids.ts';
import type { Service } from '../service.ts';

/**
 * The cell of a Tenant among those that this process serves; where it is in none, the given one.
 * @throws ApiError 503 while it is away
 */
export async function peerOf(service: Service, tenantId: string): Promise<Service> {
  const { peers, pool } = service;
  if (peers.open.length + peers.away.size === 1 || !isUuid(tenantId)) return service;
  const { rows } = await pool.query<{ cell: string }>(
    'select cell from control.tenants where tenant_id = $1',
    [tenantId],
  );
  return peers.at(rows[0]?.cell ?? '') ?? service;
}
