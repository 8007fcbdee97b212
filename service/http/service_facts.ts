import type { FastifyInstance } from 'fastify';
import type { Service } from '../service.ts';
import { jsonType } from './serve/errors.ts';

/** `/service.json`: what a Tenant's network and monitoring want to know of this deployment; public. */
export function serveFacts(
  app: FastifyInstance,
  { environment, config }: Pick<Service, 'environment' | 'config'>,
): void {
  const facts = {
    environment,
    base_url: config.publicUrl,
    egress_addresses: config.egressAddresses,
    health: { live: `${config.publicUrl}/livez`, ready: `${config.publicUrl}/readyz` },
  };
  app.get('/service.json', async (_request, reply) =>
    reply
      .header('content-type', jsonType)
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(JSON.stringify(facts)),
  );
}
