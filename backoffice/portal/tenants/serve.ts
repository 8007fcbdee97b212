import { overCells } from '@tenant-payments/service/cells/over_cells.ts';
import { serveHandler } from '@tenant-payments/service/http/serve/serve.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { FastifyInstance } from 'fastify';
import { portalEndpoints as contract } from '../../contract/catalog.ts';
import { alsoAsFile } from '../../files/list_file.ts';
import { serveRead } from '../../serve/read.ts';
import { makeTenant } from '../../tenants/operator.ts';
import { tenantActs } from './acts.ts';
import { getTenant } from './detail.ts';
import { tenantFile } from './file.ts';
import { listTenants } from './list.ts';

/** The Tenants themselves: made, seen, suspended and resumed by staff. */
export function serveTenants(scope: FastifyInstance, service: Service): void {
  const list = overCells(service, 'newest_first', listTenants);
  serveRead(scope, service, contract.listTenants, alsoAsFile(list, tenantFile));
  serveRead(scope, service, contract.getTenant, getTenant(service));
  // Its row of the audit is written with the Tenant's own.
  serveHandler(scope, service, contract.createTenant, makeTenant(service));
  const acts = tenantActs(service);
  serveHandler(scope, service, contract.suspendTenant, acts.suspend);
  serveHandler(scope, service, contract.resumeTenant, acts.resume);
}
