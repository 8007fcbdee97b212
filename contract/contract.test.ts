import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { endpoints, eventTypes, lifecycles, secretFields, simulateNames } from './catalog.ts';
import type { EndpointDefinition } from './core/endpoint.ts';
import { errorStatus } from './core/errors.ts';
import type { Move } from './core/lifecycle.ts';
import { MetadataFilter } from './core/metadata.ts';
import { openApiDocument } from './emit/openapi/openapi.ts';
import { moveRows } from './lifecycles.ts';
import { errorMeanings, replyCodes } from './resources/errors.ts';
import { deliveryOffsetsSeconds } from './resources/webhook_events.ts';

const allEndpoints = Object.entries<EndpointDefinition>(endpoints);

test('the secret fields are these and no others', () => {
  expect(secretFields).toEqual([
    'access_token',
    'client_secret',
    'download_url',
    'link_token',
    'pin',
    'public_token',
    'result_token',
    'token',
  ]);
});

describe('lifecycles', () => {
  // Exceptions (rules/events#3): moves whose event is not named after the state they lead to.
  const namedOtherwise: Readonly<Record<string, string | null>> = {
    'session.create': null,
    'owner.invite': 'owner.invited',
    'owner.add': 'owner.pending',
    'document_acceptance.accept': 'document_acceptance.accepted',
    'document_acceptance.publish': 'document_acceptance.pending_acceptance',
    'transaction.post': 'transaction.posted',
    'statement.issue': 'statement.available',
    'reconciliation_report.issue': 'reconciliation_report.available',
    'account.reactivate': 'account.reactivated',
    'account.wake': 'account.reactivated',
  };

  // A move that keeps the status emits `updated`, except these.
  const namedAfterKeptStatus: Readonly<Record<string, string>> = {
    'owner.resend': 'owner.invited',
  };

  function expectedEvent(resource: string, name: string, move: Move): string | null {
    const key = `${resource}.${name}`;
    if (key in namedOtherwise) return namedOtherwise[key] ?? null;
    if (move.from === 'new') return `${resource}.created`;
    if (move.to === 'same') return namedAfterKeptStatus[key] ?? `${resource}.updated`;
    return `${resource}.${move.to}`;
  }

  test.each(moveRows)('the event of $resource $name follows the naming rule', (row) => {
    expect(row.move.event).toBe(expectedEvent(row.resource, row.name, row.move));
  });

  test('every exception to the naming rule belongs to a move that exists', () => {
    const known = moveRows.map(({ resource, name }) => `${resource}.${name}`);
    const excepted = [...Object.keys(namedOtherwise), ...Object.keys(namedAfterKeptStatus)];
    expect(excepted.filter((key) => !known.includes(key))).toEqual([]);
  });

  test.each(Object.values(lifecycles))('every state of $resource can be reached', (table) => {
    const moves = Object.values<Move>(table.moves);
    const reached = new Set<string>();
    for (let before = -1; before < reached.size; ) {
      before = reached.size;
      for (const { from, to } of moves) {
        const begins = from === 'new' || from.some((state) => reached.has(state));
        if (begins && to !== 'same') reached.add(to);
      }
    }
    const unreached = table.states.filter((state) => !reached.has(state));
    expect(unreached).toEqual([]);
  });

  test('each lifecycle, its simulate names and its events are listed under its resource', () => {
    for (const [resource, { resource: own }] of Object.entries(lifecycles))
      expect(own).toBe(resource);
    for (const { resource, move } of moveRows) {
      if (move.event !== null) expect(eventTypes).toContain(move.event);
      if (move.simulate === undefined) continue;
      expect(simulateNames).toContain(move.simulate);
      expect(move.simulate.startsWith(`${resource}.`)).toBe(true);
    }
    expect(new Set(eventTypes).size).toBe(eventTypes.length);
    expect(new Set(simulateNames).size).toBe(simulateNames.length);
  });

  test('one simulate name and one state lead to one move', () => {
    const seen = new Set<string>();
    for (const { move } of moveRows) {
      if (move.simulate === undefined || move.from === 'new') continue;
      for (const state of move.from) {
        const key = `${move.simulate} from ${state}`;
        expect(seen.has(key), key).toBe(false);
        seen.add(key);
      }
    }
  });
});

