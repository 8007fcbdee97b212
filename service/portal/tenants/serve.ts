import { portalEndpoints as contract } from '@tenant-payments/contract/portal/catalog.ts';
import type { FastifyInstance } from 'fastify';
import { overCells } from '../../cells/over_cells.ts';
import { serveHandler } from '../../http/serve/serve.ts';
import type { Service } from '../../service.ts';
import { makeTenant } from '../../tenants/operator.ts';
import { serveRead } from '../serve_read.ts';
import { serveWrite } from '../serve_write.ts';
import { tenantActs } from './acts.ts';
import { getTenant } from './detail.ts';
import { listTenants } from './list.ts';

/** The Tenants themselves: made, seen, suspended and resumed by staff. */
export function serveTenants(scope: FastifyInstance, service: Service): void {
  serveRead(scope, service, contract.listTenants, overCells(service, 'newest_first', listTenants));
  serveRead(scope, service, contract.getTenant, getTenant(service));
  // Its row of the audit is written with the Tenant's own.
  serveHandler(scope, service, contract.createTenant, makeTenant(service));
  const acts = tenantActs(service);
  serveWrite(scope, service, contract.suspendTenant, acts.suspend);
  serveWrite(scope, service, contract.resumeTenant, acts.resume);
}
