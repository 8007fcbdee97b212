import { once } from '@tenant-payments/engine/once.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { jsonType } from '../serve/errors.ts';

type Make = (where: { readonly baseUrl: string }) => object;

/** Each is loaded by the first request: a start does not wait for what makes them. */
const openApi = async (): Promise<Make> =>
  (await import('@tenant-payments/contract/emit/openapi/openapi.ts')).openApiDocument;
const portal = async (): Promise<Make> =>
  (await import('@tenant-payments/contract/emit/openapi/portal.ts')).portalDocument;
const collection = async (): Promise<Make> =>
  (await import('@tenant-payments/contract/emit/collection/collection.ts')).requestCollection;

const documents: Readonly<Record<string, () => Promise<Make>>> = {
  '/openapi': openApi,
  '/portal/api/openapi': portal,
};

/** Tools that run in a browser may read them from their own pages. */
const forAll = (reply: FastifyReply): FastifyReply =>
  reply
    .header('access-control-allow-origin', '*')
    .header('cross-origin-resource-policy', 'cross-origin');

/**
 * The published files, public (rules/operations#35): the contract as OpenAPI and as a request
 * collection, and the portal's JSON. They name this deployment's address.
 */
export function servePublished(app: FastifyInstance, baseUrl: string): void {
  const serveJson = (path: string, made: () => Promise<object>) =>
    app.get(path, async (_request, reply) =>
      forAll(reply)
        .header('content-type', jsonType)
        .send(JSON.stringify(await made())),
    );
  const madeBy = (load: () => Promise<Make>) => once(async () => (await load())({ baseUrl }));
  for (const [path, load] of Object.entries(documents)) {
    const made = madeBy(load);
    serveJson(`${path}.json`, made);
    app.get(`${path}.yaml`, async (_request, reply) => {
      const { stringify } = await import('yaml');
      return forAll(reply)
        .header('content-type', 'application/yaml; charset=utf-8')
        .send(stringify(await made(), { aliasDuplicateObjects: false, lineWidth: 0 }));
    });
  }
  serveJson('/collection.json', madeBy(collection));
}
