import type { PortalEndpoint } from '@tenant-payments/contract/portal/endpoint.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../core/actor.ts';
import { faultFacts } from '../../core/fault.ts';
import { type AuditRow, appendAuditRows } from '../../core/write/flush_audit.ts';
import type { Service } from '../../service.ts';
import { actOf, recordOf, scopeOf } from './acts.ts';
import { tellAudit } from './append.ts';

const params = (request: FastifyRequest) => request.params as Readonly<Record<string, string>>;

/** Whether the reply refuses a write of somebody who is known. A rate limit is told in the log alone. */
function isRefusedWrite({ method, actor }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  const isKnown = (actor as Actor | undefined) !== undefined;
  return isKnown && method !== 'GET' && statusCode >= 400 && statusCode < 500 && statusCode !== 429;
}

const codeIn = (payload: unknown): string =>
  (JSON.parse(String(payload)) as { error: { code: string } }).error.code;

/**
 * An `onSend` hook: a refused write of a known caller is a row of the audit before it is answered
 * (rules/audit#3). One that cannot be written is an alarm, and the refusal is answered all the same.
 */
export const auditRefusals =
  ({ control, log }: Pick<Service, 'control' | 'log'>) =>
  async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<void> => {
    const endpoint = request.routeOptions.config.endpoint as PortalEndpoint | undefined;
    if (!endpoint || !isRefusedWrite(request, reply)) return;
    const { actor } = request;
    try {
      const { text, values } = appendAuditRows([
        {
          scope: scopeOf(endpoint, request),
          actor,
          act: actOf(endpoint, params(request)),
          record: recordOf(params(request)),
          outcome: codeIn(payload),
        },
      ]);
      tellAudit(log, (await control.query<AuditRow>(text, values)).rows);
    } catch (error) {
      const facts = { request_id: request.id, fault: faultFacts(error) };
      log.error({ alarm: 'audit', ...facts }, 'a refusal could not be written to the audit');
    }
  };
