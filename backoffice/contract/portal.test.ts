import { errorStatus } from '@tenant-payments/contract/core/errors.ts';
import { mayCall, roles } from '@tenant-payments/contract/core/roles.ts';
import { portalDocument } from '@tenant-payments/contract/emit/openapi/portal.ts';
import { replyCodes } from '@tenant-payments/contract/resources/errors.ts';
import { describe, expect, test } from 'vitest';
import { portalEndpoints } from './catalog.ts';
import type { PortalEndpoint } from './endpoint.ts';

const allEndpoints = Object.entries<PortalEndpoint>(portalEndpoints);

test.each(allEndpoints)(
  '%s is listed under its id, with its path, its roles and what its method may have',
  (id, { id: own, method, path, params, body, query, idempotent, may }) => {
    expect(own).toBe(id);
    expect(path).toMatch(/^\/portal\/api\/[a-z]/);
    const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    expect(Object.keys(params?.properties ?? {})).toEqual(inPath);
    for (const role of typeof may === 'string' ? [] : may) expect(roles).toContain(role);
    // A move takes a key, since it may be sent twice; writing settings twice changes nothing.
    const isKeyed = ['reviewRecord', 'createApproval', 'addCaseNote', 'simulateMove'].includes(id);
    expect(idempotent).toBe(isKeyed ? 'honored' : 'none');
    expect(method === 'GET' ? body : query).toBeUndefined();
  },
);

test.each(['reader', 'support'] as const)('the role %s changes nothing', (role) => {
  // By an owner's consent, and it changes the own session alone.
  for (const [id, { method, may }] of allEndpoints)
    if (method !== 'GET' && typeof may !== 'string' && id !== 'enterTenant')
      expect(mayCall(may, [role]), id).toBe(false);
});

test('two operations need no Origin, and neither takes a token or a cookie', () => {
  const ofPrograms = allEndpoints.filter(([, { from }]) => from === 'program');
  expect(ofPrograms.map(([id]) => id)).toEqual(['beginDeviceSignIn', 'pollDeviceSignIn']);
  for (const [, { may, authenticated }] of ofPrograms)
    expect([may, authenticated]).toEqual(['anybody', false]);
});

test('no two operations share method and path', () => {
  const keys = allEndpoints.map(([, { method, path }]) => `${method} ${path}`);
  expect(new Set(keys).size).toBe(keys.length);
});

test('only the operation that creates a secret shows it', () => {
  const secret = allEndpoints.filter(
    ([, { method, success }]) =>
      method !== 'GET' && JSON.stringify(success.schema).includes('"x-secret":true'),
  );
  // A Customer has a field for its session's token, null except at creation. Approving an invitation makes its link.
  const expected = [
    'approvePlatformApproval',
    'beginDeviceSignIn',
    'beginSingleSignOn',
    'beginSingleSignOnLink',
    'beginSingleSignOnStepUp',
    'createApiKey',
    'createCredential',
    'createFurtherEndpoint',
    'createInvitation',
    'createSandboxTenant',
    'createSignInLink',
    'createStaffInvitation',
    'createTemporaryClient',
    'createTenant',
    'createWebhookSecret',
    'finishAcceptance',
    'pollDeviceSignIn',
    'replaceMyRecoveryCodes',
    'reviewRecord',
  ];
  expect(secret.map(([id]) => id).sort()).toEqual(expected);
});

describe('the OpenAPI document', () => {
  const document = portalDocument({ baseUrl: 'http://localhost:8080' });
  const text = JSON.stringify(document);

  const resolve = (reference: string): unknown =>
    reference
      .replace(/^#\//, '')
      .split('/')
      .reduce<unknown>(
        (place, step) =>
          (place as Record<string, unknown> | undefined)?.[step.replaceAll('~1', '/')],
        document,
      );

  test('every reference in it points to a component', () => {
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, path]) => String(path));
    expect(references.length).toBeGreaterThan(50);
    for (const reference of new Set(references))
      expect(resolve(reference), reference).toBeDefined();
  });

  test('no component in it is unused', () => {
    const { securitySchemes, ...groups } = document.components as Record<string, object>;
    expect(Object.keys(securitySchemes ?? {})).toEqual([
      'oauth2',
      'apiKey',
      'session',
      'operatorKey',
    ]);
    for (const [group, members] of Object.entries(groups))
      for (const name of Object.keys(members))
        expect(text, name).toContain(`"#/components/${group}/${name}"`);
  });

  test.each(allEndpoints)('%s is in it with its roles and all its statuses', (id, endpoint) => {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    const found = resolve(`#/paths/${path.replaceAll('/', '~1')}`) as Record<string, Operation>;
    const operation = found[endpoint.method.toLowerCase()];
    expect(operation).toMatchObject({ operationId: id, 'x-may': endpoint.may });
    const statuses = replyCodes(endpoint).map((code) => errorStatus[code]);
    const expected = new Set([endpoint.success.status, ...statuses, 503].map(String));
    expect(new Set(Object.keys(operation?.responses ?? {}))).toEqual(expected);
  });

  test('every operation has a tag that the document explains', () => {
    const tags = (document.tags as { name: string }[]).map(({ name }) => name);
    const used = Object.values(document.paths as Record<string, Record<string, Operation>>)
      .flatMap((path) => Object.values(path))
      .flatMap((operation) => operation.tags);
    expect(new Set(used)).toEqual(new Set(tags));
  });

  interface Operation {
    readonly tags: string[];
    readonly responses: object;
  }
});
