import type { TObject } from 'typebox';
import type { EndpointDefinition } from '../../core/endpoint.ts';
import { type ErrorCode, errorStatus } from '../../core/errors.ts';
import { replyCodes } from '../../resources/errors.ts';
import { errorExampleRefs, errorExamples } from '../examples/errors.ts';
import type { OperationExample } from '../examples/operation_example.ts';
import { exampleOf } from '../examples/operations.ts';
import { parameterExample } from '../examples/parameters.ts';
import { errorHeaders, headers, parameters, responses, successHeaders } from './components.ts';
import { descriptionOf } from './describe.ts';
import { parameterTexts } from './operation_texts.ts';
import { componentSchemas, type Json, nameOf, schemaJson, schemaRef } from './schemas.ts';

/** A catalog of endpoints, with the texts and examples of a document. */
export interface PublishedCatalog<E extends EndpointDefinition = EndpointDefinition> {
  readonly endpoints: Readonly<Record<string, E>>;
  /** The tag of each operation, by id. */
  readonly tagOf: Readonly<Record<string, string>>;
  /** The description of an operation beyond its summary. */
  readonly textOf?: (endpoint: E) => string | undefined;
  /** Additional properties of an operation. */
  readonly beside?: (endpoint: E) => Json;
  /** Request and reply examples, by operation id. */
  readonly examples?: Readonly<Record<string, OperationExample>>;
}

/** `paths`: every operation of a catalog, in its order. */
export function paths<E extends EndpointDefinition>(published: PublishedCatalog<E>): Json {
  const byPath: Record<string, Json> = {};
  for (const endpoint of Object.values(published.endpoints)) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    const method = endpoint.method.toLowerCase();
    byPath[path] = { ...byPath[path], [method]: operation(published, endpoint) };
  }
  return byPath;
}

function operation<E extends EndpointDefinition>(published: PublishedCatalog<E>, endpoint: E) {
  const { tagOf, textOf, beside, examples = {} } = published;
  const { id, summary, params, query, body, idempotent } = endpoint;
  const example = examples[id] ?? {};
  const inputs = [
    ...parametersIn('path', params, example.path),
    ...parametersIn('query', query, example.query),
    ...idempotencyParameter[idempotent],
  ];
  return {
    operationId: id,
    tags: [tagOf[id]],
    summary,
    description: descriptionOf(endpoint, textOf?.(endpoint)),
    ...(endpoint.authenticated === false ? { security: [] } : {}),
    ...(endpoint.extension ? { 'x-extension': true } : {}),
    ...beside?.(endpoint),
    ...(inputs.length > 0 ? { parameters: inputs } : {}),
    ...(body ? { requestBody: requestBody(endpoint, body, example.body) } : {}),
    responses: { ...success(endpoint, example.reply), ...failures(endpoint) },
  };
}

const idempotencyParameter: Record<EndpointDefinition['idempotent'], Json[]> = {
  required: [{ $ref: '#/components/parameters/IdempotencyKey' }],
  honored: [{ $ref: '#/components/parameters/OptionalIdempotencyKey' }],
  none: [],
};

function parametersIn(
  place: 'path' | 'query',
  fields: TObject | undefined,
  examples: Json = {},
): Json[] {
  const required = new Set<string>(fields?.required ?? []);
  return Object.entries(fields?.properties ?? {}).map(([name, field]) => {
    const described = { description: parameterTexts[name], ...field };
    const { description, 'x-extension': isExtension, ...schema } = schemaJson(described, 'request');
    return {
      name,
      in: place,
      required: required.has(name),
      ...(description === undefined ? {} : { description }),
      ...(isExtension ? { 'x-extension': true } : {}),
      ...(schema.type === 'object' ? { style: 'deepObject', explode: true } : {}),
      schema,
      ...(examples[name] === undefined && !required.has(name)
        ? shownAlone(parameterExample(name, schema))
        : withExample(examples[name] ?? parameterExample(name, schema))),
    };
  });
}

/** An example that a page which tries the operation shows, and sends only when somebody asks for it. */
const shownAlone = (value: unknown): Json =>
  value === undefined ? {} : { examples: { example: { value, 'x-disabled': true } } };

const withExample = (example: unknown): Json => (example === undefined ? {} : { example });

const mediaTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' };

function requestBody(
  { bodyType = 'json' }: EndpointDefinition,
  fields: TObject,
  example: Json | undefined,
): Json {
  const content = { schema: schemaJson(fields, 'request'), ...withExample(example) };
  return { required: true, content: { [mediaTypes[bodyType]]: content } };
}

function success(
  { success: { status, schema }, idempotent }: EndpointDefinition,
  example: Json | undefined,
): Json {
  const name = nameOf(schema);
  const content = {
    schema: schemaJson(schema, 'reply'),
    ...withExample(example ?? exampleOf(name)),
  };
  return {
    [status]: {
      description: name ?? 'Success',
      headers: successHeaders(idempotent !== 'none'),
      content: { 'application/json': content },
    },
  };
}

/** Replies shared by all operations are components; the others list their codes here. */
function failures(definition: EndpointDefinition): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of replyCodes(definition)) {
    const status = errorStatus[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const listed = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries([
    ...listed.map(([status, codes]) => [status, sharedResponse(codes) ?? refusal(codes)] as const),
    [503, { $ref: '#/components/responses/Unavailable' }],
  ]);
}

const sharedResponses: { readonly [C in ErrorCode]?: string } = {
  authentication_required: 'Unauthenticated',
  rate_limited: 'RateLimited',
  internal_error: 'InternalError',
};

function sharedResponse([code, ...others]: readonly ErrorCode[]): Json | undefined {
  const name = code !== undefined && others.length === 0 ? sharedResponses[code] : undefined;
  return name === undefined ? undefined : { $ref: `#/components/responses/${name}` };
}

function refusal(codes: readonly ErrorCode[]): Json {
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: errorHeaders,
    content: {
      'application/json': {
        schema: schemaRef('ErrorEnvelope'),
        examples: errorExampleRefs(codes),
      },
    },
    'x-error-codes': codes,
  };
}

const pool: Readonly<Record<string, Json>> = {
  parameters,
  headers,
  responses,
  examples: errorExamples,
  schemas: componentSchemas(),
};

const reference = /"#\/components\/(\w+)\/([^"]+)"/g;

/** `components`: everything that a document refers to, directly or indirectly, and `more`. */
export function components(document: Json, more: { readonly schemas?: Json } = {}): Json {
  const all: Record<string, Json> = { ...pool, schemas: { ...pool.schemas, ...more.schemas } };
  const used = new Set<string>();
  const visit = (part: unknown): void => {
    for (const [found, group = '', name = ''] of JSON.stringify(part).matchAll(reference)) {
      if (used.has(found)) continue;
      used.add(found);
      visit(all[group]?.[name] ?? null);
    }
  };
  visit(document);
  const isUsed = (group: string, name: string) => used.has(`"#/components/${group}/${name}"`);
  return Object.fromEntries(
    Object.entries(all)
      .map(([group, members]) => [
        group,
        Object.fromEntries(Object.entries(members).filter(([name]) => isUsed(group, name))),
      ])
      .filter(([, members]) => Object.keys(members as Json).length > 0),
  );
}
