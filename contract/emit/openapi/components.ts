import type { ErrorCode } from '../../core/errors.ts';
import { errorExampleRefs } from '../examples/errors.ts';
import { ids } from '../examples/story.ts';
import { type Json, schemaRef } from './schemas.ts';

const keySchema = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: '^[\\x21-\\x7E]+$',
};

/** Request headers, shared by the operations (rules/idempotency#1, rules/webhooks#9). */
export const parameters: Json = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    description:
      'One for each intended effect, the same over all retries. The same key with the same request returns the first reply for 30 days; with another request it is refused.',
    schema: keySchema,
    example: 'order-2041',
  },
  OptionalIdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Not required; honored when sent.',
    schema: keySchema,
    example: 'order-2041',
  },
  ServiceSignature: {
    name: 'Service-Signature',
    in: 'header',
    required: true,
    description:
      '`t=<unix seconds>,v1=<hex>`: v1 is the HMAC-SHA256, keyed with the webhook signing secret, of the timestamp, a full stop and the raw body. One v1 for each active secret.',
    schema: { type: 'string' },
    example: `t=1772463900,v1=${'5f'.repeat(32)}`,
  },
};

const integerHeader = (description: string, example: number) => ({
  description,
  schema: { type: 'integer' },
  example,
});

/** Reply headers (rules/errors#3, rules/limits#15). */
export const headers: Json = {
  'Service-Request-Id': {
    description: 'Identifier of this request, also in the error envelope',
    schema: { type: 'string' },
    example: ids.request,
  },
  'RateLimit-Limit': integerHeader('Requests per window', 600),
  'RateLimit-Remaining': integerHeader('Requests left in this window', 599),
  'RateLimit-Reset': integerHeader('Whole seconds until the whole limit is there again', 1),
  'Retry-After': integerHeader('Whole seconds to wait before trying again', 2),
  'Idempotent-Replayed': {
    description: 'Present when the reply repeats the reply of an earlier call with the same key',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
};

const refs = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const always = ['Service-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

export const errorHeaders = refs(always);
export const successHeaders = (replayable: boolean): Json =>
  refs(replayable ? [...always, 'Idempotent-Replayed'] : always);

const refusal = (
  description: string,
  codes: readonly ErrorCode[],
  names: readonly string[],
): Json => ({
  description,
  headers: refs(names),
  content: {
    'application/json': { schema: schemaRef('ErrorEnvelope'), examples: errorExampleRefs(codes) },
  },
  'x-error-codes': codes,
});

/** Refusals of any operation, which the operations do not list. */
export const responses: Json = {
  Unauthenticated: refusal(
    '`authentication_required`: missing or unusable access token',
    ['authentication_required'],
    ['Service-Request-Id'],
  ),
  RateLimited: refusal(
    '`rate_limited`: wait for Retry-After',
    ['rate_limited'],
    [...always, 'Retry-After'],
  ),
  InternalError: refusal('`internal_error`: a fault of the service', ['internal_error'], always),
  Unavailable: refusal(
    '`internal_error`: overloaded or briefly unavailable; nothing was done, try again with the same key',
    ['internal_error'],
    ['Service-Request-Id', 'Retry-After'],
  ),
};
