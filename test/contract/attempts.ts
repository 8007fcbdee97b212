import type { ErrorCode } from '@tenant-payments/contract/core/errors.ts';
import type { Move } from '@tenant-payments/contract/core/lifecycle.ts';
import { moveRows } from '@tenant-payments/contract/lifecycles.ts';
import { reviewMoves } from '@tenant-payments/contract/portal/review.ts';
import { targetTypes } from '@tenant-payments/contract/resources/sessions.ts';
import {
  otherSimulateNames,
  type SimulateName,
  simulateNames,
} from '@tenant-payments/contract/resources/simulations.ts';
import type { Reply } from '../kit/http.ts';
import { type Tabled, tabled, tables } from './states.ts';
import type { Held, World } from './world.ts';

/**
 * One way in which somebody outside tries to move a record: a simulated event, a call of the
 * Tenant's, a move at the reviewer's door. All are read out of the contract; what it does not say in
 * data stands in the tables below, and one that stands in neither cannot be built.
 */
export interface Attempt {
  readonly name: string;
  readonly table: Tabled;
  /** The states in which a row allows it. */
  readonly from: readonly string[];
  /** Where the record may stand afterwards; `same`: where it stood. */
  readonly to: readonly string[] | 'same';
  /** The code of the refusal from any other state. */
  readonly refusal: ErrorCode;
  /** Whose state a refusal tells: the record's own, or of what it is played through. */
  readonly tells: Tabled;
  readonly send: (w: World, record: Held) => Promise<Reply>;
}

const statesOf = (table: Tabled): readonly string[] => tables[table].states;
const movesOf = (table: Tabled): Readonly<Record<string, Move>> => tables[table].moves;
const allBut = (table: Tabled, ...states: readonly string[]) =>
  statesOf(table).filter((state) => !states.includes(state));

const fromOf = (moves: readonly Move[]) => [
  ...new Set(moves.flatMap(({ from }) => (from === 'new' ? [] : from))),
];
/** A dispute of which nothing is to be taken back closes as it resolves; an empty account, at once. */
const goesOn: Readonly<Record<string, readonly string[]>> = {
  'dispute resolved': ['closed'],
  'account closing': ['closed'],
};
function toOf(table: Tabled, moves: readonly Move[]): Attempt['to'] {
  const [to = 'same'] = moves.map((move) => move.to);
  return to === 'same' ? to : [to, ...(goesOn[`${table} ${to}`] ?? [])];
}

const simulating =
  (event: string, more: object = {}) =>
  (w: World, { id }: Held) =>
    w.call('POST', `/v1/sandbox/simulate/${event}`, { object_id: id, ...more });

const attempt = (
  table: Tabled,
  name: string,
  rule: Pick<Attempt, 'from' | 'to'>,
  send: Attempt['send'],
  refusal: ErrorCode = 'invalid_state',
): Attempt => ({ name: `${name} on ${table}`, table, ...rule, refusal, tells: table, send });

/** The states that simulate names which are no moves of a table act on (decisions 1.4). */
const otherRules: Readonly<
  Record<(typeof otherSimulateNames)[number], Pick<Attempt, 'from'> & { readonly table: Tabled }>
> = {
  'customer.pin_locked': { table: 'customer', from: allBut('customer', 'created') },
  'load.paid_late': { table: 'load', from: ['failed'] },
  'withdrawal.returned': { table: 'withdrawal', from: ['settled'] },
  'statement.available': { table: 'account', from: allBut('account', 'closed') },
};
const isOther = (name: SimulateName): name is keyof typeof otherRules =>
  (otherSimulateNames as readonly string[]).includes(name);

/** Published, a version is a row of its own; the row that it is published on only stays accepted. */
const publishing = 'document_acceptance.pending_acceptance';

function simulated(name: SimulateName): Attempt {
  if (isOther(name)) {
    const { table, from } = otherRules[name];
    return attempt(table, `simulate ${name}`, { from, to: 'same' }, simulating(name));
  }
  const rows = moveRows.filter(({ move }) => move.simulate === name);
  const table = rows[0]?.resource;
  if (!table) throw new Error(`no table has the move of simulate ${name}`);
  const moves = rows.map(({ move }) => move);
  const rule =
    name === publishing
      ? ({ from: ['accepted'], to: 'same' } as const)
      : { from: fromOf(moves), to: toOf(table, moves) };
  return attempt(table, `simulate ${name}`, rule, simulating(name));
}

const moveOf = (table: Tabled, name: string): Move => {
  const move = movesOf(table)[name];
  if (!move) throw new Error(`${table} has no move ${name}`);
  return move;
};

/** What a customer does with a record that waits for it, by the record itself (decisions 1.4). */
function ofTarget(table: (typeof targetTypes)[number]): Attempt[] {
  const { to: open } = moveOf(table, 'create');
  const from = [open];
  const ends = (name: string) => toOf(table, [moveOf(table, name)]);
  // To a balance a refund is complete as soon as it is confirmed.
  const confirmed = table === 'refund' ? ['completed'] : ends('confirm');
  const declining = { failure_code: 'confirmation_declined' };
  const opening = (w: World, { id, customerId }: Held) =>
    w.call('POST', '/v1/sessions', {
      flow: 'payment_confirm',
      customer_id: customerId ?? (table === 'refund' ? w.shop : w.payer).customerId,
      target: { type: table, id },
    });
  const played = (name: string, to: Attempt['to'], more: object = {}): Attempt => ({
    ...attempt(table, `simulate ${name}`, { from, to }, simulating(name, more)),
    tells: 'session',
  });
  return [
    played('session.completed', confirmed),
    played('session.canceled', ends('expire')),
    played('session.expired', ends('expire')),
    {
      ...played('session.canceled', ends('decline'), declining),
      name: `simulate session.canceled, declining, on ${table}`,
    },
    attempt(table, 'POST /v1/sessions', { from, to: 'same' }, opening),
  ];
}

