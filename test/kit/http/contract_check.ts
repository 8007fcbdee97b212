import { portalEndpoints } from '@tenant-payments/backoffice/contract/catalog.ts';
import { endpoints, records } from '@tenant-payments/contract/catalog.ts';
import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import { errorStatus } from '@tenant-payments/contract/core/errors.ts';
import { hostedEndpoints } from '@tenant-payments/contract/hosted/catalog.ts';
import {
  ErrorEnvelope,
  PortalErrorEnvelope,
  replyCodes,
} from '@tenant-payments/contract/resources/errors.ts';
import { Event } from '@tenant-payments/contract/resources/webhook_events.ts';
import { schemaCompiler } from '@tenant-payments/engine/json_schema.ts';
import type { ValidateFunction } from 'ajv';
import type { TObject, TSchema } from 'typebox';

const ajv = schemaCompiler();

const compiled = new Map<TSchema, ValidateFunction>();
function validator(schema: TSchema): ValidateFunction {
  const known = compiled.get(schema);
  if (known) return known;
  const made = ajv.compile(schema);
  compiled.set(schema, made);
  return made;
}

interface Route {
  readonly endpoint: EndpointDefinition;
  readonly path: RegExp;
}

const served: readonly EndpointDefinition[] = [endpoints, portalEndpoints, hostedEndpoints].flatMap(
  (catalog) => Object.values<EndpointDefinition>(catalog),
);
const routes: readonly Route[] = served.map((endpoint) => ({
  endpoint,
  path: new RegExp(`^${endpoint.path.replaceAll(/:\w+/g, '[^/]+')}$`),
}));

const routeOf = (method: string, path: string): EndpointDefinition | undefined =>
  routes.find((route) => route.endpoint.method === method && route.path.test(path))?.endpoint;

interface CheckedReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

const isStream = (headers: Headers): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') ?? false;

/** The messages of a stream that has ended: each of its lines is a field. */
const messagesOf = (text: string): object[] =>
  text
    .split('\n\n')
    .filter((block) => block.includes('data: '))
    .map((block) => {
      const fields = block.split('\n').map((line) => line.split(/: (.*)/s, 2));
      const { data = 'null', ...named } = Object.fromEntries(fields);
      return { ...named, data: JSON.parse(data) };
    });

const isFault = (status: number) => status === 500 || status === 503;

/** The fault of a reply to an operation; null when nothing is. An operator's key has no rate. */
function faultOf(endpoint: EndpointDefinition, { status, headers, body }: CheckedReply) {
  if (!/^req_[0-9a-f]{32}$/.test(headers.get('service-request-id') ?? ''))
    return 'no Service-Request-Id';
  if (status === endpoint.success.status) {
    if (!('key' in endpoint) && !headers.has('ratelimit-limit')) return 'no RateLimit headers';
    // A file in place of the list, where the query asks for one.
    if (headers.has('content-disposition')) return null;
    const validate = validator(endpoint.success.schema);
    const wrong = isStream(headers) ? messagesOf(String(body)).find((one) => !validate(one)) : null;
    if (isStream(headers)) return wrong ? `a message: ${ajv.errorsText(validate.errors)}` : null;
    return validate(body) ? null : `not its schema: ${ajv.errorsText(validate.errors)}`;
  }
  const validate = validator('may' in endpoint ? PortalErrorEnvelope : ErrorEnvelope);
  if (!validate(body)) return `not the envelope: ${ajv.errorsText(validate.errors)}`;
  const { error } = body as ErrorEnvelope;
  if (error.request_id !== headers.get('service-request-id')) return 'another request_id';
  if (!replyCodes(endpoint).includes(error.code)) return `${error.code} is not listed for it`;
  if (errorStatus[error.code] !== status && !(error.code === 'internal_error' && isFault(status)))
    return `${error.code} does not go with ${status}`;
  if ((status === 503 || status === 429) && !headers.has('retry-after')) return 'no Retry-After';
  return null;
}

/** @throws when a reply is not what the contract promises of this operation */
export function checkReply(method: string, url: string, reply: CheckedReply): void {
  const endpoint = routeOf(method, url.split('?', 1)[0] ?? url);
  const fault = endpoint ? faultOf(endpoint, reply) : null;
  if (fault !== null)
    throw new Error(
      `${method} ${url} answered ${reply.status}: ${fault}\n${JSON.stringify(reply.body)}`,
    );
}

/** Shown by the reply that creates a record alone, so that no token ever stands in an event. */
const onlyOnCreation = ['confirmation_session', 'onboarding_session', 'token'];
/** Changed with every version, and so left out of previous_attributes. */
const always = ['version', 'updated_at'];

/** The fault of the earlier values of the fields that changed. */
function beforeFault(schema: TObject, before: Event['data']['previous_attributes']): string | null {
  for (const [name, value] of Object.entries(before ?? {})) {
    const field = schema.properties[name];
    if (!field || onlyOnCreation.includes(name) || always.includes(name))
      return `previous_attributes with ${name}`;
    const validate = validator(field);
    if (!validate(value)) return `previous ${name}: ${ajv.errorsText(validate.errors)}`;
  }
  return null;
}

/**
 * Why an event is not what the contract says of its type; null: it is. The record is held against
 * its own schema, in which no field is unknown.
 */
export function eventFault({
  delivery: _,
  ...event
}: Event & { delivery?: unknown }): string | null {
  const validate = validator(Event);
  if (!validate(event)) return `not an Event: ${ajv.errorsText(validate.errors)}`;
  const { object, previous_attributes } = event.data;
  const [resource] = event.type.split('.') as [keyof typeof records];
  const schema: TObject = records[resource];
  const validateRecord = validator(schema);
  if (!validateRecord(object))
    return `its record is not a ${resource}: ${ajv.errorsText(validateRecord.errors)}`;
  const shown = onlyOnCreation.find((name) => (object[name] ?? null) !== null);
  return shown ? `it shows ${shown}` : beforeFault(schema, previous_attributes);
}
