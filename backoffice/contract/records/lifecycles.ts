import { List } from '@tenant-payments/contract/core/page.ts';
import { Closed, Nullable } from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** The state tables as the service runs them (rules/records#1). */

const Words = Type.Array(Type.String());

const LifecycleMove = Closed({
  name: Type.String(),
  from: Nullable(
    Type.Array(Type.String(), { description: 'Null where the move creates the record' }),
  ),
  to: Nullable(Type.String({ description: 'Null where the status does not change' })),
  by: Type.Array(Type.String(), { description: 'Who may cause it' }),
  event: Nullable(Type.String({ description: 'Type of its event' })),
  posts: Type.Array(Type.String(), { description: 'The recipes that it may post' }),
  simulate: Nullable(Type.String({ description: 'The sandbox event that simulates it' })),
});

export const LifecycleTable = Closed({
  resource: Type.String(),
  states: Words,
  moves: Type.Array(LifecycleMove),
});
export type LifecycleTable = Static<typeof LifecycleTable>;

export const listLifecycles = portalEndpoint({
  id: 'listLifecycles',
  method: 'GET',
  path: '/portal/api/lifecycles',
  summary: 'The states and moves of every resource, as the service runs them',
  idempotent: 'none',
  may: ['reader', 'support'],
  of: 'tenant',
  success: { status: 200, schema: List(LifecycleTable) },
  errors: [],
});
