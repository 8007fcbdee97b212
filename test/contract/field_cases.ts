import type { Base, Variant } from './bases.ts';
import type { Case, Expectation } from './expectations.ts';
import {
  allowsJson,
  allowsText,
  bodyWith,
  boundsOf,
  type Field,
  factsOf,
  fieldsOf,
  inner,
} from './fields.ts';
import { type HostileValue, hostileValues } from './hostile_values.ts';
import { bodyText, type Draft, rawOf } from './requests.ts';

interface Sorted {
  readonly refusals: Case[];
  readonly allowed: Case[];
}

const sorted = (cases: readonly Case[]): Sorted => ({
  refusals: cases.filter(({ expect }) => expect.kind === 'refused'),
  allowed: cases.filter(({ expect }) => expect.kind !== 'refused'),
});

const refused = (param: string, within = false): Expectation => ({
  kind: 'refused',
  codes: within ? ['parameter_invalid', 'parameter_missing'] : ['parameter_invalid'],
  param,
  within,
});
const malformed: Expectation = {
  kind: 'refused',
  codes: ['parameter_invalid'],
  param: null,
  reason: 'malformed_json',
};
const missing = (param: string): Expectation => ({
  kind: 'refused',
  codes: ['parameter_missing'],
  param,
});

type Json = Record<string, unknown>;

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const nameOf = (field: Field) => field.path.join('.');

/** The bodies of an operation, each with one field made strange. */
function jsonCases(draft: Draft, { again, only }: Variant, fresh: () => Base): Case[] {
  const { endpoint } = draft;
  const tried = fieldsOf(endpoint.body).filter(
    ({ path: [first = ''] }) => only === undefined || only.includes(first),
  );
  const cases = tried.flatMap((field) =>
    [...hostileValues, ...boundsOf(field.schema)].map((value) => {
      const expect = expected(draft, again === true, field, value);
      // What may be accepted needs a request of its own, or it would be refused as a copy.
      const body = expect.kind !== 'refused' && again ? fresh().body : draft.body;
      const fill = (mark: string) => bodyWith(endpoint.body, body ?? {}, field.path, mark);
      return {
        name: `${nameOf(field)} as ${value.name}`,
        request: rawOf(draft, bodyText(fill, value.json)),
        expect,
      };
    }),
  );
  return [...cases, ...missingCases(draft)];
}

/** Text that names something: what the schema allows of it may name nothing. */
const naming = /(_id|^id|_token|qr_payload)$/;

function expected(draft: Draft, again: boolean, field: Field, value: HostileValue): Expectation {
  if (!isJson(value.json)) return malformed;
  const { properties, type, enum: words, format } = factsOf(inner(field.schema));
  if (!allowsJson(field.schema, value)) return refused(nameOf(field), properties !== undefined);
  const given = field.path.reduce<unknown>(
    (held, name) => (held as Json | null)?.[name],
    draft.body,
  );
  const isFree = type === 'string' && !words && !format && !naming.test(nameOf(field));
  if (!again || !isFree || typeof given !== 'string' || value.json === 'null')
    return { kind: 'allowed' };
  return { kind: 'taken', path: field.path, value: JSON.parse(value.json) };
}

function missingCases(draft: Draft): Case[] {
  const { endpoint, body = {} } = draft;
  return fieldsOf(endpoint.body)
    .filter(({ required }) => required)
    .map((field) => ({
      name: `no ${nameOf(field)}`,
      request: rawOf({ ...draft, body: bodyWith(endpoint.body, body, field.path, undefined) }),
      expect: missing(nameOf(field)),
    }));
}

const longestText = 4_000;

/** Hostile values as text, which is all that a path, a query or a form can hold. */
const texts: readonly { readonly name: string; readonly text: string }[] = hostileValues
  .filter(({ json }) => !json.includes('\\ud'))
  .map(({ name, json }) => ({ name, text: json.startsWith('"') ? JSON.parse(json) : json }))
  .filter(({ text }) => encodeURIComponent(text).length <= longestText);

/** Beyond every length, yet within what the server reads of a request's head. */
const longTexts = ['x'.repeat(65), 'x'.repeat(513), 'x'.repeat(3_000), '\u{1f600}'.repeat(65)].map(
  (text) => ({ name: `${[...text].length} characters`, text }),
);

/** One part of the request that is text, with each of its fields made strange. */
function textCases(draft: Draft, part: 'params' | 'query' | 'body'): Case[] {
  const schema = draft.endpoint[part];
  const held = draft[part] ?? {};
  const cases = fieldsOf(schema).flatMap((field) => {
    const name = nameOf(field);
    // An empty step of a path is another path, and leads nowhere.
    const given = [...texts, ...longTexts].filter(({ text }) => part !== 'params' || text !== '');
    return given.map(
      (value): Case => ({
        name: `${name} as ${value.name}`,
        request: rawOf({ ...draft, [part]: { ...held, [name]: value.text } }),
        expect: allowsText(field.schema, value.text) ? { kind: 'allowed' } : refused(name),
      }),
    );
  });
  if (part === 'params') return cases;
  const required = fieldsOf(schema).filter((field) => field.required);
  const omitted = required.map((field): Case => {
    const { [nameOf(field)]: _, ...rest } = held as Record<string, string>;
    const name = `no ${nameOf(field)}`;
    return { name, request: rawOf({ ...draft, [part]: rest }), expect: missing(nameOf(field)) };
  });
  return [...cases, ...omitted, ...(part === 'query' ? twiceCases(draft) : [])];
}

/** A parameter that is given twice names no one value. */
function twiceCases(draft: Draft): Case[] {
  return fieldsOf(draft.endpoint.query).map((field) => {
    const name = nameOf(field);
    const { [name]: value = '1', ...query } = draft.query;
    const raw = rawOf({ ...draft, query });
    const pair = `${name}=${encodeURIComponent(value)}`;
    const path = `${raw.path}${raw.path.includes('?') ? '&' : '?'}${pair}&${pair}`;
    return { name: `${name} twice`, request: { ...raw, path }, expect: refused(name) };
  });
}

/** Each field of the request with each hostile value, and each required one left out. */
export function fieldCases(draft: Draft, variant: Variant, fresh: () => Base): Sorted {
  const { bodyType } = draft.endpoint;
  return sorted([
    ...textCases(draft, 'params'),
    ...textCases(draft, 'query'),
    ...(bodyType === 'form' ? textCases(draft, 'body') : jsonCases(draft, variant, fresh)),
  ]);
}
