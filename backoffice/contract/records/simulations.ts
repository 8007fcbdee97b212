import { List } from '@tenant-payments/contract/core/page.ts';
import { Closed, Id, IdInput, Nullable } from '@tenant-payments/contract/core/schema.ts';
import { simulateEvent } from '@tenant-payments/contract/resources/simulations.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';
import { ApprovalEffect } from '../operate/approvals.ts';

/** The sandbox's moves of one record, for whoever is signed in (rules/portal-records#1). */

export const PossibleMove = Closed({
  event: Type.String({ description: 'As POST /portal/api/simulate/{event} takes it' }),
  by: Type.Array(Type.String(), { description: 'Who may cause it in production' }),
  failure_codes: Type.Array(Type.String(), {
    description: 'One of them is sent with it, the first where none is chosen; empty: none is sent',
  }),
  effect: Nullable(ApprovalEffect),
  obstacle: Nullable(
    Closed({
      code: Type.String({ description: 'With which it would be refused now' }),
      message: Type.String(),
      allowed: Type.Array(Type.String(), {
        description: 'Statuses from which it is possible, where the status is the reason',
      }),
    }),
  ),
});
export type PossibleMove = Static<typeof PossibleMove>;

export const listPossibleMoves = portalEndpoint({
  id: 'listPossibleMoves',
  method: 'GET',
  path: '/portal/api/records/:id/moves',
  summary: 'List what can be simulated of a record, each tried without its commit',
  idempotent: 'none',
  may: ['developer', 'admin'],
  sandboxOnly: true,
  of: 'tenant',
  params: Closed({ id: IdInput('Identifier of any kind') }),
  success: { status: 200, schema: List(PossibleMove) },
  errors: ['not_found'],
});

export const SimulatedMove = Closed({
  ...simulateEvent.success.schema.properties,
  request_id: Nullable(Id('By which its events are found')),
});
export type SimulatedMove = Static<typeof SimulatedMove>;

export const simulateMove = portalEndpoint({
  id: 'simulateMove',
  method: 'POST',
  path: '/portal/api/simulate/:event',
  summary: 'Act as the bank, a provider, the customer or a reviewer, as the API does',
  idempotent: 'honored',
  may: ['developer', 'admin'],
  sandboxOnly: true,
  of: 'tenant',
  params: simulateEvent.params,
  body: simulateEvent.body,
  success: { status: 202, schema: SimulatedMove },
  errors: ['parameter_missing', 'parameter_invalid', 'not_found', 'invalid_state'],
});
