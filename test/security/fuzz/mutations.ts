import fc from 'fast-check';
import { hostileValues } from '../../contract/cases/hostile_values.ts';
import { changedAt, placesOf, raw, type Tree } from './json_tree.ts';
import { encoded, idMark } from './values.ts';

/** A request before it is written. */
export interface Draft {
  readonly method: string;
  /** The path as the operation has it, with `{id}`. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  /** Encoded already, `name=value`. */
  readonly query: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const strangeNames = ['__proto__', 'constructor', 'toString', 'tenant_id', 'id', '', 'a.b', 'ID'];
const anyText = fc.string({ unit: 'binary', maxLength: 60 });
const names = fc.oneof(fc.constantFrom(...strangeNames), anyText);
const lengths = fc.constantFrom(65, 101, 257, 1_001, 2_049, 10_240, 70_000);
const ids = fc.constantFrom('cus', 'acct', 'pay', 'load', 'ses', 'la', 'evt', 'tok').chain(idMark);

/** The values that a field is given in place of its own. */
const wrong: fc.Arbitrary<Tree> = fc.oneof(
  fc.constantFrom(...hostileValues).map(({ json }): Tree => ({ raw: json })),
  fc.jsonValue({ maxDepth: 3 }).map(raw),
  anyText.map(raw),
  fc.double().map((value): Tree => ({ raw: String(value) })),
  fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map((value): Tree => ({ raw: String(value) })),
  fc
    .tuple(lengths, fc.constantFrom('x', '\u{1f600}', '\u0000'))
    .map(([n, one]) => raw(one.repeat(n))),
  ids.map(raw),
);

type Fields = readonly (readonly [string, Tree])[];
/** The changes at one place of a body. */
const changes: Readonly<
  Record<string, (part: Tree, name: string, value: Tree, other: string) => Fields>
> = {
  replaced: (_, name, value) => [[name, value]],
  removed: () => [],
  twice: (part, name, value) => [
    [name, part],
    [name, value],
  ],
  renamed: (part, _, __, other) => [[other, part]],
  extended: (part, name, value, other) => [
    [name, 'fields' in part ? { fields: [...part.fields, [other, value]] } : value],
  ],
  listed: (part, name) => [[name, { list: [part] }]],
  nested: (part, name, _, other) => [[name, { fields: [[other, part]] }]],
};

/** A body that is wrong at one place. */
export const wrongAt = (body: Tree): fc.Arbitrary<Tree> =>
  fc
    .tuple(
      fc.constantFrom(...placesOf(body)),
      fc.constantFrom(...Object.keys(changes)),
      wrong,
      names,
    )
    .map(([place, how, value, other]) =>
      changedAt(body, place, (part, name) => changes[how]?.(part, name, value, other) ?? []),
    );

const cutOff = (text: string) => encoded(text).slice(0, 4_000);
const textOf = (tree: Tree) => cutOff('raw' in tree ? tree.raw : 'list');
/** Escapes that are none, and escapes of what is no text. */
const badEscapes = ['%', '%zz', '%00', '%ff%fe', '%c0%af', '%ed%a0%80', '%2e%2e%2f', '+', '%0d%0a'];
const written = fc.oneof(fc.constantFrom(...badEscapes), wrong.map(textOf));

const queries = fc.oneof(
  fc.tuple(names.map(cutOff), written).map(([name, value]) => `${name}=${value}`),
  fc
    .tuple(fc.constantFrom('limit', 'cursor', 'from', 'to', 'date', 'status', 'type'), written)
    .map(([name, value]) => `${name}=${value}`),
  fc.constantFrom(
    'limit=1&limit=2',
    'limit[]=1',
    'limit[$gt]=1',
    'limit',
    '&&&',
    '=',
    '?',
    'a=b=c',
  ),
);

const types = [
  'text/plain',
  'application/json; charset=utf-16',
  'application/json;charset=utf-8',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/json, text/plain',
  '*/*',
  '',
];
const keys = ['', '""', '"a"', 'a b', 'k'.repeat(256), '"', 'a, b', 'sch\u00fcssel', '~own.key.0~'];
const headers: readonly (readonly [string, string])[] = [
  ...types.map((type) => ['content-type', type] as const),
  ...keys.map((key) => ['idempotency-key', key] as const),
  ['content-encoding', 'gzip'],
  ['accept', 'text/html'],
  ['accept', 'application/xml;q=0'],
  ['range', 'bytes=0-1'],
  ['if-none-match', '*'],
  ['origin', 'https://attacker.example'],
  ['x-http-method-override', 'DELETE'],
  ['x-forwarded-for', 'not an address'],
  ['x-forwarded-host', 'attacker.example'],
  ['forwarded', 'for=_hidden;by='],
  ['service-request-id', 'req_1'],
  ['cookie', `session=${'a'.repeat(4_000)}`],
  ['accept-language', `${'es,'.repeat(500)}*`],
  ['authorization', ''],
  ['authorization', 'Bearer'],
  ['authorization', 'Basic YTpi'],
  ['authorization', `Bearer tok_${'A'.repeat(64)}`],
  ['authorization', `Bearer ${'a'.repeat(8_000)}`],
  ['authorization', 'Bearer ~own.st.1~'],
  ['authorization', 'Bearer ~own.fb.1~'],
  ['authorization', 'Bearer ~own.token.0~'],
  ['authorization', 'Bearer ~theirs.token.0~'],
];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

const cut = (text: string, at: number, put: string) => {
  const place = at % (text.length + 1);
  return text.slice(0, place) + put + text.slice(place + (put === '' ? text.length : 0));
};
const inserted = fc.constantFrom('', '{', '}', ',', '"', '\u0000', '\ufeff', '//', '\\u', '1', ' ');
const bodies = fc.constantFrom(
  '',
  'null',
  '[]',
  '"text"',
  '1',
  'true',
  '{',
  '\u0000',
  '{"a":NaN}',
  '{}',
);

/** Faults outside of one value of the body. */
export const wrongAround = (draft: Draft): fc.Arbitrary<Draft> => {
  const { body = '{}', params, path } = draft;
  const [first] = Object.keys(params);
  return fc.oneof(
    fc.constantFrom(...headers).map(([name, value]) => ({
      ...draft,
      headers: { ...draft.headers, [name]: value },
    })),
    queries.map((one) => ({ ...draft, query: [...draft.query, one] })),
    written.map((text) =>
      first ? { ...draft, params: { ...params, [first]: text } } : { ...draft, query: [text] },
    ),
    fc.tuple(fc.nat(), inserted).map(([at, put]) => ({ ...draft, body: cut(body, at, put) })),
    bodies.map((text) => ({ ...draft, body: text })),
    fc.constantFrom(...methods).map((method) => ({ ...draft, method })),
    fc.constantFrom('/', '//', '/x', '%2f', ';a=1', '.json', '/..').map((end) => ({
      ...draft,
      path: path + end,
    })),
  );
};
