import { reviewMoves } from '@tenant-payments/backoffice/contract/operate/review.ts';
import { simulateNames } from '@tenant-payments/contract/catalog.ts';
import { idPrefixes } from '@tenant-payments/contract/core/ids.ts';
import fc from 'fast-check';
import { code, identity, person } from '../../kit/pages/applicant.ts';
import { pin } from '../../kit/pages/hosted.ts';
import { raw, type Tree } from './json_tree.ts';
import type { Schema } from './operations.ts';

type Text = fc.Arbitrary<string>;

/** For a URL, which cannot hold half of a surrogate pair. */
export const encoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

/**
 * A mark in place of what only the running service knows; `resolve` replaces it before sending. It is
 * made of letters that neither JSON nor a URL encodes.
 */
export const mark = (whose: 'own' | 'theirs' | 'new', what: string): Text =>
  fc.nat(99).map((index) => `~${whose}.${what}.${index}~`);

/** Mostly one of the Tenant's own. */
export const idMark = (prefix: string): Text =>
  fc.oneof(
    { weight: 8, arbitrary: mark('own', prefix) },
    { weight: 1, arbitrary: mark('theirs', prefix) },
    { weight: 1, arbitrary: mark('new', prefix) },
  );

const words = (...values: readonly string[]): Text => fc.constantFrom(...values);
const anyId: Text = fc.constantFrom(...Object.values(idPrefixes)).chain(idMark);
const instants = words('2026-01-20T14:00:00Z', '2026-01-01T00:00:00.000Z', '2026-03-08T10:00:00Z');

/** The text that a field of this name takes, where its schema does not say it. */
const known: Readonly<Record<string, Text>> = {
  pin: words(pin, pin, '738162', '111111'),
  code: words(code, code, '111111'),
  ssn: words(person.ssn),
  ssn_last4: words(identity.ssn_last4, '0000'),
  birth_date: words(person.birth_date),
  state: words('NY', 'CA'),
  postal_code: words('10001'),
  bank: words('standard', 'no_rtp', 'savings', 'two_accounts'),
  public_token: fc.oneof(
    words('public-sandbox-standard', 'public-sandbox-savings', 'public-sandbox-rtp_only'),
    mark('own', 'public_token'),
  ),
  link_token: mark('own', 'link_token'),
  qr_payload: mark('own', 'qr_payload'),
  result_token: mark('own', 'rt'),
  token: fc.oneof(mark('own', 'st'), mark('own', 'ol')),
  cursor: mark('own', 'next_cursor'),
  client_id: mark('own', 'client_id'),
  client_secret: mark('own', 'client_secret'),
  external_ref: mark('new', 'ref'),
  mobile_number: mark('new', 'mobile'),
  notice_received_at: instants,
  date: words('2026-01-19', '2026-01-20', '2025-12-31'),
  event: fc.constantFrom(...simulateNames),
  resource: fc.constantFrom(...Object.keys(reviewMoves)),
  move: fc.constantFrom(...Object.values(reviewMoves).flat()),
  customer_id: idMark('cus'),
  payer_customer_id: idMark('cus'),
  payee_customer_id: idMark('cus'),
  merchant_customer_id: idMark('cus'),
  account_id: idMark('acct'),
  payment_id: idMark('pay'),
  transaction_id: idMark('txn'),
  request_id: idMark('req'),
  linked_account_id: idMark('la'),
  object_id: anyId,
  source_id: anyId,
  // A year of a clock runs for seconds.
  seconds: words('0', '60', '86400', '2000000'),
};

const formats: Readonly<Record<string, Text>> = {
  email: words('ana@example.com', 'ana+1@sub.example.org'),
  date: words('2026-01-20', '1987-03-14'),
  'date-time': instants,
  uri: words('https://shop.example.com/back', 'http://localhost:3000'),
};

/** Only text that no schema excludes has this pattern. */
const anyText = '^[^\\u0000\\uD800-\\uDFFF]*$';

function textOf({ format, pattern, minLength = 0, maxLength = 40 }: Schema): Text {
  if (format && formats[format]) return formats[format];
  if (pattern && pattern !== anyText) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ minLength, maxLength: Math.min(maxLength, 40), unit: 'grapheme' });
}

const maximum = 2 ** 40;
function integerOf({ minimum: min = 0, maximum: max = maximum }: Schema): fc.Arbitrary<number> {
  const small = fc.integer({ min, max: Math.min(max, min + 5_000) });
  const bounds = fc.constantFrom(min, Math.min(max, Number.MAX_SAFE_INTEGER));
  return fc.oneof({ weight: 8, arbitrary: small }, { weight: 1, arbitrary: bounds });
}

function objectOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<Tree> {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const field = treeOf(schema, name).map((value) => [name, value] as const);
    return required.includes(name) ? field : fc.option(field, { nil: null, freq: 1 });
  });
  return fc
    .tuple(...fields)
    .map((given) => ({ fields: given.flatMap((one) => (one ? [one] : [])) }));
}

const ofType: Readonly<Record<string, (schema: Schema) => fc.Arbitrary<Tree>>> = {
  string: (schema) => textOf(schema).map(raw),
  integer: (schema) => integerOf(schema).map(raw),
  number: ({ minimum: min = 0, maximum: max = 1 }) => fc.double({ min, max, noNaN: true }).map(raw),
  boolean: () => fc.boolean().map(raw),
  null: () => fc.constant(raw(null)),
  array: ({ items = {} }) => fc.array(treeOf(items), { maxLength: 3 }).map((list) => ({ list })),
  object: (schema) =>
    schema.properties
      ? objectOf(schema)
      : fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 })).map(raw),
};

const isNull = ({ type }: Schema) => type === 'null';

/** A value that a schema takes, and mostly one that the service accepts in a field of this name. */
export function treeOf(schema: Schema, name = ''): fc.Arbitrary<Tree> {
  const { const: literal, enum: list, anyOf, type = 'object' } = schema;
  if (literal !== undefined) return fc.constant(raw(literal));
  if (list) return fc.constantFrom(...list).map(raw);
  const text = known[name];
  if (text) return name === 'seconds' ? text.map((digits) => ({ raw: digits })) : text.map(raw);
  const kinds = anyOf ?? [type].flat().map((one) => ({ ...schema, type: one }));
  return fc.oneof(
    ...kinds.map((kind) => ({
      weight: isNull(kind) ? 1 : 6,
      arbitrary: anyOf ? treeOf(kind, name) : (ofType[kind.type as string] ?? objectOf)(kind),
    })),
  );
}

/** Text for a path or a query. @param example an id shows the kind of record */
export function parameterOf(schema: Schema, name: string, example: string): Text {
  const prefix = /^([a-z]+)_/.exec(example)?.[1];
  if (name === 'id' && prefix) return idMark(prefix);
  if (name === 'id') return example === '' ? anyId : mark('own', 'uuid');
  return treeOf(schema, name).map((tree) => ('raw' in tree ? String(JSON.parse(tree.raw)) : ''));
}
