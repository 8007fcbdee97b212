import { expect, test } from 'vitest';
import { openServer, startTestServer } from '../../test/kit/server.ts';
import { portalEndpoints } from '../contract/catalog.ts';

const server = await openServer();

/** The routes that Fastify has registered, read out of its own tree: `GET /portal/api/clock`. */
function registered(): string[] {
  const above: string[] = [];
  return server.app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] =
        /^([│ ]*)[├└]── ([^ ]*)(?: \(([^)]*)\))?$/.exec(line) ?? [];
      const depth = indent.length / 4;
      above.splice(depth, above.length, part);
      const path = above.join('');
      return methods
        .split(', ')
        .filter((method) => method !== '' && method !== 'HEAD')
        .map((method) => `${method} ${path}`);
    });
}

/** The documents describe the portal's JSON and are not of it. */
const documents = ['GET /portal/api/openapi.json', 'GET /portal/api/openapi.yaml'];

test("the portal's OpenAPI document has exactly the routes that are served", async () => {
  const { status, body } = await server.call('GET', '/portal/api/openapi.json', { token: null });
  expect(status).toBe(200);
  const described = Object.entries<object>(body.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map(
      (method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    ),
  );
  const served = registered().filter((route) => / \/portal\/api\//.test(route));
  expect([...described, ...documents].sort()).toEqual(served.sort());
  expect(described).toHaveLength(Object.keys(portalEndpoints).length);
});

test('the document needs no token, names this deployment and is YAML too', async () => {
  const { body } = await server.call('GET', '/portal/api/openapi.json', { token: null });
  expect(body).toMatchObject({
    openapi: '3.1.0',
    servers: [{ url: server.service.config.publicUrl }],
  });
  const yaml = await server.call('GET', '/portal/api/openapi.yaml', { token: null });
  expect(yaml.headers.get('content-type')).toMatch(/^application\/yaml/);
  expect(yaml.body).toMatch(/^openapi: 3\.1\.0\n/);
});

test('in production the document is served too', async () => {
  const production = await startTestServer({ environment: 'production' });
  const document = await production.call('GET', '/portal/api/openapi.json', { token: null });
  expect(document.status).toBe(200);
  await production.stop();
});
