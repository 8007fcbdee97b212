import Type, { type TSchema } from 'typebox';

/** A field that is null when empty (rules/errors#35). */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** One of a fixed list of values. */
export const OneOf = <const V extends readonly string[]>(values: V, description?: string) =>
  Type.Unsafe<V[number]>({
    type: 'string',
    enum: [...values],
    ...(description ? { description } : {}),
  });

/** A secret: never logged, and left out of every event. A test pins the list of these fields. */
export const Secret = (description: string) =>
  Type.String({ description, 'x-secret': true, writeOnly: false });

/** Refuses U+0000 and lone surrogates. The reference says it in words: other languages cannot compile this pattern. */
export const textPattern = '^[^\\u0000\\uD800-\\uDFFF]*$';

/**
 * Text without U+0000 and lone surrogates, which PostgreSQL cannot store (rules/errors#33). Lengths
 * count code points, as Ajv does.
 */
export const Text = (maxLength: number, description?: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: textPattern,
    ...(description ? { description } : {}),
  });

/**
 * Text that another person reads, as a person types it (rules/errors#45): kept in composed form (NFC).
 */
export const Readable = (
  maxLength: number,
  description?: string,
  kept: 'composed' | 'as_given' = 'composed',
) => Type.String({ ...Text(maxLength, description), 'x-readable': kept });

/** Text that people read but that a system sent, which compares it with what it gets back: kept unchanged. */
export const ReadableAsGiven = (maxLength: number, description?: string) =>
  Readable(maxLength, description, 'as_given');

/** A field that we add to an operation or record of the contract 1.1, always optional (rules/reads#1). */
export const Extension = <T extends TSchema>(schema: T) =>
  Type.Optional({ ...schema, 'x-extension': true } as T);

/** Our own keywords in JSON Schema. */
export const schemaMarks = ['x-secret', 'x-readable', 'x-extension'];

/** An identifier that a Tenant sends back: opaque, looked up as it is (rules/errors#31). */
export const IdInput = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: textPattern,
    description,
  });

export const Id = (description: string) => Type.String({ description });
export const Instant = (description: string) => Type.String({ format: 'date-time', description });
export const Day = (description: string) => Type.String({ format: 'date', description });
export const Version = Type.Integer({ minimum: 1, description: 'Rises by one on every change' });

/** A closed object: a request with an unknown field is refused (rules/errors#10). */
export const Closed = <P extends Record<string, TSchema>>(properties: P, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description ? { description } : {}) });
