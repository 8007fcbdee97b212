import Type, { type Static } from 'typebox';
import { endpoint } from '../core/endpoint.ts';
import { Closed, Instant, OneOf } from '../core/schema.ts';
import { eventTypes } from '../lifecycles.ts';

/** Events that one call sends again at most. */
export const maximumRecovered = 10_000;

/** Why an event has not arrived: an attempt of it failed, or none was made as no endpoint was enabled. */
export const missedReasons = ['failed', 'never_sent'] as const;
export type MissedReason = (typeof missedReasons)[number];

export const RecoveryRequest = Closed({
  since: Instant("Not before, on the Tenant's clock; at most 30 days ago"),
  until: Type.Optional(Instant("Before, on the Tenant's clock")),
  type: Type.Optional(OneOf(eventTypes, 'Exact event type')),
  missed: Type.Optional(
    OneOf(
      missedReasons,
      '`failed` (the default): events with a failed attempt, also while they are retried; `never_sent`: events never sent, as no endpoint was enabled',
    ),
  ),
  dry_run: Type.Optional(Type.Boolean({ description: 'Only count; default false' })),
});
export type RecoveryRequest = Static<typeof RecoveryRequest>;

export const Recovery = Closed({
  dry_run: Type.Boolean(),
  events: Type.Integer({ description: 'Events that are sent again, or that would be' }),
  has_more: Type.Boolean({ description: 'There were more: call again' }),
});
export type Recovery = Static<typeof Recovery>;

export const recoverWebhookEvents = endpoint({
  id: 'recoverWebhookEvents',
  method: 'POST',
  path: '/v1/webhook-events/recover',
  summary: 'Send again all events that have not arrived since a time',
  idempotent: 'none',
  extension: true,
  body: RecoveryRequest,
  success: { status: 200, schema: Recovery },
  errors: ['parameter_missing', 'parameter_invalid', 'invalid_state'],
});
