import type { Service } from '@tenant-payments/service/service.ts';
import type { FastifyInstance } from 'fastify';
import { portalEndpoints as contract } from '../../contract/catalog.ts';
import { getDeskSummary } from '../../desk/summary.ts';
import { serveRead } from '../../serve/read.ts';
import { openPlatformAttention } from './platform.ts';
import { getAttention } from './tenant.ts';

/** Serves what needs a person: of a Tenant, and of all of them. */
export function serveAttention(scope: FastifyInstance, service: Service): void {
  serveRead(scope, service, contract.getAttention, getAttention(service));
  serveRead(scope, service, contract.getPlatformAttention, openPlatformAttention(service));
  serveRead(scope, service, contract.getDeskSummary, getDeskSummary(service));
}
