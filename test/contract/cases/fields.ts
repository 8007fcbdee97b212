import { readableFault } from '@tenant-payments/contract/core/readable.ts';
import { schemaMarks } from '@tenant-payments/contract/core/schema.ts';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { TObject, TSchema } from 'typebox';
import type { HostileValue } from './hostile_values.ts';

/** A field of a request, by its dotted path. */
export interface Field {
  readonly path: readonly string[];
  readonly schema: TSchema;
  readonly required: boolean;
}

/** The facts that are read of a JSON Schema. */
interface Facts {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly format?: string;
  readonly anyOf?: readonly TSchema[];
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

export const factsOf = (schema: TSchema): Facts => schema as unknown as Facts;

/** The schema of the value where a field may also be null. */
export function inner(schema: TSchema): TSchema {
  const [first, second] = factsOf(schema).anyOf ?? [];
  return first && second && factsOf(second).type === 'null' ? first : schema;
}

/** Every field of an object and of the objects in it. */
export function fieldsOf(schema: TObject | undefined, above: readonly string[] = []): Field[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = factsOf(schema);
  return Object.entries(properties).flatMap(([name, own]) => {
    const field = { path: [...above, name], schema: own, required: required.includes(name) };
    const within = inner(own);
    return factsOf(within).properties
      ? [field, ...fieldsOf(within as TObject, field.path)]
      : [field];
  });
}

/** A value that a field takes, for an object that the base of its operation leaves out. */
function sampleOf(schema: TSchema): unknown {
  const { type, enum: words, const: literal, properties, required = [] } = factsOf(inner(schema));
  if (literal !== undefined) return literal;
  if (words) return words[0];
  if (properties)
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => required.includes(name))
        .map(([name, own]) => [name, sampleOf(own)]),
    );
  return type === 'integer' ? 1 : 'x';
}

type Json = Record<string, unknown>;

/** The body with the objects around a field filled in, and the field as `value`; undefined: left out. */
export function bodyWith(
  schema: TObject | undefined,
  body: Json,
  path: readonly string[],
  value: unknown,
): Json {
  const [name = '', ...rest] = path;
  if (rest.length === 0) return { ...body, [name]: value };
  const own = inner(schema?.properties[name] ?? ({} as TSchema)) as TObject;
  const held = (body[name] ?? sampleOf(own)) as Json;
  return { ...body, [name]: bodyWith(own, held, rest, value) };
}

/** Text that a client writes freely: no word of a list, no date. */
export const isFreeText = (schema: TSchema): boolean => {
  const { type, enum: words, const: literal, format } = factsOf(inner(schema));
  return type === 'string' && !words && literal === undefined && format === undefined;
};

const ajv = new Ajv({
  strict: true,
  keywords: schemaMarks.filter((mark) => mark !== 'x-readable'),
});
ajv.addKeyword({
  keyword: 'x-readable',
  type: 'string',
  validate: (_kept: string, text: string) => readableFault(text) === null,
});
addFormats.default(ajv);
const compiled = new Map<TSchema, ValidateFunction>();

function allows(schema: TSchema, value: unknown): boolean {
  const known = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, known);
  return known(value);
}

/** Whether the contract allows this value in a body: its schema, and the rules for all text. */
export function allowsJson(schema: TSchema, { json, never }: HostileValue): boolean {
  return never === undefined && allows(schema, JSON.parse(json));
}

/** Whether it allows this text in a path or query; a whole number is written in digits alone. */
export function allowsText(schema: TSchema, text: string): boolean {
  if (text === '' || text.includes('\0')) return false;
  const isNumber = factsOf(schema).type === 'integer';
  if (isNumber && !/^-?\d+$/.test(text)) return false;
  return allows(schema, isNumber ? Number(text) : text);
}

/** The values at and beyond the bounds of a field's own schema. */
export function boundsOf(schema: TSchema): HostileValue[] {
  const { type, minimum, maximum, maxLength } = factsOf(inner(schema));
  const number = (value: number) => ({ name: `${value}`, json: `${value}` });
  const long = (count: number, letter: string) => ({
    name: `${count} of ${letter}`,
    json: JSON.stringify(letter.repeat(count)),
  });
  return [
    ...(type === 'integer' && minimum !== undefined ? [number(minimum), number(minimum - 1)] : []),
    ...(type === 'integer' && maximum !== undefined ? [number(maximum), number(maximum + 1)] : []),
    // Lengths count code points, so a letter of two UTF-16 units counts once.
    ...(maxLength === undefined ? [] : ['x', '\u{1f600}']).flatMap((letter) => [
      long(maxLength ?? 0, letter),
      long((maxLength ?? 0) + 1, letter),
    ]),
  ];
}
