import type { IncomingHttpHeaders } from 'node:http';
import { rates, sizes } from '@tenant-payments/contract/core/numbers.ts';
import { ApiError, fail } from '@tenant-payments/engine/fail.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Service } from '../../service.ts';
import { networkOf } from '../auth/network.ts';
import { openRateLimit } from '../auth/rate_limit.ts';
import { requestEvent } from '../log/security.ts';
import { jsonType, noSuchPath, sendError } from '../serve/errors.ts';

/** The receiver of messages of one provider. @throws ApiError */
type Door = (request: {
  readonly headers: Readonly<Record<string, string>>;
  readonly rawBody: Uint8Array;
  readonly query: Readonly<Record<string, string>>;
}) => Promise<void>;

const longestBody = sizes.railMessage;
const none = Buffer.alloc(0);

const tooLarge = () =>
  fail('parameter_invalid', {
    details: { reason: 'too_large', maximum: longestBody },
    message: 'the message is larger than 1 MB',
  });
const isTooLarge = (error: unknown) =>
  (error as { code?: unknown }).code === 'FST_ERR_CTP_BODY_TOO_LARGE';

/** A value that came more than once is joined, as HTTP has it. */
const joined = (values: IncomingHttpHeaders | Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : String(value)]],
    ),
  );

const nameOf = ({ params }: FastifyRequest) => (params as { readonly provider: string }).provider;

/**
 * POST /rails/{provider}: takes what an outside service sends, as bytes (rules/rails#3). Messages that are not
 * verified are counted by address; those that are have no limit.
 */
export function serveRails(
  app: FastifyInstance,
  service: Pick<Service, 'processRegistry' | 'meters' | 'log'>,
  doors: ReadonlyMap<string, Door>,
): void {
  const { log, meters } = service;
  const limit = openRateLimit(service, 'address');
  const { unverifiedMessages } = rates;

  function doorOf(request: FastifyRequest): Door {
    const door = doors.get(nameOf(request));
    if (!door) throw noSuchPath();
    return door;
  }

  async function beforeBody(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    doorOf(request);
    const before = await limit.next(networkOf(request.ip), unverifiedMessages);
    if (before?.isOver) limit.show(before, reply);
  }

  async function take(request: FastifyRequest, reply: FastifyReply) {
    const { body } = request;
    try {
      await doorOf(request)({
        headers: joined(request.headers),
        rawBody: Buffer.isBuffer(body) ? body : none,
        query: joined(request.query as Record<string, unknown>),
      });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'authentication_required') {
        requestEvent(log, request, 'access_refused', { code: error.code });
        await limit.take(networkOf(request.ip), unverifiedMessages, reply);
      }
      throw error;
    }
    return reply.code(200).header('content-type', jsonType).send('{}');
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer' },
      async (_request: unknown, body: Buffer) => body,
    );
    scope.setErrorHandler((error, request, reply) => {
      if (!isTooLarge(error)) return sendError(error, request.id, reply, log);
      meters.railMessages.inc({ provider: nameOf(request), state: 'too_large' });
      return sendError(tooLarge(), request.id, reply, log);
    });
    scope.route({
      method: 'POST',
      url: '/rails/:provider',
      bodyLimit: longestBody,
      onRequest: beforeBody,
      handler: take,
    });
  });
}
