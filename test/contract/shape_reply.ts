import { parse } from 'node:querystring';
import type { EndpointDefinition } from '@tenant-payments/contract/core/endpoint.ts';
import type { ApiError } from '../../engine/fail.ts';
import { schemaOf } from '../../service/http/serve/serve.ts';
import { compileValidator } from '../../service/http/serve/validation.ts';
import type { Reply } from '../kit/http/http.ts';
import type { Misshapen } from './judge.ts';

type Validate = (value: unknown) => { readonly error?: ApiError };
const known = new Map<string, Validate>();

/** The service's own validator of a part of an operation's requests. */
function validatorOf(endpoint: EndpointDefinition, part: 'query' | 'body'): Validate {
  const key = `${endpoint.id} ${part}`;
  const { querystring, body = querystring } = schemaOf(endpoint);
  const where = { method: endpoint.method, url: endpoint.path };
  const validate =
    known.get(key) ??
    (part === 'body'
      ? compileValidator({ ...where, schema: body, httpPart: 'body' })
      : compileValidator({ ...where, schema: querystring, httpPart: 'querystring' }));
  known.set(key, validate as Validate);
  return validate as Validate;
}

/** The refusal of the service for a request's shape, without sending it; null: it lets it pass. */
export function shapeReply(
  endpoint: EndpointDefinition,
  { byShape: { part }, request: { path, body = '' } }: Misshapen,
): Reply | null {
  const value = part === 'body' ? JSON.parse(body) : parse(path.split('?')[1] ?? '');
  const { error } = validatorOf(endpoint, part)(value);
  if (!error) return null;
  const { code, param, details, status } = error;
  return { status, headers: new Headers(), body: { error: { code, param, details } } };
}
