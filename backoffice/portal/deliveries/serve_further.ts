import { serve, serveHandler } from '@tenant-payments/service/http/serve/serve.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { Dispatcher } from '@tenant-payments/service/webhooks/dispatch/dispatcher.ts';
import {
  addFurtherEndpoint,
  changeFurtherEndpoint,
  deleteFurtherEndpoint,
} from '@tenant-payments/service/webhooks/further_endpoints.ts';
import type { FastifyInstance } from 'fastify';
import { portalEndpoints as contract } from '../../contract/catalog.ts';
import { listFurtherEndpoints } from './further_endpoints.ts';

/** Webhook endpoints beside the first one (rules/webhooks#35). */
export function serveFurtherEndpoints(
  scope: FastifyInstance,
  service: Service,
  dispatcher: Pick<Dispatcher, 'delivers' | 'forgetSecrets'>,
): void {
  serveHandler(scope, service, contract.listFurtherEndpoints, listFurtherEndpoints);
  // A Tenant without an enabled one wakes the loop in vain, and finds nothing.
  const changed = (tenantId: string) => {
    dispatcher.delivers(tenantId, true, 'further');
    dispatcher.forgetSecrets(tenantId);
  };
  const add = addFurtherEndpoint(service);
  serve(scope, service, contract.createFurtherEndpoint, add, changed);
  serve(scope, service, contract.changeFurtherEndpoint, changeFurtherEndpoint, changed);
  serve(scope, service, contract.deleteFurtherEndpoint, deleteFurtherEndpoint, changed);
}
