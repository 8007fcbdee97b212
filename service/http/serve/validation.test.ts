import { portalEndpoints } from '@tenant-payments/backoffice/contract/catalog.ts';
import {
  endpoints,
  personalFields,
  secretFields,
  secretFieldsOfPages,
} from '@tenant-payments/contract/catalog.ts';
import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import { AmountInput } from '@tenant-payments/contract/core/money.ts';
import { pageQuery } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  IdInput,
  Nullable,
  OneOf,
  Readable,
  ReadableAsGiven,
  Text,
} from '@tenant-payments/contract/core/schema.ts';
import { hostedEndpoints } from '@tenant-payments/contract/hosted/catalog.ts';
import { ApiError } from '@tenant-payments/engine/fail.ts';
import Type, { type TObject } from 'typebox';
import { describe, expect, test } from 'vitest';
import { compileValidator } from './validation.ts';

const body = Closed({
  amount: AmountInput,
  kind: Type.Optional(OneOf(['a', 'b'])),
  note: Type.Optional(Nullable(Text(3))),
  name: Type.Optional(Nullable(Readable(5))),
  reference: Type.Optional(Nullable(ReadableAsGiven(5))),
  target: Type.Optional(Nullable(Closed({ id: IdInput('Record') }))),
});
const plainText = '^[^\\u0000\\uD800-\\uDFFF]*$';
const query = Closed({ customer: Type.Optional(Text(3)), ...pageQuery });

/** The refusal of a part of a request, or the validated value. */
function verdict(schema: TObject, httpPart: string, data: unknown) {
  const validate = compileValidator({ schema, httpPart, method: 'POST', url: '/' });
  const { value, error } = validate(data) as { value?: unknown; error?: unknown };
  if (!(error instanceof ApiError)) return value;
  return [error.code, error.param, error.details];
}
const ofBody = (data: unknown) => verdict(body, 'body', data);
const ofQuery = (data: unknown) => verdict(query, 'querystring', data);
const invalid = (param: string | null, details: object) => ['parameter_invalid', param, details];

