import { openApiDocument } from '@tenant-payments/contract/emit/openapi.ts';
import { portalDocument } from '@tenant-payments/contract/emit/portal_openapi.ts';
import type { FastifyInstance } from 'fastify';
import { jsonType } from './errors.ts';

const documents = { '/openapi': openApiDocument, '/portal/api/openapi': portalDocument };

/**
 * The published documents, for everybody, each made when it is first asked for: the contract
 * (contract: Versioning 5) and the portal's JSON (surfaces, HTTP).
 */
export function servePublished(app: FastifyInstance, baseUrl: string): void {
  for (const [path, make] of Object.entries(documents)) {
    let document: ReturnType<typeof make> | null = null;
    const made = () => {
      document ??= make({ baseUrl });
      return document;
    };
    app.get(`${path}.json`, async (_request, reply) =>
      reply.header('content-type', jsonType).send(JSON.stringify(made())),
    );
    app.get(`${path}.yaml`, async (_request, reply) => {
      const { stringify } = await import('yaml');
      return reply
        .header('content-type', 'application/yaml; charset=utf-8')
        .send(stringify(made(), { aliasDuplicateObjects: false, lineWidth: 0 }));
    });
  }
}
