import { List } from '@tenant-payments/contract/core/page.ts';
import { Closed, IdInput, Instant, Nullable } from '@tenant-payments/contract/core/schema.ts';
import Type from 'typebox';
import { portalEndpoint } from '../endpoint.ts';
import { ofEndpoint } from './further_endpoints.ts';

/** The attempts to deliver an event (rules/webhooks#17). */

const Headers = Type.Record(Type.String(), Type.String());

export const Attempt = Closed({
  number: Type.Integer({ minimum: 1 }),
  at: Instant("Start of the attempt, on the Tenant's clock"),
  url: Type.String(),
  request_headers: Headers,
  request_body: Type.String(),
  response_status: Nullable(Type.Integer()),
  response_headers: Nullable(Headers),
  response_body: Nullable(Type.String({ description: 'The first 64 kB' })),
  duration_ms: Type.Integer(),
  error: Nullable(Type.String({ description: 'Why there was no reply' })),
});

export const listEventAttempts = portalEndpoint({
  id: 'listEventAttempts',
  method: 'GET',
  path: '/portal/api/events/:id/attempts',
  summary: 'Every attempt to deliver an event, oldest first',
  idempotent: 'none',
  may: ['developer', 'support'],
  of: 'tenant',
  personal: 'data',
  access: 'deliveries',
  params: Closed({ id: IdInput('Event identifier') }),
  query: Closed(ofEndpoint),
  success: { status: 200, schema: List(Attempt) },
  errors: ['not_found'],
});