describe('a body', () => {
  test.each([
    [{}, ['parameter_missing', 'amount', null]],
    [null, ['parameter_missing', 'amount', null]],
    [[], invalid(null, { reason: 'type', expected: 'object' })],
    [{ amount: '1' }, invalid('amount', { reason: 'type', expected: 'integer' })],
    [{ amount: 1.5 }, invalid('amount', { reason: 'type', expected: 'integer' })],
    [{ amount: 0 }, invalid('amount', { reason: 'below_minimum', minimum: 1 })],
    [{ amount: 1, kind: 'c' }, invalid('kind', { reason: 'not_allowed', allowed: ['a', 'b'] })],
    [{ amount: 1, note: '' }, invalid('note', { reason: 'empty' })],
    [{ amount: 1, note: 'abcd' }, invalid('note', { reason: 'too_long', maximum: 3 })],
    [{ amount: 1, note: 'a\u0000' }, invalid('note', { reason: 'format', expected: plainText })],
    [{ amount: 1, note: '\ud800' }, invalid('note', { reason: 'format', expected: plainText })],
    [{ amount: 1, target: 7 }, invalid('target', { reason: 'type', expected: 'object' })],
    [{ amount: 1, target: {} }, ['parameter_missing', 'target.id', null]],
    [{ amount: 1, target: { id: 'a', b: 1 } }, invalid('target.b', { reason: 'unknown_field' })],
    [{ amount: 1, '': 1 }, invalid('', { reason: 'unknown_field' })],
    [{ amount: 1, 'a/b~c': 1 }, invalid('a/b~c', { reason: 'unknown_field' })],
  ])('%j is refused with the field’s name', (data, expected) => {
    expect(ofBody(data)).toEqual(expected);
  });

  const hangulFiller = '\u3164';
  test.each([' ', '\t\n', '\u200b', hangulFiller, '\u2800', '...', '\u{1f381}'])(
    'text that people read is refused where nothing of it is a letter or digit: %j',
    (name) => {
      expect(ofBody({ amount: 1, name })).toEqual(invalid('name', { reason: 'nothing_visible' }));
    },
  );

  const bidirectional = ['\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069'];
  test.each(bidirectional)('text that people read has no bidirectional control: %j', (control) => {
    const refused = { reason: 'bidirectional_control' };
    expect(ofBody({ amount: 1, name: `a${control}b` })).toEqual(invalid('name', refused));
    expect(ofBody({ amount: 1, reference: `a${control}b` })).toEqual(invalid('reference', refused));
  });

  test('other faults of such text keep their reasons', () => {
    expect(ofBody({ amount: 1, name: '' })).toEqual(invalid('name', { reason: 'empty' }));
    const nul = invalid('name', { reason: 'format', expected: plainText });
    expect(ofBody({ amount: 1, name: 'a\u0000' })).toEqual(nul);
    const long = invalid('name', { reason: 'too_long', maximum: 5 });
    expect(ofBody({ amount: 1, name: 'abcdef' })).toEqual(long);
  });

  test('a name is taken in composed form, a reference as its sender has it', () => {
    const decomposed = 'Jose\u0301';
    expect(ofBody({ amount: 1, name: decomposed, reference: decomposed })).toEqual({
      amount: 1,
      name: 'José',
      reference: decomposed,
    });
    const threeMarks = '\u0958\u0958\u0958';
    expect(ofBody({ amount: 1, name: threeMarks })).toEqual(
      invalid('name', { reason: 'too_long', maximum: 5 }),
    );
  });

  test('counts code points, takes null where a field may be null, and changes no value', () => {
    const data = { amount: 1, note: '\u{1f600}\u{1f600}\u{1f600}', target: null };
    expect(ofBody(data)).toBe(data);
  });
});

describe('a query', () => {
  test.each(['0x10', '1e1', '1.0', ' 1', '+1', '', 'Infinity', '1e400', 'NaN', 'true'])(
    'takes %j for no whole number',
    (limit) => {
      expect(ofQuery({ limit })).toEqual(invalid('limit', { reason: 'type', expected: 'integer' }));
    },
  );

  test('reads digits, fills in defaults, and leaves text as it is', () => {
    expect(ofQuery({ limit: '007', customer: '12' })).toEqual({ limit: 7, customer: '12' });
    expect(ofQuery({})).toEqual({ limit: 25 });
    expect(ofQuery({ limit: '101' })).toEqual(
      invalid('limit', { reason: 'above_maximum', maximum: 100 }),
    );
  });

  test.each(['limit', 'customer'])('refuses %s twice', (name) => {
    expect(ofQuery({ [name]: ['1', '2'] })).toMatchObject(['parameter_invalid', name, {}]);
  });
});

describe('the refusal of a body', () => {
  const names = [...secretFields, ...secretFieldsOfPages, ...personalFields];
  const catalogs = [endpoints, portalEndpoints, hostedEndpoints];
  const operations = catalogs
    .flatMap((catalog) => Object.values<EndpointDefinition>(catalog))
    .filter(({ body }) => body);

  test.each(operations)('$id repeats no secret or personal field', ({ body }) => {
    const held = names.map((name) => ({ [name]: 'canary' }));
    const all = Object.assign({}, ...held);
    const inner = Object.keys(body?.properties ?? {}).map((field) => ({ [field]: all }));
    const validate = compileValidator({
      schema: body as TObject,
      httpPart: 'body',
      method: 'POST',
      url: '/',
    });
    const refusals = [...held, ...inner].map((value) => {
      const { message, param, details } = (validate(value) as { error?: ApiError }).error ?? {};
      return JSON.stringify([message, param, details]);
    });
    expect(refusals.filter((text) => text.includes('canary'))).toEqual([]);
  });
});
