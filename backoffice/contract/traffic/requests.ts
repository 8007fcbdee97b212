import { List, pageQuery } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
  Text,
} from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';
import { asFile, inOrder } from '../records/list_filters.ts';

/** The API request log, redacted before it is written (rules/operations#20). */

export const ApiRequest = Closed({
  id: Id('As in Service-Request-Id and in the error envelope'),
  at: Instant('Time of receipt, in real time'),
  method: Type.String(),
  path: Type.String({ description: 'Path and query' }),
  status: Type.Integer({ description: 'HTTP status of the reply' }),
  code: Nullable(Type.String({ description: '`error.code` of a refusal' })),
  param: Nullable(Type.String({ description: '`error.param` of a refusal' })),
  keyed: Type.Boolean({ description: 'It carried an Idempotency-Key, which is not kept' }),
  user_agent: Nullable(Type.String({ description: 'The program that called' })),
  refused_in_production: Nullable(
    Type.String({ description: 'In a sandbox: what production would have answered' }),
  ),
  replayed: Type.Boolean({ description: 'The reply repeats the reply of an earlier call' }),
  duration_ms: Type.Integer(),
  request_body: Nullable(Type.String({ description: 'Without secrets and personal data' })),
  response_body: Nullable(Type.String({ description: 'Without secrets and personal data' })),
});
export type ApiRequest = Static<typeof ApiRequest>;

export const listRequests = portalEndpoint({
  id: 'listRequests',
  method: 'GET',
  path: '/portal/api/requests',
  summary: 'List the requests of the API, redacted, newest first',
  idempotent: 'none',
  may: ['developer', 'support'],
  of: 'tenant',
  query: Closed({
    request_id: Type.Optional(IdInput('Only the request with this Service-Request-Id')),
    status: Type.Optional(
      Type.String({
        pattern: '^([2-5]xx|[2-5][0-9][0-9])$',
        description: 'HTTP status of the reply, or its class: `404`, `4xx`',
      }),
    ),
    method: Type.Optional(OneOf(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])),
    path: Type.Optional(Text(256, 'Beginning of the path: `/v1/payments`')),
    code: Type.Optional(IdInput('`error.code` of a refusal')),
    idempotency_key: Type.Optional(
      Type.String({
        pattern: '^[\\x21-\\x7e]{1,255}$',
        description: 'The whole Idempotency-Key of the call',
      }),
    ),
    from: Type.Optional(Instant('Not before, in real time')),
    to: Type.Optional(Instant('Before, in real time')),
    ...inOrder,
    ...asFile,
    ...pageQuery,
  }),
  success: { status: 200, schema: List(ApiRequest) },
  errors: ['parameter_invalid'],
});
