import { openApiDocument } from '@tenant-payments/contract/emit/openapi.ts';
import type { FastifyInstance } from 'fastify';
import { jsonType } from './errors.ts';

/** The published contract (contract: Versioning 5), made when it is first asked for. */
export function servePublished(app: FastifyInstance, baseUrl: string): void {
  let document: ReturnType<typeof openApiDocument> | null = null;
  const made = () => {
    document ??= openApiDocument({ baseUrl });
    return document;
  };
  app.get('/openapi.json', async (_request, reply) =>
    reply.header('content-type', jsonType).send(JSON.stringify(made())),
  );
  app.get('/openapi.yaml', async (_request, reply) => {
    const { stringify } = await import('yaml');
    return reply
      .header('content-type', 'application/yaml; charset=utf-8')
      .send(stringify(made(), { aliasDuplicateObjects: false, lineWidth: 0 }));
  });
}
