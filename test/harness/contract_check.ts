import { endpoints } from '@tenant-payments/contract/catalog.ts';
import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import { errorStatus } from '@tenant-payments/contract/core/errors.ts';
import { hostedEndpoints } from '@tenant-payments/contract/hosted/catalog.ts';
import { portalEndpoints } from '@tenant-payments/contract/portal/catalog.ts';
import { ErrorEnvelope, replyCodes } from '@tenant-payments/contract/resources/errors.ts';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';

const ajv = new Ajv({ strict: true, keywords: ['x-secret'] });
addFormats.default(ajv);

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

const served: readonly EndpointDefinition[] = [endpoints, portalEndpoints, hostedEndpoints].flatMap((catalog) =>
  Object.values<EndpointDefinition>(catalog),
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

const isFault = (status: number) => status === 500 || status === 503;

/** What is wrong with a reply to an operation; null when nothing is. An operator's key has no rate. */
function faultOf(endpoint: EndpointDefinition, { status, headers, body }: CheckedReply) {
  if (!/^req_[0-9a-f]{32}$/.test(headers.get('service-request-id') ?? ''))
    return 'no Service-Request-Id';
  if (status === endpoint.success.status) {
    if (!('key' in endpoint) && !headers.has('ratelimit-limit')) return 'no RateLimit headers';
    const validate = validator(endpoint.success.schema);
    return validate(body) ? null : `not its schema: ${ajv.errorsText(validate.errors)}`;
  }
  const validate = validator(ErrorEnvelope);
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
