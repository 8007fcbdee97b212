import { textPattern } from '../../core/schema.ts';
import type { Json } from './json.ts';

/**
 * The role of a schema in a document. A request is closed: fields that it does not name are refused. A reply is open,
 * as is an event: fields that it does not name may be added within v1 (rules/operations#36).
 */
export type Role = 'request' | 'reply';

/** The name of a schema in a role: `Target` in replies, `TargetInput` in requests. */
export const nameIn = (role: Role, name: string): string =>
  role === 'request' ? `${name}Input` : name;

/**
 * Bounds of what a request may hold. A reply promises types: lengths of opaque texts, limits and the characters of
 * texts may change.
 */
const bounds = [
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'uniqueItems',
  'maxProperties',
  'propertyNames',
];

const sentences = (...parts: readonly unknown[]): string =>
  parts.filter((part) => typeof part === 'string').join('. ');

/** `textPattern` in words: no other pattern breaks the regular expressions of Go, Python and Rust. */
export const textRule = 'Without U+0000 and lone surrogates';

function inRequest(schema: Json): Json {
  if (schema.pattern !== textPattern) return schema;
  const { pattern: _, description, ...rest } = schema;
  return { ...rest, description: sentences(description, textRule) };
}

/** An enum becomes a text that names today's values: generators of all languages then take others. */
function inReply(schema: Json): Json {
  const open = Object.fromEntries(
    Object.entries(schema).filter(
      ([keyword, value]) =>
        !bounds.includes(keyword) && !(keyword === 'additionalProperties' && value === false),
    ),
  );
  const { enum: values, description, ...rest } = open;
  if (!Array.isArray(values)) return open;
  const listed = values.map((value) => `\`${value}\``).join(', ');
  const text = sentences(description, `Values today: ${listed}; more may be added`);
  return { ...rest, 'x-extensible-enum': values, description: text };
}

/** A schema's own keywords as its role allows them. */
export const ofRole: Readonly<Record<Role, (schema: Json) => Json>> = {
  request: inRequest,
  reply: inReply,
};

const isObject = ({ $ref, type }: Json): boolean => $ref !== undefined || type === 'object';

/** A choice of several records takes one of another kind. */
function unionInReply(members: readonly Json[]): readonly Json[] {
  const kinds = members.filter(({ type }) => type !== 'null');
  if (kinds.length < 2 || !kinds.every(isObject)) return members;
  const other = { type: 'object', description: 'Of a kind to come', additionalProperties: true };
  return [...members, other];
}

/** The members of a union as its role allows them. */
export const unionOfRole: Readonly<Record<Role, (members: readonly Json[]) => readonly Json[]>> = {
  request: (members) => members,
  reply: unionInReply,
};
