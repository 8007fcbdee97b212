import type { SecureContextOptions, TlsOptions } from 'node:tls';
import fastify, { type FastifyInstance } from 'fastify';
import { Refusal } from '../book/refusal.ts';
import type { Route } from './description.ts';

/** A request that openapi.yaml has let through. */
export interface Asked {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** `hang`: the caller gets no answer, ever. */
export type Answer = { readonly status?: number; readonly body: unknown } | 'hang';
export type Handler = (asked: Asked) => Promise<Answer> | Answer;
export type Handlers = Readonly<Record<string, Handler>>;

export type Tls = SecureContextOptions & Pick<TlsOptions, 'requestCert' | 'rejectUnauthorized'>;

const largestBody = 64 * 1_024;

function check({ checks }: Route, asked: Asked): void {
  for (const [part, isValid] of Object.entries(checks))
    if (isValid && !isValid(asked[part as keyof Asked])) {
      const [fault] = isValid.errors ?? [];
      throw new Refusal('invalid_request', `${part}${fault?.instancePath} ${fault?.message}`);
    }
}

/** Refusals of Fastify itself, such as a body that is no JSON, are the caller's fault too. */
function refusalOf(error: { statusCode?: number; message: string }): Refusal {
  if (error instanceof Refusal) return error;
  const isTheirs = (error.statusCode ?? 500) < 500;
  return new Refusal(isTheirs ? 'invalid_request' : 'unavailable', error.message);
}

/**
 * One of the two doors. Each reply waits until all of the book is kept: what is said survives.
 * @param tls null: plain HTTP
 */
export function openDoor(
  routes: readonly Route[],
  handlers: Handlers,
  settled: () => Promise<void>,
  tls: Tls | null,
): FastifyInstance {
  const shared = { bodyLimit: largestBody, forceCloseConnections: true };
  const app = (tls ? fastify({ ...shared, https: tls }) : fastify(shared)) as FastifyInstance;
  app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
    const { status, code, message } = refusalOf(error);
    return reply.status(status).send({ code, message });
  });
  app.setNotFoundHandler((_request, reply) =>
    reply.status(404).send({ code: 'not_found', message: 'there is no such operation' }),
  );
  for (const route of routes) {
    const handler = handlers[route.id];
    if (!handler) throw new Error(`openapi.yaml has ${route.id}, and the bank does not`);
    app.route({
      method: route.method,
      url: route.path,
      handler: async (request, reply) => {
        const { params, query, body } = request;
        const asked = { params, query: { ...(query as object) }, body } as Asked;
        check(route, asked);
        const answer = await handler(asked);
        await settled();
        if (answer === 'hang') return reply.hijack();
        return reply.status(answer.status ?? 200).send(answer.body);
      },
    });
  }
  return app;
}
