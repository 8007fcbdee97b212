import { portalEndpoints } from '@tenant-payments/backoffice/contract/catalog.ts';
import type { TSchema } from 'typebox';
import { expect, test } from 'vitest';
import { endpoints } from './catalog.ts';
import type { EndpointDefinition } from './core/endpoint.ts';
import { cutBetweenCharacters, initialOf, readableFault, readableOf } from './core/readable.ts';
import { hostedEndpoints } from './hosted/catalog.ts';

/** Fields that the service looks up, compares or parses: nobody judges it by its looks. Ids are such too. */
const lookedUp = [
  'act',
  'actor',
  'android_package',
  'aggregator_account_id',
  'bank',
  'cell',
  'client_id',
  'client_secret',
  'code',
  'cursor',
  'event',
  'external_ref',
  'failure_code',
  'from',
  'ids',
  'industry',
  'issuer',
  'key',
  'kind',
  'link_token',
  'mobile_number',
  'move',
  'path',
  'provider',
  'public_token',
  'q',
  'qr_payload',
  'record',
  'redirect_uri',
  'resource',
  'result_token',
  'return_url',
  'scope',
  'tenant',
  'token',
  'type',
  'types',
  'url',
];

interface Node {
  readonly type?: string;
  readonly anyOf?: readonly TSchema[];
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly description?: string;
}

/** Every text under a schema, by its dotted name. */
function textsOf(schema: TSchema, name: string): [string, Node][] {
  const node = schema as unknown as Node;
  const inner = [...(node.anyOf ?? []), ...(node.items ? [node.items] : [])];
  const found = inner.flatMap((one) => textsOf(one, name));
  for (const [key, own] of Object.entries(node.properties ?? {}))
    found.push(...textsOf(own, name === '' ? key : `${name}.${key}`));
  if (node.type === 'string') found.push([name, node]);
  return found;
}

const plain = '^[^\\u0000\\uD800-\\uDFFF]*$';

/** Text that its schema does not bind: no word of a list, no secret, no date, no form of its own. */
function isFree(node: Node): boolean {
  if ('x-secret' in node || node.enum || node.const !== undefined || node.format) return false;
  return node.pattern === undefined || node.pattern === plain;
}

const free = [endpoints, hostedEndpoints, portalEndpoints]
  .flatMap((catalog) => Object.values<EndpointDefinition>(catalog))
  .flatMap(({ id, body, query, params }) =>
    [body, query, params].flatMap((part) =>
      (part ? textsOf(part, '') : []).map(([name, node]) => ({ at: `${id} ${name}`, name, node })),
    ),
  )
  .filter(({ node }) => isFree(node));

test('each text that an operation takes is for people to read, or looked up as it is', () => {
  const known = new Set(lookedUp);
  const isLookedUp = (name: string) => {
    const field = name.split('.').at(-1) ?? '';
    return known.has(field) || /(^|_)id$/.test(field);
  };
  const open = free.filter(({ node, name }) => !('x-readable' in node) && !isLookedUp(name));
  expect(
    open.map(({ at }) => at),
    'decide: Readable in its schema, or the list in this test',
  ).toEqual(['uploadBankStatement csv']);
  const fields = new Set(free.map(({ name }) => name.split('.').at(-1)));
  expect(lookedUp.filter((name) => !fields.has(name))).toEqual([]);
});

test('what people read has a letter or digit that shows, and nothing that turns its order', () => {
  expect(readableFault('Łukasiewicz')).toBeNull();
  expect(readableFault('寿司屋')).toBeNull();
  expect(readableFault('مخبز الشام')).toBeNull();
  expect(readableFault('\u0663')).toBeNull();
  for (const text of ['', ' ', '\u3164', '\u115f\u1160\uffa0', '\u200b', '—'])
    expect([text, readableFault(text)]).toEqual([text, 'nothing_visible']);
  for (const text of ['a\u202eb', '\u2067a', 'a\u200f', 'a\u061cb'])
    expect([text, readableFault(text)]).toEqual([text, 'bidirectional_control']);
  for (const text of ['a\0', 'a\ud800', '\udc00a'])
    expect([text, readableFault(text)]).toEqual([text, 'format']);
});

test('a text is cut between characters as people see them', () => {
  const flag = '\u{1f1f5}\u{1f1f7}';
  expect(cutBetweenCharacters(`${'a'.repeat(99)}\u{1f600}`, 100)).toBe(
    `${'a'.repeat(99)}\u{1f600}`,
  );
  expect(cutBetweenCharacters(`${'a'.repeat(99)}${flag}`, 100)).toBe('a'.repeat(99));
  expect(cutBetweenCharacters('Jose\u0301', 4)).toBe('Jos');
});

test('the initial of a name is its first letter with the marks on it', () => {
  expect(['Reyes', "'t Hooft", '\u0301ana', 'e\u0301mile', '寿司'].map(initialOf)).toEqual([
    'R',
    'T',
    'A',
    'E\u0301',
    '寿',
  ]);
  expect([initialOf('  '), initialOf('')]).toEqual([null, null]);
});

test("a text of somebody else's system is shown composed and cut, or not at all", () => {
  expect(readableOf('  Jose\u0301 ', 100)).toBe('José');
  expect(readableOf(`${'a'.repeat(99)}\u{1f600}!`, 100)).toBe(`${'a'.repeat(99)}\u{1f600}`);
  expect([readableOf('a\0', 9), readableOf('\u202eevil', 9), readableOf(' ', 9)]).toEqual([
    null,
    null,
    null,
  ]);
});