describe('endpoints', () => {
  test.each(allEndpoints)(
    '%s is listed under its id, with its path and its keys',
    (id, definition) => {
      expect(definition.id).toBe(id);
      const inPath = [...definition.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      expect(Object.keys(definition.params?.properties ?? {})).toEqual(inPath);
      expect(definition.method === 'GET' ? definition.body : undefined).toBeUndefined();
      if (definition.method === 'GET') expect(definition.idempotent).toBe('none');
    },
  );

  test('no two endpoints share method and path', () => {
    const keys = allEndpoints.map(([, { method, path }]) => `${method} ${path}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('every list that takes metadata says how to filter by it, not what a record may hold', () => {
    const filters = allEndpoints
      .map(([id, { query }]) => [id, query?.properties.metadata] as const)
      .filter(([, filter]) => filter !== undefined);
    expect(filters.length).toBeGreaterThan(2);
    for (const [id, filter] of filters) expect([id, filter]).toEqual([id, MetadataFilter]);
  });

  test('only the token endpoint takes no access token, and it never answers authentication_required', () => {
    for (const [id, definition] of allEndpoints) {
      const asks = replyCodes(definition).includes('authentication_required');
      expect(asks, id).toBe(id !== 'createToken');
    }
  });

  test('every error code says when it applies', () => {
    expect(Object.keys(errorMeanings)).toEqual(Object.keys(errorStatus));
  });
});

test('an event is attempted twelve times, the last 72 hours after the first', () => {
  expect(deliveryOffsetsSeconds).toHaveLength(12);
  expect(deliveryOffsetsSeconds.at(-1)).toBe(72 * 3600);
  expect([...deliveryOffsetsSeconds].sort((a, b) => a - b)).toEqual([...deliveryOffsetsSeconds]);
});

describe('the OpenAPI document', () => {
  const document = openApiDocument({ baseUrl: 'http://localhost:8080' });
  const text = JSON.stringify(document);

  test('every reference in it points to a component', () => {
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, path]) => String(path));
    expect(references.length).toBeGreaterThan(100);
    for (const reference of new Set(references))
      expect(resolve(reference), reference).toBeDefined();
  });

  test('no component in it is unused', () => {
    const { securitySchemes, ...groups } = document.components as Record<string, object>;
    expect(securitySchemes).toBeDefined();
    for (const [group, members] of Object.entries(groups))
      for (const name of Object.keys(members))
        expect(text, name).toContain(`"#/components/${group}/${name}"`);
  });

  test('every endpoint is in it once, with its success and all its error statuses', () => {
    for (const [id, definition] of allEndpoints) {
      const path = definition.path.replaceAll(/:(\w+)/g, '{$1}');
      const found = resolve(`#/paths/${path.replaceAll('/', '~1')}`) as Record<string, Operation>;
      const operation = found[definition.method.toLowerCase()];
      expect(operation?.operationId).toBe(id);
      const statuses = replyCodes(definition).map((code) => errorStatus[code]);
      const expected = new Set([definition.success.status, ...statuses, 503].map(String));
      expect(new Set(Object.keys(operation?.responses ?? {}))).toEqual(expected);
    }
  });

  test('every event type is in a webhook', () => {
    const webhooks = JSON.stringify(document.webhooks);
    for (const type of eventTypes) expect(webhooks).toContain(type);
  });

  interface Operation {
    readonly operationId: string;
    readonly responses: object;
  }

  function resolve(reference: string): unknown {
    const steps = reference.replace(/^#\//, '').split('/');
    return steps.reduce<unknown>(
      (place, step) => (place as Record<string, unknown> | undefined)?.[step.replaceAll('~1', '/')],
      document,
    );
  }
});

test('the contract imports TypeBox and nothing else', () => {
  const sources = ['.', 'core', 'resources'].flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, import.meta.url)).map((name) => `./${folder}/${name}`),
  );
  expect(sources).toContain('././catalog.ts');
  for (const path of sources) {
    if (!path.endsWith('.ts') || path.includes('.test')) continue;
    const source = readFileSync(new URL(path, import.meta.url), 'utf8');
    const imported = [...source.matchAll(/from '([^'.][^']*)'/g)].map(([, name]) => name);
    expect(
      imported.filter((name) => name !== 'typebox'),
      path,
    ).toEqual([]);
  }
});
