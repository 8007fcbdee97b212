import { Readable } from 'node:stream';
import { fail } from '@tenant-payments/engine/fail.ts';
import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { schemaOf } from '@tenant-payments/service/http/serve/serve.ts';
import { keepProof } from '@tenant-payments/service/invariants/keep_proof.ts';
import { verifyInSteps } from '@tenant-payments/service/invariants/verify.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { FastifyInstance } from 'fastify';
import { proveLedger as contract } from '../../contract/records/ledger.ts';

const message = (event: string, data: object): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * GET /portal/api/ledger/proof: what `verifyLedger` answers, told step by step. It ends with its reader,
 * and a Tenant has one at a time, since each holds a connection to the database.
 */
export function serveProof(
  scope: FastifyInstance,
  service: Pick<Service, 'pool' | 'log' | 'clocks' | 'processRegistry'>,
): void {
  const { pool, log } = service;
  const running = new Map<string, AbortController>();

  function start(tenantId: string): Readable {
    const ended = new AbortController();
    running.set(tenantId, ended);
    const stream = new Readable({ read() {} });
    // Its reader has gone.
    stream.on('error', () => {});
    stream.on('close', () => ended.abort());
    const tell = (event: string, data: object) =>
      void (!stream.destroyed && stream.push(message(event, data)));
    const prove = () =>
      verifyInSteps(pool, tenantId, {
        tell: (progress) => tell('progress', progress),
        signal: ended.signal,
      });
    keepProof(service, { tenantId, cause: 'person' }, prove)
      .then((proof) => tell('proof', proof))
      .catch((error: unknown) => {
        if (!ended.signal.aborted) log.error({ fault: faultFacts(error) }, 'a proof failed');
        tell('failed', {});
      })
      .finally(() => {
        running.delete(tenantId);
        if (!stream.destroyed) stream.push(null);
      });
    return stream;
  }

  scope.addHook('preClose', async () => {
    for (const ended of running.values()) ended.abort();
  });
  scope.route({
    method: contract.method,
    url: contract.path,
    schema: schemaOf(contract),
    config: { endpoint: contract },
    async handler({ tenantId }, reply) {
      if (running.has(tenantId)) throw fail('invalid_state', { details: { reason: 'proof_runs' } });
      return reply
        .header('content-type', 'text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(start(tenantId));
    },
  });
}
