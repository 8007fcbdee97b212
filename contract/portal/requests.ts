import Type, { type Static } from 'typebox';
import { List, pageQuery } from '../core/page.ts';
import { Closed, Id, IdInput, Instant, Nullable } from '../core/schema.ts';
import { portalEndpoint } from './endpoint.ts';

/** The API request log, redacted before it is written (rules/operations#20). */

export const ApiRequest = Closed({
  id: Id('As in Service-Request-Id and in the error envelope'),
  at: Instant('Time of receipt, in real time'),
  method: Type.String(),
  path: Type.String({ description: 'Path and query' }),
  status: Type.Integer({ description: 'HTTP status of the reply' }),
  code: Nullable(Type.String({ description: '`error.code` of a refusal' })),
  param: Nullable(Type.String({ description: '`error.param` of a refusal' })),
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
  role: 'developer',
  query: Closed({
    request_id: Type.Optional(IdInput('Only the request with this Service-Request-Id')),
    ...pageQuery,
  }),
  success: { status: 200, schema: List(ApiRequest) },
  errors: ['parameter_invalid'],
});
