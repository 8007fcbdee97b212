import { overCells } from '@tenant-payments/service/cells/over_cells.ts';
import { serveHandler } from '@tenant-payments/service/http/serve/serve.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { FastifyInstance } from 'fastify';
import { portalEndpoints as contract } from '../../contract/catalog.ts';
import { serveRead } from '../../serve/read.ts';
import { acknowledgeAlarm } from './acknowledge.ts';
import { countAlarms, listAlarms } from './alarms.ts';
import { openKeysStatus } from './keys.ts';
import { getOperations } from './operations.ts';
import { listLedgerProofs, listTenantProofs } from './proofs.ts';

/** How the deployment does, for the staff of the platform. */
export function serveOperations(scope: FastifyInstance, service: Service): void {
  serveRead(scope, service, contract.getOperations, getOperations(service));
  serveRead(scope, service, contract.getKeysStatus, openKeysStatus(service));
  serveRead(scope, service, contract.listAlarms, listAlarms);
  serveRead(scope, service, contract.countAlarms, countAlarms);
  serveHandler(scope, service, contract.acknowledgeAlarm, acknowledgeAlarm(service));
  serveRead(
    scope,
    service,
    contract.listTenantProofs,
    overCells(service, 'newest_first', listTenantProofs),
  );
  serveRead(scope, service, contract.listLedgerProofs, listLedgerProofs);
}
