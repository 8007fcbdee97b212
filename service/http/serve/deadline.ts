import { unavailable } from '@tenant-payments/engine/fail.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends the wait for its reply. */
    deadline: NodeJS.Timeout | undefined;
  }
}

/** Every request is answered within 9 s (rules/errors#9). */
const usualMs = 9_000;

/**
 * Replies 503 when a request takes too long, such as when the database neither answers nor ends its
 * connections. The command goes on and may still commit; a retry with the same key gives its result.
 * The time for the body is not counted: the listener limits it.
 */
export function keepDeadlines(app: FastifyInstance, deadlineMs = usualMs): void {
  app.decorateRequest('deadline', undefined);
  const disarm = ({ deadline }: FastifyRequest) => clearTimeout(deadline);

  function arm(request: FastifyRequest, reply: FastifyReply): void {
    const { longestMs } = request.routeOptions.config.endpoint ?? {};
    const replyLate = () => {
      if (!reply.sent)
        reply.send(
          unavailable('the request takes too long; send it again with the same key', 1, 'late'),
        );
    };
    request.deadline = setTimeout(replyLate, longestMs ?? deadlineMs);
  }

  app.addHook('onRequest', (request, reply, done) => {
    arm(request, reply);
    done();
  });
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    disarm(request);
    done();
  });
  app.addHook('preValidation', (request, reply, done) => {
    arm(request, reply);
    done();
  });
  app.addHook('onSend', (request, _reply, _payload, done) => {
    disarm(request);
    done();
  });
}
