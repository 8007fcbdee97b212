import Type, { type Static } from 'typebox';
import { endpoint } from '../core/endpoint.ts';
import { lifecycle } from '../core/lifecycle.ts';
import { recordRead } from '../core/reads.ts';
import { Closed, Id, IdInput, Instant, Nullable, OneOf, Secret, Text } from '../core/schema.ts';
import { verificationStatuses } from './verification.ts';

export const flows = [
  'onboarding',
  'payment_confirm',
  'pin_reset',
  'contact_change',
  'terms_acceptance',
] as const;
export type Flow = (typeof flows)[number];

export const targetTypes = ['payment', 'load', 'withdrawal', 'refund'] as const;
export type TargetType = (typeof targetTypes)[number];

export const Target = Closed({ type: OneOf(targetTypes), id: IdInput('Record to confirm') });
export type Target = Static<typeof Target>;

/**
 * Hosted sessions (rules/sessions#8). A session is created by POST /v1/sessions or together with a
 * record; its creation has no event.
 */
export const sessionLifecycle = lifecycle(
  'session',
  ['created', 'completed', 'canceled', 'expired'],
  {
    create: { from: 'new', to: 'created', by: 'tenant', event: null },
    complete: { from: ['created'], to: 'completed', by: 'customer', simulate: 'session.completed' },
    leave: { from: ['created'], to: 'canceled', by: 'customer', simulate: 'session.canceled' },
    supersede: { from: ['created'], to: 'canceled', by: 'service' },
    expire: { from: ['created'], to: 'expired', by: 'service', simulate: 'session.expired' },
  },
);

/** The summary in the reply that creates a record, and nowhere else (rules/sessions#1). */
export const ConfirmationSession = Closed({
  id: Id('Session identifier'),
  flow: OneOf(flows),
  token: Nullable(Secret('Single-use token for the SDK; must not be logged')),
  expires_at: Instant('End of the time in which the token can be opened'),
});
export type ConfirmationSession = Static<typeof ConfirmationSession>;

export const Session = Closed({
  id: Id('Session identifier'),
  object: Type.Literal('session'),
  flow: OneOf(flows),
  customer_id: Id('Customer who goes through the flow'),
  target: Nullable(Target),
  status: OneOf(sessionLifecycle.states),
  token: Nullable(Secret('Returned only when the session is created')),
  return_url: Nullable(Type.String()),
  expires_at: Instant('End of the time in which the token can be opened'),
  created_at: Instant('Creation time'),
});
export type Session = Static<typeof Session>;

export const SessionOutcome = Closed({
  object: Type.Literal('session_outcome'),
  session_id: Id('Session identifier'),
  flow: OneOf(flows),
  status: OneOf(['completed', 'canceled', 'expired'], 'How the customer left the flow'),
  customer_id: Id('Customer'),
  verification_status: Nullable(
    OneOf(verificationStatuses, 'For onboarding, the verification status when the flow ended'),
  ),
  target: Nullable(Target),
  target_status: Nullable(Type.String()),
  terms_decision: Nullable(OneOf(['accepted', 'declined'])),
});
export type SessionOutcome = Static<typeof SessionOutcome>;

export const createSession = endpoint({
  id: 'createSession',
  method: 'POST',
  path: '/v1/sessions',
  summary: 'Start a hosted flow, or replace an expired one',
  idempotent: 'required',
  body: Closed({
    flow: OneOf(flows),
    customer_id: IdInput('Customer who goes through the flow'),
    target: Type.Optional(Nullable(Target)),
    return_url: Type.Optional(Nullable(Text(2048, 'Registered return address'))),
  }),
  success: { status: 201, schema: Session },
  errors: ['parameter_missing', 'invalid_state', 'account_restricted', 'session_invalid'],
});

export const exchangeSession = endpoint({
  id: 'exchangeSession',
  method: 'POST',
  path: '/v1/sessions/exchange',
  summary: "Exchange the SDK's result token for the outcome, once",
  idempotent: 'honored',
  body: Closed({ result_token: Text(256, 'From the SDK') }),
  success: { status: 200, schema: SessionOutcome },
  errors: ['parameter_missing', 'result_token_invalid'],
});

export const getSession = recordRead(
  'getSession',
  '/v1/sessions/:id',
  'Get a hosted session',
  Session,
);
