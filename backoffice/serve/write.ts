import {
  type InputOf,
  serveHandler,
  tenantNow,
} from '@tenant-payments/service/http/serve/serve.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { FastifyInstance } from 'fastify';
import { actOf, scopeOf } from '../audit/acts.ts';
import { auditedWrite, idIn } from '../audit/write.ts';
import type { PortalEndpoint } from '../contract/endpoint.ts';

export interface WriteOptions<Reply> {
  /** What it changes, as it was: the audit then shows the fields that differ in the reply. */
  readonly before?: (context: ReadContext) => Promise<object>;
  /** What this process does once the change is committed. */
  readonly afterCommit?: (tenantId: string, reply: Reply) => void;
  /** False: its fields say nothing of a person, so that names in them are kept. */
  readonly isPersonal?: boolean;
}

/**
 * Registers an operation that changes something outside the engine. The change and its row of the audit
 * are one transaction (rules/audit#1), whose connection the handler gets as `db`.
 */
export function serveWrite<E extends PortalEndpoint, Reply extends object>(
  scope: FastifyInstance,
  service: Service,
  endpoint: E,
  handler: (context: ReadContext, input: InputOf<E>) => Promise<Reply>,
  { before, afterCommit, isPersonal }: WriteOptions<Reply> = {},
): void {
  serveHandler(scope, service, endpoint, async (context, input) => {
    const { tenantId, actor } = context;
    const inside = (tx: ReadContext['db']): ReadContext => ({
      ...context,
      db: tx,
      now: () => tenantNow(tx, service.clocks, tenantId),
    });
    const write = {
      scope: scopeOf(endpoint, { tenantId }),
      actor,
      act: actOf(endpoint),
      record: (reply: Reply) => idIn(input, reply),
      isPersonal,
      ...(before && {
        lock: tenantId,
        before: (tx: ReadContext['db']) => before(inside(tx)),
      }),
    };
    const reply = await auditedWrite(service, write, (tx) => handler(inside(tx), input));
    afterCommit?.(tenantId, reply);
    return reply;
  });
}
