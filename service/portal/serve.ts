import type {
  BodyOf,
  EndpointDefinition,
  ParamsOf,
} from '@tenant-payments/contract/core/endpoint.ts';
import type { FastifyInstance } from 'fastify';
import { serveRead } from '../http/serve/serve.ts';
import type { ReadContext, Service } from '../service.ts';

/**
 * Registers an operation of the portal that changes something outside the engine: settings,
 * endpoints, secrets, the clock. The same layer validates, authenticates and answers.
 */
export function serveWrite<E extends EndpointDefinition>(
  scope: FastifyInstance,
  service: Service,
  endpoint: E,
  handler: (context: ReadContext, input: ParamsOf<E> & BodyOf<E>) => Promise<object>,
): void {
  serveRead(scope, service, endpoint, (context, input) =>
    handler(context, input as unknown as ParamsOf<E> & BodyOf<E>),
  );
}
