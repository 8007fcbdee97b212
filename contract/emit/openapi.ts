import type { TObject } from 'typebox';
import { type EndpointId, endpoints, records } from '../catalog.ts';
import type { EndpointDefinition } from '../core/endpoint.ts';
import { type ErrorCode, errorStatus } from '../core/errors.ts';
import { eventTypes, type Resource } from '../lifecycles.ts';
import { replyCodes } from '../resources/errors.ts';
import { errorHeaders, headers, parameters, responses, successHeaders } from './components.ts';
import { componentSchemas, type Json, nameOf, schemaJson, schemaRef } from './schemas.ts';
import { general, tagDescriptions, tagOf } from './texts.ts';

/**
 * The interface as OpenAPI 3.1, made from the same endpoints that the service runs.
 * `baseUrl` is where this deployment is reached (contract: "issued per environment").
 */
export function openApiDocument({ baseUrl }: { readonly baseUrl: string }): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tenant API',
      version: '1.1',
      description: general,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    security: [{ oauth2: ['tenant'] }],
    tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
    paths: paths(),
    webhooks: webhooks(),
    components: {
      securitySchemes: {
        oauth2: {
          type: 'oauth2',
          description:
            'Client credentials; cache the token and renew it shortly before it expires.',
          flows: {
            clientCredentials: {
              tokenUrl: `${baseUrl}/oauth/token`,
              scopes: { tenant: 'Everything that belongs to the Tenant' },
            },
          },
        },
      },
      parameters,
      headers,
      responses,
      schemas: { ...componentSchemas(), ...eventSchemas() },
    },
  };
}

function paths(): Json {
  const byPath: Record<string, Json> = {};
  for (const id of Object.keys(endpoints) as EndpointId[]) {
    const definition: EndpointDefinition = endpoints[id];
    const path = definition.path.replaceAll(/:(\w+)/g, '{$1}');
    byPath[path] = { ...byPath[path], [definition.method.toLowerCase()]: operation(id) };
  }
  return byPath;
}

function operation(id: EndpointId): Json {
  const definition: EndpointDefinition = endpoints[id];
  const inputs = [
    ...parametersIn('path', definition.params),
    ...parametersIn('query', definition.query),
    ...idempotencyParameter[definition.idempotent],
  ];
  return {
    operationId: id,
    tags: [tagOf[id]],
    summary: definition.summary,
    ...(definition.authenticated === false ? { security: [] } : {}),
    ...(inputs.length > 0 ? { parameters: inputs } : {}),
    ...(definition.body ? { requestBody: requestBody(definition, definition.body) } : {}),
    responses: { ...success(definition), ...failures(definition) },
  };
}

const idempotencyParameter: Record<EndpointDefinition['idempotent'], Json[]> = {
  required: [{ $ref: '#/components/parameters/IdempotencyKey' }],
  honored: [{ $ref: '#/components/parameters/OptionalIdempotencyKey' }],
  none: [],
};

function parametersIn(place: 'path' | 'query', fields: TObject | undefined): Json[] {
  const required = new Set<string>(fields?.required ?? []);
  return Object.entries(fields?.properties ?? {}).map(([name, field]) => {
    const { description, ...schema } = schemaJson(field);
    return {
      name,
      in: place,
      required: required.has(name),
      ...(description === undefined ? {} : { description }),
      schema,
    };
  });
}

const mediaTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' };

function requestBody({ bodyType = 'json' }: EndpointDefinition, fields: TObject): Json {
  return { required: true, content: { [mediaTypes[bodyType]]: { schema: schemaJson(fields) } } };
}

function success({ success: { status, schema }, idempotent }: EndpointDefinition): Json {
  return {
    [status]: {
      description: nameOf(schema) ?? 'Success',
      headers: successHeaders(idempotent !== 'none'),
      content: { 'application/json': { schema: schemaJson(schema) } },
    },
  };
}

/** The replies that every operation shares are components; the others list their codes here. */
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
    content: { 'application/json': { schema: schemaRef('ErrorEnvelope') } },
    'x-error-codes': codes,
  };
}

const pascal = (words: string) =>
  words
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const resources = Object.keys(records) as Resource[];
const eventsOf = (resource: Resource) =>
  eventTypes.filter((type) => type.startsWith(`${resource}.`));

/** One schema for each resource: its event types, and its record in `data.object`. */
function eventSchemas(): Json {
  return Object.fromEntries(
    resources.map((resource) => [
      `${pascal(resource)}Event`,
      {
        allOf: [schemaRef('Event')],
        type: 'object',
        properties: {
          type: { type: 'string', enum: eventsOf(resource) },
          data: { type: 'object', properties: { object: schemaJson(records[resource]) } },
        },
      },
    ]),
  );
}

function webhooks(): Json {
  return Object.fromEntries(
    resources.map((resource) => [
      resource,
      {
        post: {
          operationId: `receive${pascal(resource)}Event`,
          tags: ['Webhooks'],
          summary: eventsOf(resource).join(', '),
          security: [],
          parameters: [{ $ref: '#/components/parameters/ServiceSignature' }],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaRef(`${pascal(resource)}Event`) } },
          },
          responses: { '2XX': { description: 'Received; answer within 10 seconds.' } },
        },
      },
    ]),
  );
}
