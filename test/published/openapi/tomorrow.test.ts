import { expect, test } from 'vitest';
import { problemsOf } from '../../kit/compile.ts';
import { documents, faults, type Json, type Place, places } from './documents.ts';
import { oazapftsOf, openapiTypescriptOf, quicktypeOf, zodOf } from './generators.ts';
import { closed, newValue, tomorrowOf } from './releases.ts';

/** Replies that succeed, and events, each as a later release sends it. */
const received = places
  .filter(({ name, role }) => role === 'reply' && / (2\d\d|body)$/.test(name))
  .map((place) => ({
    ...place,
    today: place.examples[0],
    value: tomorrowOf(place.document, place.schema, place.examples[0]),
  }));
type Received = (typeof received)[number];

const of = (document: string) => received.filter((one) => one.document === document);
const document = documents.contract as Json;
const before = closed(document) as Json;

test('a reply of tomorrow has what no release names yet, and fits what is published today', () => {
  expect(received.length).toBeGreaterThan(150);
  for (const { document: name, name: at, schema, value } of received) {
    expect(JSON.stringify(value), at).toContain('field_of_tomorrow');
    expect(faults(name, schema, value), at).toBe('');
  }
  expect(JSON.stringify(received.map(({ value }) => value)).split(newValue).length).toBeGreaterThan(
    200,
  );
});

test('an event about a record of tomorrow is an event of today', () => {
  const event = {
    id: 'evt_1',
    object: 'event',
    type: 'voucher.created',
    api_version: 'v1',
    environment: 'sandbox',
    created_at: '2026-03-02T15:05:00.000Z',
    data: { object: { object: 'voucher', id: 'vou_1' }, previous_attributes: null },
  };
  expect(faults('contract', { $ref: '#/components/schemas/Event' }, event)).toBe('');
});

/** The component that a place names, if it names one. */
const componentOf = ({ schema }: Pick<Place, 'schema'>): string | null =>
  /^#\/components\/schemas\/(\w+)$/.exec(String(schema.$ref))?.[1] ?? null;
const named = (name: string) =>
  of(name).flatMap((one) => {
    const component = componentOf(one);
    return component === null ? [] : [{ ...one, component }];
  });

/** The values that a program of a generator does not take, by the places. */
function refused(name: string, read: (component: string, value: unknown) => unknown): string[] {
  return named(name).flatMap(({ name: place, component, value }) => {
    try {
      read(component, value);
      return [];
    } catch {
      return place;
    }
  });
}

test.each(['contract', 'portal'])(
  '%s: schemas of zod by hey-api take every reply and event of tomorrow',
  async (name) => {
    const made = await zodOf(documents[name] ?? {});
    expect(named(name).length).toBeGreaterThan(50);
    for (const { component } of named(name)) expect(made).toHaveProperty(`z${component}`);
    expect(refused(name, (component, value) => made[`z${component}`]?.parse(value))).toEqual([]);
  },
);

const components = [...new Set(named('contract').map(({ component }) => component))];

test('converters by quicktype take every reply and event of tomorrow', async () => {
  expect(refused('contract', await quicktypeOf(document, components))).toEqual([]);
});

test('of a document with closed replies both would refuse nearly all', async () => {
  const made = await zodOf(before);
  const byZod = refused('contract', (component, value) => made[`z${component}`]?.parse(value));
  const byQuicktype = refused('contract', await quicktypeOf(before, components));
  expect(byQuicktype).toHaveLength(named('contract').length);
  // zod drops an unknown field, so it refuses where there is a list of values.
  expect(byZod.length).toBeGreaterThan(byQuicktype.length * 0.8);
});

/** A value as code, its texts as narrow as those of a constant. */
function codeOf(value: unknown): string {
  if (typeof value === 'string') return `${JSON.stringify(value)} as const`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(codeOf).join(', ')}]`;
  const fields = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)}: ${codeOf(one)}`,
  );
  return `{ ${fields.join(', ')} }`;
}

/** The compiler's messages where each reply of tomorrow is taken for its type of today. */
function mistyped(types: string, typeOf: (one: Received & { component: string }) => string) {
  const lines = named('contract').map(
    (one, at) =>
      `const v${at} = ${codeOf(one.value)};\nexport const t${at}: ${typeOf(one)} = v${at};`,
  );
  const programs = new Map([
    ['test/published/openapi/made', types],
    [
      'test/published/openapi/program',
      `import type * as made from './made.ts';\n${lines.join('\n')}`,
    ],
  ]);
  return problemsOf(programs);
}

test('types by openapi-typescript take every reply and event of tomorrow, those of closed replies none', async () => {
  const typeOf = ({ component }: { component: string }) =>
    `made.components['schemas']['${component}']`;
  expect(mistyped(await openapiTypescriptOf(document), typeOf)).toEqual([]);
  const wrong = mistyped(await openapiTypescriptOf(before), typeOf);
  expect(wrong.length).toBeGreaterThan(named('contract').length * 0.8);
});

interface Client {
  readonly defaults: { fetch?: (url: string) => Promise<Response> };
  readonly [operation: string]: unknown;
}

/** The value that a client by oazapfts gives its caller for a reply. */
async function givenBy(client: Client, { operationId, name, value }: Received): Promise<unknown> {
  const status = Number(name.split(' ')[1]);
  client.defaults.fetch = async () => Response.json(value, { status });
  const call = client[operationId] as (...given: readonly unknown[]) => Promise<unknown>;
  return call('id', {}, {});
}

test('a client by oazapfts gives every reply of tomorrow, under types that name what it knows', async () => {
  const { text, client } = await oazapftsOf(document);
  const replies = named('contract').filter(({ name }) => !name.startsWith('receive'));
  const types = new Set([...text.matchAll(/^export type (\w+) =/gm)].map(([, name]) => name));
  for (const { component } of replies) expect(types).toContain(component);
  expect(
    mistyped(text, ({ component }) => (types.has(component) ? `made.${component}` : 'object')),
  ).toEqual([]);
  for (const one of replies)
    expect(await givenBy(client as unknown as Client, one), one.name).toMatchObject({
      data: one.value,
    });
});
