import { requestCollection } from '@tenant-payments/contract/emit/collection/collection.ts';
import { openApiDocument } from '@tenant-payments/contract/emit/openapi/openapi.ts';
import { portalDocument } from '@tenant-payments/contract/emit/openapi/portal.ts';
import type { FastifyInstance } from 'fastify';
import { jsonType } from '../serve/errors.ts';

type Make = (where: { readonly baseUrl: string }) => object;

const documents: Readonly<Record<string, Make>> = {
  '/openapi': openApiDocument,
  '/portal/api/openapi': portalDocument,
};

/** Made on the first request, and kept. */
function once(make: Make, baseUrl: string): () => object {
  let made: object | null = null;
  return () => {
    made ??= make({ baseUrl });
    return made;
  };
}

/**
 * The published files, public (rules/operations#35): the contract as OpenAPI and as a request
 * collection, and the portal's JSON. They name this deployment's address.
 */
export function servePublished(app: FastifyInstance, baseUrl: string): void {
  const serveJson = (path: string, made: () => object) =>
    app.get(path, async (_request, reply) =>
      reply.header('content-type', jsonType).send(JSON.stringify(made())),
    );
  for (const [path, make] of Object.entries(documents)) {
    const made = once(make, baseUrl);
    serveJson(`${path}.json`, made);
    app.get(`${path}.yaml`, async (_request, reply) => {
      const { stringify } = await import('yaml');
      return reply
        .header('content-type', 'application/yaml; charset=utf-8')
        .send(stringify(made(), { aliasDuplicateObjects: false, lineWidth: 0 }));
    });
  }
  serveJson('/collection.json', once(requestCollection, baseUrl));
}
