import { endpoints, personalFields, secretFields } from '../../catalog.ts';
import type { EndpointDefinition } from '../../core/endpoint.ts';
import { methods } from '../sdk/methods.ts';

/** The facts that the portal's pages need of each operation to write a call of it as code. */

interface Shape {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
}

const hidden = new Set([...secretFields, ...personalFields]);

/** A value of the schema that says what belongs there. */
function placeholderOf(name: string, schema: Shape): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return placeholderOf(name, schema.anyOf[0] ?? {});
  if (schema.properties) {
    const needed = Object.entries(schema.properties).filter(([key]) =>
      schema.required?.includes(key),
    );
    return Object.fromEntries(needed.map(([key, inner]) => [key, placeholderOf(key, inner)]));
  }
  if (schema.type === 'array') return [];
  if (schema.type === 'integer' || schema.type === 'number') return 1;
  return schema.type === 'boolean' ? true : `YOUR_${name.toUpperCase()}`;
}

/** Placeholders of the fields that the request log hides, by name, at any depth. */
function placeholdersIn(schema: Shape | undefined): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const one of schema?.anyOf ?? []) Object.assign(found, placeholdersIn(one));
  for (const [name, inner] of Object.entries(schema?.properties ?? {})) {
    if (hidden.has(name)) found[name] = placeholderOf(name, inner);
    Object.assign(found, placeholdersIn(inner));
  }
  return found;
}

/** `payments.create`; null: the client calls it by itself. */
function methodOf(id: string): string | null {
  for (const [group, table] of Object.entries<Record<string, EndpointDefinition>>(methods))
    for (const [name, endpoint] of Object.entries(table))
      if (endpoint.id === id) return `${group}.${name}`;
  return null;
}

const isNumber = ({ type }: Shape) => type === 'integer' || type === 'number';

export const operationRows = Object.values<EndpointDefinition>(endpoints).map(
  ({ id, method, path, idempotent, bodyType, query, body }) => ({
    id,
    method,
    path,
    call: methodOf(id),
    keyed: idempotent !== 'none',
    form: bodyType === 'form',
    /** Values of the query that are no text. */
    numbers: Object.entries<Shape>(query?.properties ?? {}).flatMap(([name, schema]) =>
      isNumber(schema) ? name : [],
    ),
    hasQuery: query !== undefined,
    hasBody: body !== undefined,
    placeholders: placeholdersIn(body),
  }),
);

/** One row a line. */
export const operationsFile = (): string =>
  `[\n${operationRows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`;
