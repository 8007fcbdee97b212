import Type, { type Static } from 'typebox';
import { List, pageQuery } from '../core/page.ts';
import { Closed, Id, IdInput, Instant, Nullable } from '../core/schema.ts';
import { portalEndpoint } from './endpoint.ts';

/** The API request log (surfaces, Portal JSON). It was redacted before it was written. */

export const ApiRequest = Closed({
  id: Id('As in Service-Request-Id and in the error envelope'),
  at: Instant('Received, in the time of the world'),
  method: Type.String(),
  path: Type.String({ description: 'With its query' }),
  status: Type.Integer({ description: 'HTTP status of the reply' }),
  code: Nullable(Type.String({ description: '`error.code` of a refusal' })),
  param: Nullable(Type.String({ description: '`error.param` of a refusal' })),
  replayed: Type.Boolean({ description: 'The reply repeated that of an earlier call' }),
  duration_ms: Type.Integer(),
  request_body: Nullable(Type.String({ description: 'Without secrets and personal data' })),
  response_body: Nullable(Type.String({ description: 'Without secrets and personal data' })),
});
export type ApiRequest = Static<typeof ApiRequest>;

export const listRequests = portalEndpoint({
  id: 'listRequests',
  method: 'GET',
  path: '/portal/api/requests',
  summary: 'The requests of the API, newest first, redacted',
  idempotent: 'none',
  role: 'developer',
  query: Closed({
    request_id: Type.Optional(IdInput('Only this one, by its Service-Request-Id')),
    ...pageQuery,
  }),
  success: { status: 200, schema: List(ApiRequest) },
  errors: ['parameter_invalid'],
});
