import Type, { type Static } from 'typebox';
import { endpoint } from '../core/endpoint.ts';
import { type FailureCode, failureCodes } from '../core/failure_codes.ts';
import type { Actor } from '../core/lifecycle.ts';
import { AmountInput } from '../core/money.ts';
import { Closed, Extension, Id, IdInput, Nullable, OneOf, Readable, Text } from '../core/schema.ts';
import { type MoveSimulateName, moveSimulateNames } from '../lifecycles.ts';

/**
 * Simulated events that are not a move of a record: five wrong PINs, unmatched money
 * (rules/sandbox#5).
 */
export const otherSimulateNames = [
  'customer.pin_locked',
  'load.paid_late',
  'withdrawal.returned',
  'statement.available',
  'bank.money_received',
  'bank.return_requested',
] as const;

/** The one who causes each in production. */
export const otherSimulateActors: Readonly<Record<(typeof otherSimulateNames)[number], Actor>> = {
  'customer.pin_locked': 'customer',
  'load.paid_late': 'bank',
  'withdrawal.returned': 'bank',
  'statement.available': 'service',
  'bank.money_received': 'bank',
  'bank.return_requested': 'bank',
};

/** The simulations that take an amount and the sender's words; with others these are parameter_invalid. */
export const simulateOfMoney: readonly SimulateName[] = [
  'bank.money_received',
  'bank.return_requested',
];

export type SimulateName = MoveSimulateName | (typeof otherSimulateNames)[number];

/** Every name that POST /v1/sandbox/simulate/{event} takes; any other is not_found. */
export const simulateNames: readonly SimulateName[] = [...moveSimulateNames, ...otherSimulateNames];

export interface Failure<Code extends string = string> {
  readonly codes: readonly Code[];
  /** The code applied when the request names none; null leaves the event without one. */
  readonly fallback: Code | null;
}

const confirmationDeclined: Failure = { codes: ['confirmation_declined'], fallback: null };

/**
 * The `failure_code` values that a simulated event takes (rules/sandbox#8). Any other event or code
 * is parameter_invalid.
 */
export const simulateFailures: { readonly [E in SimulateName]?: Failure } = {
  'load.failed': { codes: failureCodes.load.bank, fallback: 'customer_refused' } satisfies Failure<
    FailureCode<'load'>
  >,
  'payment.failed': {
    codes: failureCodes.payment.bank,
    fallback: 'customer_refused',
  } satisfies Failure<FailureCode<'payment'>>,
  'withdrawal.failed': {
    codes: failureCodes.withdrawal.bank,
    fallback: 'account_closed',
  } satisfies Failure<FailureCode<'withdrawal'>>,
  'refund.failed': {
    codes: failureCodes.refund.bank,
    fallback: 'account_closed',
  } satisfies Failure<FailureCode<'refund'>>,
  'linked_account.failed': {
    codes: [...failureCodes.linked_account.bank, ...failureCodes.linked_account.own],
    fallback: 'owner_mismatch',
  } satisfies Failure<FailureCode<'linked_account'>>,
  'session.completed': confirmationDeclined,
  'session.canceled': confirmationDeclined,
  'session.expired': confirmationDeclined,
};

export const SimulationResult = Closed({
  object: Type.Literal('simulation'),
  event: Type.String({ description: 'Simulated event' }),
  object_id: Id('Record acted on'),
  status: OneOf(['accepted']),
});
export type SimulationResult = Static<typeof SimulationResult>;

export const simulateEvent = endpoint({
  id: 'simulateEvent',
  method: 'POST',
  path: '/v1/sandbox/simulate/:event',
  summary: 'Act as the bank, a provider or a reviewer (sandbox only)',
  idempotent: 'honored',
  params: Closed({ event: IdInput('Event to simulate') }),
  body: Closed({
    object_id: IdInput('Record to act on'),
    failure_code: Type.Optional(Nullable(Text(64, 'For failure events, the code to apply'))),
    amount: Extension(AmountInput),
    remittance: Extension(
      Readable(140, 'For money that came: what its sender wrote. The id of an order names it'),
    ),
  }),
  success: { status: 202, schema: SimulationResult },
  errors: ['sandbox_only', 'not_found', 'invalid_state'],
});
