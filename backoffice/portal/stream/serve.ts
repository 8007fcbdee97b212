import { actorName } from '@tenant-payments/engine/actor.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { inputOf, schemaOf } from '@tenant-payments/service/http/serve/serve.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { FastifyInstance } from 'fastify';
import {
  openStream as contract,
  type StreamType,
  streamTypes,
} from '../../contract/traffic/stream.ts';
import { shownTo } from '../../serve/read.ts';
import { resumeOf } from './client.ts';
import { openFeed } from './feed.ts';
import { openStreams, type StreamTimes } from './streams.ts';

const isType = (text: string): text is StreamType =>
  (streamTypes as readonly string[]).includes(text);

/** @throws ApiError parameter_invalid */
function typesOf(text: string): ReadonlySet<StreamType> {
  const types = text.split(',');
  if (types.every(isType)) return new Set(types);
  throw fail('parameter_invalid', {
    param: 'types',
    details: { reason: 'format', allowed: streamTypes },
  });
}

/**
 * GET /portal/api/stream (rules/operations#60).
 * @param isReady false: this process drains, and ends what is open
 */
export function serveStream(
  scope: FastifyInstance,
  { db, log }: Pick<Service, 'db' | 'log'>,
  isReady: () => boolean,
  times: Partial<StreamTimes> = {},
): void {
  const streams = openStreams(openFeed(db), log, isReady, times);
  scope.addHook('preClose', async () => streams.close());
  scope.route({
    method: contract.method,
    url: contract.path,
    schema: schemaOf(contract),
    config: { endpoint: contract },
    async handler(request, reply) {
      const types = typesOf(inputOf<typeof contract>(request).types);
      const header = request.headers['last-event-id'];
      const resume = resumeOf(header === undefined ? undefined : String(header));
      const { tenantId, actor } = request;
      const client = await streams.open({
        tenantId,
        caller: actor.personId ?? actorName(actor),
        types,
        resume,
        isAllowed: request.isStillAllowed,
        show: shownTo(actor.roles),
      });
      return reply
        .header('content-type', 'text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(client.stream);
    },
  });
}
