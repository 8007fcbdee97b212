import { allowed, type Case, kept, refused } from '../judge.ts';
import type { Base, Variant } from './bases.ts';
import {
  allowsJson,
  allowsText,
  bodyWith,
  boundsOf,
  type Field,
  factsOf,
  fieldsOf,
  inner,
  isFreeText,
} from './fields.ts';
import { type HostileValue, hostileValues } from './hostile_values.ts';
import { bodyText, type Draft, rawOf } from './requests.ts';

type Outcome = Pick<Case, 'check' | 'mayChange' | 'byShape'>;

const invalid = (param: string): Outcome => ({ check: refused('parameter_invalid', param) });
const misshapen = (part: 'query' | 'body', field: string): Outcome => ({
  ...invalid(field),
  byShape: { part, field },
});
const missing = (param: string): Outcome => ({ check: refused('parameter_missing', param) });
const perhaps: Outcome = { check: allowed, mayChange: true };

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const nameOf = (field: Field) => field.path.join('.');

/** Text that names something: what the schema allows of it may name nothing. */
const naming = /(_id|^id|_token|qr_payload)$/;

/** The outcome of a body with this value in the field. */
function outcomeOf(draft: Draft, again: boolean, field: Field, value: HostileValue): Outcome {
  const name = nameOf(field);
  if (!isJson(value.json))
    return { check: refused('parameter_invalid', null, { reason: 'malformed_json' }) };
  if (!allowsJson(field.schema, value)) {
    const outcome = misshapen('body', name);
    const { properties, type } = factsOf(inner(field.schema));
    if (!properties && type !== 'object') return outcome;
    const codes = ['parameter_invalid', 'parameter_missing'] as const;
    return { ...outcome, check: refused(codes, name, { within: true }) };
  }
  const given = field.path.reduce<unknown>(
    (held, step) => (held as Record<string, unknown> | null)?.[step],
    draft.body,
  );
  const isKept = again && isFreeText(field.schema) && !naming.test(name);
  if (!isKept || typeof given !== 'string' || value.json === 'null') return perhaps;
  return { check: kept(field.path, JSON.parse(value.json)), mayChange: true };
}

/** The bodies of an operation, each with one field made wrong or left out. */
function jsonCases(draft: Draft, { again, only }: Variant, fresh: () => Base): Case[] {
  const { body: schema } = draft.endpoint;
  const held = draft.body ?? {};
  const fields = fieldsOf(schema);
  const tried = fields.filter(({ path: [first = ''] }) => only?.includes(first) ?? true);
  const wrong = tried.flatMap((field) =>
    [...hostileValues, ...boundsOf(field.schema)].map((value) => {
      const outcome = outcomeOf(draft, again === true, field, value);
      // A body that may be accepted needs a request of its own, or it would be refused as a copy.
      const body = (outcome.mayChange && again ? fresh().body : held) ?? {};
      const fill = (mark: string) => bodyWith(schema, body, field.path, mark);
      const request = rawOf(draft, bodyText(fill, value.json));
      return { name: `${nameOf(field)} as ${value.name}`, request, ...outcome };
    }),
  );
  const omitted = fields.filter(({ required }) => required);
  return [
    ...wrong,
    ...omitted.map((field) => ({
      name: `no ${nameOf(field)}`,
      request: rawOf({ ...draft, body: bodyWith(schema, held, field.path, undefined) }),
      ...missing(nameOf(field)),
    })),
  ];
}

const longestText = 4_000;

/** Hostile values as text, which is all that a path, a query or a form can hold. */
const texts: readonly { readonly name: string; readonly text: string }[] = [
  ...hostileValues
    .filter(({ json }) => !json.includes('\\ud'))
    .map(({ name, json }) => ({ name, text: json.startsWith('"') ? JSON.parse(json) : json }))
    .filter(({ text }) => encodeURIComponent(text).length <= longestText),
  // Beyond every length, yet within what the server reads of a request's head.
  ...['x'.repeat(65), 'x'.repeat(513), 'x'.repeat(3_000), '\u{1f600}'.repeat(65)].map((text) => ({
    name: `${[...text].length} characters`,
    text,
  })),
];

/** One part of the request that is text, with each of its fields made wrong or left out. */
function textCases(draft: Draft, part: 'params' | 'query' | 'body'): Case[] {
  const held = (draft[part] ?? {}) as Record<string, string>;
  return fieldsOf(draft.endpoint[part]).flatMap((field) => {
    const name = nameOf(field);
    const outcome = (isAllowed: boolean): Outcome => {
      if (isAllowed) return perhaps;
      return part === 'query' ? misshapen(part, name) : invalid(name);
    };
    // An empty step of a path is another path.
    const tried = texts.filter(({ text }) => part !== 'params' || text !== '');
    const wrong = tried.map((value) => ({
      name: `${name} as ${value.name}`,
      request: rawOf({ ...draft, [part]: { ...held, [name]: value.text } }),
      ...outcome(allowsText(field.schema, value.text)),
    }));
    if (part === 'params') return wrong;
    const { [name]: value = '1', ...rest } = held;
    const without = rawOf({ ...draft, [part]: rest });
    const pair = `${name}=${encodeURIComponent(value)}`;
    const path = `${without.path}${without.path.includes('?') ? '&' : '?'}${pair}&${pair}`;
    const twice = { name: `${name} twice`, request: { ...without, path }, ...invalid(name) };
    const omitted = { name: `no ${name}`, request: without, ...missing(name) };
    return [...wrong, ...(field.required ? [omitted] : []), ...(part === 'query' ? [twice] : [])];
  });
}

/** Each field of the request with each hostile value, and each required one left out. */
export const fieldCases = (draft: Draft, variant: Variant, fresh: () => Base): Case[] => [
  ...textCases(draft, 'params'),
  ...textCases(draft, 'query'),
  ...(draft.endpoint.bodyType === 'form'
    ? textCases(draft, 'body')
    : jsonCases(draft, variant, fresh)),
];
