import { portalEndpoints } from '@tenant-payments/backoffice/contract/catalog.ts';
import { endpoints } from '@tenant-payments/contract/catalog.ts';
import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import { textPattern } from '@tenant-payments/contract/core/schema.ts';
import { textRule } from '@tenant-payments/contract/emit/openapi/roles.ts';
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { documents, type Json, places, schemasUnder } from './documents.ts';

const inRole = (role: string) => places.filter((place) => place.role === role);

test('a request names all that it takes: an object is closed, a value is of its list', () => {
  const bodies = inRole('request').filter(
    // OAuth wants a token endpoint to ignore what it does not know (RFC 6749, 3.2).
    ({ name }) => name.endsWith(' body') && name !== 'createToken body',
  );
  expect(bodies.length).toBeGreaterThan(60);
  const schemas = bodies.flatMap(schemasUnder);
  for (const schema of schemas.filter(({ properties }) => properties !== undefined))
    if (schema.type === 'object')
      expect(schema.additionalProperties, JSON.stringify(schema)).toBe(false);
  expect(JSON.stringify(schemas)).not.toContain('x-extensible-enum');
  expect(schemas.filter(({ enum: values }) => values !== undefined).length).toBeGreaterThan(20);
});

const bounded = /^(enum|pattern|propertyNames|unique\w+|(min|max)(imum|Length|Items|Properties))$/;

test('a reply and an event exclude no field, no value and no length', () => {
  const schemas = [...new Set(inRole('reply').flatMap(schemasUnder))];
  expect(schemas.length).toBeGreaterThan(500);
  for (const schema of schemas) {
    // `properties` has the names of fields as keywords.
    if (schema.type === undefined) continue;
    expect(schema.additionalProperties).not.toBe(false);
    expect(Object.keys(schema).filter((keyword) => bounded.test(keyword))).toEqual([]);
  }
});

test('an open value lists what it is today, for programs and in words', () => {
  const open = inRole('reply')
    .flatMap(schemasUnder)
    .filter((schema) => Array.isArray(schema['x-extensible-enum']));
  expect(open.length).toBeGreaterThan(100);
  for (const { type, description, 'x-extensible-enum': values } of open) {
    expect([type].flat()).toContain('string');
    for (const value of values as string[]) expect(description).toContain(`\`${value}\``);
  }
});

const patternsIn = (part: unknown): string[] =>
  typeof part !== 'object' || part === null
    ? []
    : Object.entries(part).flatMap(([key, inner]) =>
        key === 'pattern' && typeof inner === 'string' ? [inner] : patternsIn(inner),
      );

test('every published pattern is one that RE2 takes, and so Go, Rust and Pydantic', () => {
  const patterns = [...new Set(patternsIn(documents))];
  expect(patterns.length).toBeGreaterThan(5);
  for (const pattern of patterns) expect(() => RE2JS.compile(pattern), pattern).not.toThrow();
  // Patterns that RE2 takes from a JavaScript program but not from Rust: escapes of UTF-16.
  for (const pattern of patterns) expect(pattern).not.toMatch(/\\u/);
  for (const bad of ['(?=a)', '(?<!a)', '(a)\\1', '[\\uD800-\\uDFFF]'])
    expect(() => RE2JS.compile(bad), bad).toThrow();
});

const served = Object.entries({ contract: endpoints, portal: portalEndpoints }).flatMap(
  ([document, catalog]) =>
    Object.values<EndpointDefinition>(catalog).map(
      (endpoint) => [document, endpoint.id, endpoint] as const,
    ),
);

const times = (text: string, part: string): number => text.split(part).length - 1;

test.each(served)(
  '%s %s: what its texts may not hold is said in words',
  (document, id, endpoint) => {
    const { params, query, body } = endpoint;
    const asked = times(JSON.stringify([params, query, body]), JSON.stringify(textPattern));
    const said = inRole('request')
      .filter((place) => place.document === document && place.operationId === id)
      .flatMap(schemasUnder)
      .filter(({ description }) => String(description).includes(textRule));
    expect(said).toHaveLength(asked);
  },
);

test.each(Object.entries(documents))('%s says where to ask', (_name, { info }) => {
  expect((info as Json).contact).toEqual({
    name: 'Tenant Payments',
    url: 'http://localhost:8080/docs/reporting',
  });
});
