import { portalEndpoints } from '@tenant-payments/backoffice/contract/catalog.ts';
import { endpoints } from '@tenant-payments/contract/catalog.ts';
import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import { hostedEndpoints } from '@tenant-payments/contract/hosted/catalog.ts';
import { expect, it } from 'vitest';
import { openServer } from '../../../test/kit/server.ts';

const server = await openServer();

const operations = [endpoints, portalEndpoints, hostedEndpoints].flatMap((catalog) =>
  Object.values<EndpointDefinition>(catalog),
);

const methodsOf = (some: readonly EndpointDefinition[]): readonly string[] => {
  const methods = some.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...new Set<string>(methods)].sort();
};

/** Every path with values: its own methods, and those of another operation that takes it for an id. */
const paths = operations.map(({ path }) => {
  const asked = path.replaceAll(/:\w+/g, 'x');
  const taken = operations.filter(({ path: other }) =>
    new RegExp(`^${other.replaceAll(/:\w+/g, '[^/]+')}$`).test(asked),
  );
  const own = taken.filter(({ path: other }) => other.replaceAll(/:\w+/g, 'x') === asked);
  return { path: asked, own: methodsOf(own), taken: methodsOf(taken) };
});

const every = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

const ask = async (method: string, url: string) => {
  const reply = await server.app.inject({ method: method as 'GET', url });
  return [reply.statusCode, reply.headers.allow];
};

it('names the methods of a path to whoever asks by another, and replies 404', async () => {
  expect(paths.length).toBeGreaterThan(200);
  for (const { path, own, taken } of paths) {
    const others = every.filter((method) => !taken.includes(method));
    expect(others.length).toBeGreaterThan(3);
    for (const method of others)
      expect(await ask(method, path), `${method} ${path}`).toEqual([404, own.join(', ')]);
  }
});

it('names them of paths without an operation too, and behind a query', async () => {
  for (const path of ['/livez', '/openapi.json', '/portal', '/hosted', '/service.json?a=/v1'])
    expect(await ask('PUT', path), path).toEqual([404, 'GET, HEAD']);
});

it('names none of a path that is unknown, and none where the method is right', async () => {
  for (const path of ['/nowhere', '/v1/nowhere', '/v1/payments/', '/v1//x', '/docs/x', '/v1/%zz'])
    expect(await ask('PUT', path), path).toEqual([404, undefined]);
  const unknown = await server.call('GET', '/v1/payments/pay_x');
  expect([unknown.status, unknown.headers.get('allow')]).toEqual([404, null]);
});
