import { mayCall, seesPersonalData } from '@tenant-payments/contract/core/roles.ts';
import type { Actor } from '@tenant-payments/engine/actor.ts';
import {
  type Access,
  type AccessNotes,
  readerOf,
} from '@tenant-payments/service/http/files/access.ts';
import { sentMethod } from '@tenant-payments/service/http/head.ts';
import { jsonType } from '@tenant-payments/service/http/serve/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PortalEndpoint } from '../contract/endpoint.ts';

const recordOf = ({ params }: FastifyRequest): string =>
  (params as Readonly<Record<string, string>>).id ?? '';

/** Whether a reply is of the caller's Tenant alone: what is of several leaves its rows with each (rules/audit#20). */
function isOfTenant({ of }: PortalEndpoint, { query }: FastifyRequest): boolean {
  const { scope = 'tenant' } = query as { readonly scope?: string };
  return of === 'tenant' || (of === 'tenant_or_platform' && scope === 'tenant');
}

/** The access to personal data by a reply, and its reader; null: nothing, or to no person. */
function accessOf(request: FastifyRequest, isFile: boolean): Access | null {
  const endpoint = request.routeOptions.config.endpoint as PortalEndpoint | undefined;
  const { tenantId } = request;
  const actor = request.actor as Actor | undefined;
  const kind = endpoint?.access;
  if (!endpoint || kind === undefined || !actor || tenantId === '') return null;
  if (sentMethod(request) === 'HEAD' || !isOfTenant(endpoint, request)) return null;
  const reader = readerOf(actor);
  if (reader === null || !mayCall(seesPersonalData, actor.roles)) return null;
  const isExport = kind === 'export';
  if (isExport !== isFile) return null;
  return {
    ...reader,
    tenantId,
    apiKeyId: actor.kind === 'api_key' ? actor.id : null,
    kind,
    record: isExport ? endpoint.id : recordOf(request),
    address: request.ip,
    requestId: request.id,
  };
}

/** Whoever is shown personal data of one record, or gets a file of many, leaves a row before the reply. */
export function noteReads(scope: FastifyInstance, note: AccessNotes): void {
  scope.addHook('onSend', async (request, reply) => {
    if (reply.statusCode !== 200) return;
    const access = accessOf(request, reply.getHeader('content-type') !== jsonType);
    if (access) await note(access);
  });
}
