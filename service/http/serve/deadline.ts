import { advanceClock } from '@tenant-payments/contract/portal/clock.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { unavailable } from '../../core/fail.ts';

/** Every request has an answer within 10 s, whatever became of what it waits for. */
const usualMs = 9_000;
/** Past the 60 s that an advance may take (decisions 2.5). */
const longer: ReadonlyMap<string | undefined, number> = new Map([[advanceClock.path, 75_000]]);

/**
 * Answers 503 when a request has waited too long: for a database that neither answers nor ends its
 * connections, which the connections' own deadlines find out one after the other. What was begun goes
 * on and may still commit, as with any 503: the same key tells. The time in which the body comes is
 * the listener's to bound.
 */
export function keepDeadlines(app: FastifyInstance, deadlineMs = usualMs): void {
  const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>();
  const disarm = (request: FastifyRequest) => clearTimeout(timers.get(request));

  function arm(request: FastifyRequest, reply: FastifyReply): void {
    const { url } = request.routeOptions;
    const answerAnyway = () => {
      if (!reply.sent) reply.send(unavailable('the answer takes too long'));
    };
    timers.set(request, setTimeout(answerAnyway, longer.get(url) ?? deadlineMs));
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
