import { refusalLine, refusedHeader } from '@tenant-payments/contract/sandbox/production_rules.ts';
import { atMost } from '@tenant-payments/engine/at_most.ts';
import type { RefusedInProduction } from '@tenant-payments/engine/production.ts';
import { traceFact } from '@tenant-payments/engine/trace.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';

declare module 'fastify' {
  interface FastifyRequest {
    /** In a sandbox: what production would have answered, in one line. */
    refusedInProduction: string | null;
  }
}

/** A program that asks every second has a line a minute in the log. */
const told = new LRUCache<string, true>({ ...atMost(10_000), ttl: 60_000 });

/**
 * Says of a call that a sandbox takes what production would answer (rules/sandbox#47): in a header, in the log of
 * requests and in our own. The first refusal is the one that production gives.
 */
export function tellRefused(
  log: Logger,
  request: FastifyRequest,
  reply: FastifyReply,
  { rule, error }: RefusedInProduction,
): void {
  if (request.refusedInProduction !== null) return;
  const line = refusalLine(error);
  request.refusedInProduction = line;
  reply.header(refusedHeader, line);
  const { id: request_id, tenantId: tenant_id, trace, actor, method, routeOptions } = request;
  // A person, or whoever signs in, is no program that will fail one day.
  if (!actor || actor.kind === 'person') return;
  const operation = `${method} ${routeOptions.url}`;
  const key = [tenant_id, rule, operation].join(' ');
  if (told.has(key)) return;
  told.set(key, true);
  const said = { tenant_id, request_id, ...traceFact(trace), operation, rule, refusal: line };
  log.info(said, 'refused in production');
}
