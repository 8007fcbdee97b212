/**
 * Code that must not compile. The type checker is the test: when a line below compiles, its
 * directive is unused, which is an error.
 */
import type { EndpointId, EventType, RecordOfEvent, SimulateName } from './catalog.ts';
import { endpoint } from './core/endpoint.ts';
import type { FailureCode } from './core/failure_codes.ts';
import { lifecycle, type MoveOf, type StateOf } from './core/lifecycle.ts';
import type { AmountOf, PartyOf } from './recipe_types.ts';
import type { Load, loadLifecycle } from './resources/loads.ts';
import { SimulationResult } from './resources/simulations.ts';

const success = { status: 200, schema: SimulationResult } as const;

export const tables = [
  lifecycle('thing', ['a', 'b'], {
    // @ts-expect-error c is not a state of this table
    go: { from: ['c'], to: 'b', by: 'bank', event: 'thing.b' },
  }),
  lifecycle('thing', ['a', 'b'], {
    // @ts-expect-error c is not a state of this table
    go: { from: ['a'], to: 'c', by: 'bank', event: 'thing.b' },
  }),
  lifecycle('thing', ['a', 'b'], {
    // @ts-expect-error another resource's event
    go: { from: ['a'], to: 'b', by: 'bank', event: 'other.b' },
  }),
  lifecycle('thing', ['a', 'b'], {
    // @ts-expect-error not a recipe
    go: { from: ['a'], to: 'b', by: 'bank', event: 'thing.b', posts: 'money_made' },
  }),
  lifecycle('thing', ['a', 'b'], {
    // @ts-expect-error not an actor
    go: { from: ['a'], to: 'b', by: 'nobody', event: 'thing.b' },
  }),
  endpoint({
    id: 'thing',
    method: 'GET',
    path: '/v1/things',
    summary: 'Things',
    idempotent: 'none',
    success,
    // @ts-expect-error not an error code
    errors: ['not_there'],
  }),
];

// @ts-expect-error not a state
export const state: StateOf<typeof loadLifecycle> = 'completed';
// @ts-expect-error not a move
export const move: MoveOf<typeof loadLifecycle> = 'refund';
// @ts-expect-error not an event
export const event: EventType = 'payment.exploded';
// @ts-expect-error not a simulated event
export const simulated: SimulateName = 'load.created';
// @ts-expect-error not an operation
export const operation: EndpointId = 'createMoney';
// @ts-expect-error a load is not a credit transfer
export const failure: FailureCode<'load'> = 'unknown_customer';
// @ts-expect-error the record's own codes are a list too
export const failed: Load['failure_code'] = 'bad_luck';
// @ts-expect-error a payment has no holder
export const party: PartyOf<'payment_completed'> = 'holder';
// @ts-expect-error not an amount
export const amount: AmountOf<'payment_completed'> = 'tip';
// @ts-expect-error payment.completed carries a payment
export const carried: RecordOfEvent<'payment.completed'>['object'] = 'load';

/** Code that must compile. */
export const legal: [StateOf<typeof loadLifecycle>, EventType, SimulateName, FailureCode<'load'>] =
  ['settled', 'payment.completed', 'load.settled', 'customer_refused'];
