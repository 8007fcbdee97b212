import { type ApiError, fail } from '@tenant-payments/engine/fail.ts';
import { doorCompiler } from '@tenant-payments/engine/json_schema.ts';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import type { TObject } from 'typebox';

/** A body is taken as it was sent; path and query are text and are converted to the schema's types. */
const bodies = doorCompiler();
const texts = doorCompiler({ coerceTypes: true, useDefaults: true });

interface Reason {
  readonly reason: string;
  readonly [fact: string]: unknown;
}

/** `details` by the JSON Schema keyword that failed (rules/errors#15). */
const reasons: Readonly<Record<string, (params: Record<string, unknown>) => Reason>> = {
  type: ({ type }) => ({ reason: 'type', expected: type }),
  enum: ({ allowedValues }) => ({ reason: 'not_allowed', allowed: allowedValues }),
  const: ({ allowedValue }) => ({ reason: 'not_allowed', allowed: [allowedValue] }),
  additionalProperties: () => ({ reason: 'unknown_field' }),
  minimum: ({ limit }) => ({ reason: 'below_minimum', minimum: limit }),
  maximum: ({ limit }) => ({ reason: 'above_maximum', maximum: limit }),
  minLength: ({ limit }) =>
    limit === 1 ? { reason: 'empty' } : { reason: 'too_short', minimum: limit },
  maxLength: ({ limit }) => ({ reason: 'too_long', maximum: limit }),
  maxProperties: ({ limit }) => ({ reason: 'too_many', maximum: limit }),
  format: ({ format }) => ({ reason: 'format', expected: format }),
  'x-readable': ({ fault }) => ({ reason: String(fault) }),
  pattern: ({ pattern }) => ({ reason: 'format', expected: pattern }),
};
const otherwise = (): Reason => ({ reason: 'format' });

/** `type, expected: string`: `details` as text, for the message. */
const inWords = ({ reason, ...facts }: Reason): string =>
  [reason, ...Object.entries(facts).map(([fact, value]) => `${fact}: ${value}`)].join(', ');

const shownOfKey = 60;

/** Names the key of an object that is at fault. */
const keyInWords = (key: string | undefined): string =>
  key === undefined ? '' : `the key ${JSON.stringify(key.slice(0, shownOfKey))} is `;

/** How a query holds an object. */
const formInWords = (param: string | undefined, { expected }: Reason): string =>
  expected === 'object' ? `, as in ${param}[key]=value` : '';

/** `/target/id` and a field in it give `target.id.field`; the whole body gives undefined. */
function dotted(instancePath: string, field?: unknown): string | undefined {
  const steps = instancePath.split('/').slice(1);
  if (typeof field === 'string') steps.push(field);
  const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.length > 0 ? names.join('.') : undefined;
}

/**
 * The refusal for the first error. Where a field may also be null, Ajv reports an error of each
 * branch; the one of the value comes first.
 */
export function refusalOfShape(
  errors: readonly ErrorObject[] | null | undefined,
  isBody = true,
): ApiError {
  const { keyword = '', instancePath = '', params = {}, propertyName } = errors?.[0] ?? {};
  if (keyword === 'required') {
    const param = dotted(instancePath, params.missingProperty);
    return fail('parameter_missing', {
      ...(param === undefined ? {} : { param }),
      message: `${param} is missing`,
    });
  }
  const param = dotted(instancePath, params.additionalProperty);
  const details = (reasons[keyword] ?? otherwise)(params);
  return fail('parameter_invalid', {
    ...(param === undefined ? {} : { param }),
    details,
    message: `${param ?? 'the body'} is not valid: ${keyInWords(propertyName)}${inWords(details)}${isBody ? '' : formInWords(param, details)}`,
  });
}

/** Holds what did not come as a request against its schema. @throws ApiError as for a body */
export function assertShape(schema: TObject, value: unknown): void {
  const validate = bodies.compile(schema);
  if (!validate(value)) throw refusalOfShape(validate.errors);
}

const wholeNumber = /^-?\d+$/;

/**
 * Whole numbers in a path or query are digits. Ajv would accept everything that JavaScript reads as
 * a number: `0x10`, `1e1`, and `Infinity`, which the database does not take.
 */
function refusalOfNumbers(schema: TObject, data: unknown): ApiError | null {
  for (const [name, value] of Object.entries((data ?? {}) as object)) {
    const known = Object.hasOwn(schema.properties, name) ? schema.properties[name] : null;
    const type = known && 'type' in known ? known.type : null;
    if (type === 'integer' && !wholeNumber.test(String(value)))
      return fail('parameter_invalid', {
        param: name,
        details: { reason: 'type', expected: type },
        message: `${name} is not valid: type, expected: ${type}`,
      });
  }
  return null;
}

/**
 * One strict Ajv for bodies and a coercing one for the rest (rules/engine#29). A schema is compiled
 * when its operation is first called: compiling all would take a fifth of the start.
 */
export const compileValidator: FastifySchemaCompiler<TObject> = ({ schema, httpPart }) => {
  const ajv = httpPart === 'body' ? bodies : texts;
  let validate: ValidateFunction | null = null;
  return (data: unknown) => {
    validate ??= ajv.compile(schema);
    // Fastify gives an absent body as null; where no field is required that is an empty one.
    const value = data ?? {};
    const error = httpPart === 'body' ? null : refusalOfNumbers(schema, value);
    if (error) return { error };
    return validate(value)
      ? { value }
      : { error: refusalOfShape(validate.errors, httpPart === 'body') };
  };
};