/** The Tenant's own calls, by the move that they make. */
const tenantCalls: Readonly<Record<string, Attempt['send']>> = {
  'account.close': (w, { customerId }) =>
    w.call('POST', `/v1/customers/${customerId}/close`, { reason: 'tenant_request' }),
  'linked_account.remove': (w, { id, customerId }) =>
    w.call('DELETE', `/v1/customers/${customerId}/linked-accounts/${id}`),
  'payment.cancel': (w, { id }) => w.call('POST', `/v1/payments/${id}/cancel`),
  'payment_request.cancel': (w, { id }) => w.call('POST', `/v1/payment-requests/${id}/cancel`),
};

function tenantMoves(): Attempt[] {
  const rows = moveRows.filter(
    ({ move }) => [move.by].flat().includes('tenant') && move.from !== 'new',
  );
  return rows.map(({ resource, name, move }) => {
    const send = tenantCalls[`${resource}.${name}`];
    if (!send) throw new Error(`how does the Tenant ${name} a record of ${resource}?`);
    const rule = { from: fromOf([move]), to: toOf(resource, [move]) };
    return attempt(resource, `${name} by the Tenant`, rule, send);
  });
}

const openingFlow =
  (flow: string) =>
  (w: World, { id }: Held) =>
    w.call('POST', '/v1/sessions', { flow, customer_id: id });
const same = (...from: readonly string[]) => ({ from, to: 'same' }) as const;

/** The Tenant's calls that move nothing yet ask for a state (decisions 1.1 and 1.10). */
const tenantDemands: readonly Attempt[] = [
  attempt('payment', 'refund by the Tenant', same('completed', 'partially_refunded'), (w, { id }) =>
    w.call('POST', '/v1/refund-requests', { payment_id: id, amount: 1, reason: 'other' }),
  ),
  attempt(
    'customer',
    'POST /v1/sessions, onboarding,',
    same('created', 'rejected'),
    openingFlow('onboarding'),
  ),
  ...['pin_reset', 'contact_change'].map((flow) =>
    attempt(
      'customer',
      `POST /v1/sessions, ${flow},`,
      same(...allBut('customer', 'created')),
      openingFlow(flow),
    ),
  ),
  attempt(
    'session',
    'POST /v1/sessions/exchange',
    same('completed', 'canceled'),
    (w, { id }) => w.call('POST', '/v1/sessions/exchange', { result_token: `rt_test_${id}` }),
    'result_token_invalid',
  ),
];

/** The table that a resource of the reviewer's door moves along; null: what has no states. */
const reviewed: Readonly<Record<string, Tabled | null>> = {
  customers: 'customer',
  owners: 'owner',
  documents: null,
  'linked-accounts': 'linked_account',
  accounts: 'account',
  disputes: 'dispute',
  suspense: 'adjustment',
  'bank-messages': 'bank_message',
  reserve: null,
};
/** The rows behind a move of the door where it bears another name than they. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  'linked_account.verify': ['review_verify'],
  'linked_account.reject': ['review_reject'],
  'account.reactivate': ['reactivate', 'wake'],
  'adjustment.return': ['give_back'],
};
const unresolved = ['received', 'investigating', 'provisional_credit'];
/** Moves of the door that change no status. */
const quiet: Readonly<Record<string, readonly string[]>> = {
  // Five years after the account has closed, which none of the states shows.
  'customer.erase': [],
  'account.place_hold': allBut('account', 'closed'),
  'account.release_hold': allBut('account', 'closed'),
  'account.adjust': allBut('account', 'closed'),
  'dispute.liability_merchant': unresolved,
  'dispute.liability_platform': unresolved,
};
const reviewBodies: Readonly<Record<string, object>> = {
  'account.adjust': { amount: 1 },
  'dispute.resolve_partial': { amount: 1 },
};

function reviewerMove(resource: string, name: string): Attempt[] {
  const table = reviewed[resource];
  if (table === undefined) throw new Error(`which table do the reviewer's ${resource} move along?`);
  if (table === null) return [];
  const key = `${table}.${name}`;
  const rule = (): Pick<Attempt, 'from' | 'to'> => {
    if (quiet[key]) return { from: quiet[key], to: 'same' };
    if (key === 'bank_message.close') return { from: ['open'], to: ['closed'] };
    const moves = (aliases[key] ?? [name]).map((move) => moveOf(table, move));
    return { from: fromOf(moves), to: toOf(table, moves) };
  };
  const made = attempt(table, `${name} by the reviewer`, rule(), (w, { id }) =>
    w.call('POST', `/portal/api/review/${resource}/${id}/${name}`, reviewBodies[key] ?? {}),
  );
  return [key === 'customer.erase' ? { ...made, tells: 'account' } : made];
}

/** Everything that can be tried on a record. */
export const attempts: readonly Attempt[] = [
  ...simulateNames.map(simulated),
  ...targetTypes.flatMap(ofTarget),
  ...tenantMoves(),
  ...tenantDemands,
  ...Object.entries(reviewMoves).flatMap(([resource, names]) =>
    names.flatMap((name) => reviewerMove(resource, name)),
  ),
];

/** The attempts that a record of this table may meet. */
export const attemptsOn = (table: Tabled) => attempts.filter((one) => one.table === table);

/** Tables that nobody outside moves: their records follow others. */
export const unmoved = tabled.filter((table) => attemptsOn(table).length === 0);
