import { readFileSync } from 'node:fs';
import { hostedEndpoints } from '@tenant-payments/contract/hosted/catalog.ts';
import type { HostedEndpoint } from '@tenant-payments/contract/hosted/endpoint.ts';

/** The keywords that are read of a JSON Schema. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** A value in the path or the query. */
export interface Parameter {
  readonly name: string;
  readonly schema: Schema;
  /** Names the kind of record, where the value is an id. */
  readonly example: string;
  readonly required: boolean;
}

export interface Operation {
  readonly method: string;
  /** With its parameters as `{id}`. */
  readonly path: string;
  readonly params: readonly Parameter[];
  readonly query: readonly Parameter[];
  readonly body: Schema | null;
  readonly isForm: boolean;
  readonly takesKey: boolean;
  /** The caller whose token it takes. */
  readonly caller: 'tenant' | 'operator' | 'page' | 'none';
}

// biome-ignore lint/suspicious/noExplicitAny: OpenAPI is read as JSON.parse types it
type Json = any;

/** A part of the document with its references replaced by what they name. */
function resolved(document: Json, part: Json): Json {
  if (Array.isArray(part)) return part.map((item) => resolved(document, item));
  if (part === null || typeof part !== 'object') return part;
  if (typeof part.$ref === 'string') {
    const steps: string[] = part.$ref.slice(2).split('/');
    return resolved(
      document,
      steps.reduce((held, step) => held[step], document),
    );
  }
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, resolved(document, value)]),
  );
}

function callerOf(security: Json): Operation['caller'] {
  if (security === undefined) return 'tenant';
  if (security.length === 0) return 'none';
  return 'operatorKey' in security[0] ? 'operator' : 'tenant';
}

function operationOf(document: Json, method: string, path: string, given: Json): Operation {
  const { parameters = [], requestBody, security } = given;
  const all = resolved(document, parameters);
  const named = (where: string): Parameter[] =>
    all
      .filter((one: Json) => one.in === where)
      .map(({ name, schema, example = '', required = false }: Json) => ({
        name,
        schema,
        example: String(example),
        required,
      }));
  const [[type, { schema }] = ['', { schema: null }]] = Object.entries<Json>(
    requestBody?.content ?? {},
  );
  return {
    method: method.toUpperCase(),
    path,
    params: named('path'),
    query: named('query'),
    body: resolved(document, schema),
    isForm: type.endsWith('form-urlencoded'),
    takesKey: named('header').some(({ name }) => name === 'Idempotency-Key'),
    caller: callerOf(security),
  };
}

function published(file: string): Operation[] {
  const url = new URL(`../../../docs/reference/${file}`, import.meta.url);
  const document: Json = JSON.parse(readFileSync(url, 'utf8'));
  return Object.entries<Json>(document.paths).flatMap(([path, operations]) =>
    Object.entries<Json>(operations)
      .filter(([method]) => ['get', 'post', 'put', 'delete'].includes(method))
      .map(([method, given]) => operationOf(document, method, path, given)),
  );
}

/** The pages' JSON is in no published file: its catalog holds the same schemas. */
const hosted = Object.values<HostedEndpoint>(hostedEndpoints).map(
  ({ method, path, body, key }): Operation => ({
    method,
    path: path.replaceAll(/:(\w+)/g, '{$1}'),
    params: path.includes(':id')
      ? [{ name: 'id', schema: { type: 'string' }, example: 'own_', required: true }]
      : [],
    query: [],
    body: (body as Schema | undefined) ?? null,
    isForm: false,
    takesKey: false,
    caller: key === 'bearer' ? 'page' : 'none',
  }),
);

/** Every operation that the service has, out of its OpenAPI files. */
export const operations: readonly Operation[] = [
  ...published('openapi.json'),
  ...published('portal.openapi.json'),
  ...hosted,
];
