import { reviewMoves } from '@tenant-payments/backoffice/contract/operate/review.ts';
import type { ErrorCode } from '@tenant-payments/contract/core/errors.ts';
import type { Lifecycle, Move } from '@tenant-payments/contract/core/lifecycle.ts';
import { lifecycles, moveRows } from '@tenant-payments/contract/lifecycles.ts';
import { noticeStatuses } from '@tenant-payments/contract/resources/notices.ts';
import { returnRequestLifecycle } from '@tenant-payments/contract/resources/return_requests.ts';
import { targetTypes } from '@tenant-payments/contract/resources/sessions.ts';
import {
  otherSimulateNames,
  type SimulateName,
  simulateNames,
} from '@tenant-payments/contract/resources/simulations.ts';
import { suspenseLifecycle } from '@tenant-payments/contract/resources/suspense.ts';
import type { Reply } from '../../kit/http/http.ts';
import { newKey } from '../../kit/ids.ts';
import type { Scenario } from '../scenario.ts';

/** Every state table that an outside actor can move along; the last four are the reviewer's alone. */
export const tables: Readonly<Record<Table, Lifecycle>> = {
  ...lifecycles,
  adjustment: suspenseLifecycle,
  bank_message: { resource: 'bank_message', states: ['open', 'closed'], moves: {} },
  return_request: returnRequestLifecycle,
  notice: { resource: 'notice', states: noticeStatuses, moves: {} },
};
export type Table =
  | keyof typeof lifecycles
  | 'adjustment'
  | 'bank_message'
  | 'return_request'
  | 'notice';

/** A record as an attempt names it: its id, and whose it is where its path says so. */
export interface Held {
  readonly id: string;
  readonly customerId?: string;
}

/**
 * One way in which an outside actor tries to move a record: a simulated event, a call of the Tenant's,
 * a move of the reviewer's. All are read out of the contract; what it does not say as data is below.
 */
export interface Attempt {
  readonly name: string;
  readonly table: Table;
  /** The states in which a row allows it. */
  readonly from: readonly string[];
  /** The states that it may lead to; `same`: it stays. */
  readonly to: readonly string[] | 'same';
  /** The code of the refusal from any other state. */
  readonly refusal: ErrorCode;
  /** The record whose state a refusal shows: its own, or of what it is played through. */
  readonly shows: Table;
  readonly send: (s: Scenario, record: Held) => Promise<Reply>;
}
type Rule = Pick<Attempt, 'from' | 'to'>;

const allBut = (table: Table, ...states: readonly string[]) =>
  tables[table].states.filter((state) => !states.includes(state));
const same = (...from: readonly string[]): Rule => ({ from, to: 'same' });

/** A dispute of which nothing is to be taken back closes as it resolves; an empty account, at once. */
const goesOn: Readonly<Record<string, readonly string[]>> = {
  'dispute resolved': ['closed'],
  'account closing': ['closed'],
};
function ruleOf(table: Table, moves: readonly Move[]): Rule {
  const from = new Set(moves.flatMap((move) => (move.from === 'new' ? [] : move.from)));
  const [to = 'same'] = moves.map((move) => move.to);
  return { from: [...from], to: to === 'same' ? to : [to, ...(goesOn[`${table} ${to}`] ?? [])] };
}
function moveOf(table: Table, name: string): Move {
  const move = tables[table].moves[name];
  if (!move) throw new Error(`${table} has no move ${name}`);
  return move;
}

const post =
  (path: (record: Held) => string, body: (record: Held, s: Scenario) => object = () => ({})) =>
  (s: Scenario, record: Held) =>
    s.api.call('POST', path(record), { key: newKey(), body: body(record, s) });
const simulating = (event: string, more: object = {}) =>
  post(
    () => `/v1/sandbox/simulate/${event}`,
    ({ id }) => ({ object_id: id, ...more }),
  );

const attempt = (table: Table, name: string, rule: Rule, send: Attempt['send']): Attempt => ({
  name: `${name} on ${table}`,
  table,
  ...rule,
  refusal: 'invalid_state',
  shows: table,
  send,
});

/** Simulated events that are no moves of a table: their tables, and the states that they act on. */
const otherRules: Readonly<Record<(typeof otherSimulateNames)[number], [Table, Rule]>> = {
  'customer.pin_locked': ['customer', same(...allBut('customer', 'created'))],
  'load.paid_late': ['load', same('failed')],
  'withdrawal.returned': ['withdrawal', same('settled')],
  'bank.return_requested': ['load', same('settled')],
  'bank.money_received': ['customer', same(...allBut('customer'))],
  'statement.available': ['account', same(...allBut('account', 'closed'))],
};
const isOther = (name: SimulateName): name is keyof typeof otherRules =>
  (otherSimulateNames as readonly string[]).includes(name);

/** Events that act on fewer records than their rows say. */
const seldom: Readonly<Partial<Record<SimulateName, Rule>>> = {
  // Published, a version is a row of its own; the row that it is published on only stays accepted.
  'document_acceptance.pending_acceptance': same('accepted'),
  // Whether it was answered before, none of the states shows.
  'dispute.reopened': same(),
};

function simulated(name: SimulateName): Attempt {
  const rows = moveRows.filter(({ move }) => move.simulate === name);
  const table = rows[0]?.resource ?? 'customer';
  const moves = rows.map(({ move }) => move);
  const own = seldom[name] ?? ruleOf(table, moves);
  const [on, rule] = isOther(name) ? otherRules[name] : [table, own];
  return attempt(on, `simulate ${name}`, rule, simulating(name));
}

/** Attempts of a customer on a record that waits for it, by the record itself. */
function ofTarget(table: (typeof targetTypes)[number]): Attempt[] {
  const from = [moveOf(table, 'create').to];
  const ends = (name: string) => ruleOf(table, [moveOf(table, name)]).to;
  const played = (event: string, to: Rule['to'], more: object = {}): Attempt => ({
    ...attempt(
      table,
      `simulate ${[event, ...Object.values(more)]}`,
      { from, to },
      simulating(event, more),
    ),
    shows: 'session',
  });
  const opening = post(
    () => '/v1/sessions',
    ({ id, customerId }, { shop, payer }) => ({
      flow: 'payment_confirm',
      customer_id: customerId ?? (table === 'refund' ? shop : payer).customerId,
      target: { type: table, id },
    }),
  );
  return [
    // To a balance a refund is complete as soon as it is confirmed.
    played('session.completed', table === 'refund' ? ['completed'] : ends('confirm')),
    played('session.canceled', ends('expire')),
    played('session.expired', ends('expire')),
    played('session.canceled', ends('decline'), { failure_code: 'confirmation_declined' }),
    attempt(table, 'POST /v1/sessions', same(...from), opening),
  ];
}

/** The Tenant's own calls, by the move that they make. */
const tenantCalls: Readonly<Record<string, Attempt['send']>> = {
  'customer.withdraw': post(
    ({ id }) => `/v1/customers/${id}/close`,
    () => ({ reason: 'tenant_request' }),
  ),
  'account.close': post(
    ({ customerId }) => `/v1/customers/${customerId}/close`,
    () => ({ reason: 'tenant_request' }),
  ),
  'linked_account.remove': ({ api }, { id, customerId }) =>
    api.call('DELETE', `/v1/customers/${customerId}/linked-accounts/${id}`),
  'payment.cancel': post(({ id }) => `/v1/payments/${id}/cancel`),
  'payment_request.cancel': post(({ id }) => `/v1/payment-requests/${id}/cancel`),
};

/** The same call closes the account of an approved customer, whose verification stays. */
const closes: Readonly<Record<string, Rule>> = {
  'customer.withdraw': {
    from: allBut('customer', 'in_review'),
    to: ['rejected', 'approved'],
  },
};

function tenantMoves(): Attempt[] {
  const rows = moveRows.filter(
    ({ move }) => [move.by].flat().includes('tenant') && move.from !== 'new',
  );
  return rows.map(({ resource, name, move }) => {
    const send = tenantCalls[`${resource}.${name}`];
    if (!send) throw new Error(`no call of the Tenant's is known for ${name} of ${resource}`);
    const rule = closes[`${resource}.${name}`] ?? ruleOf(resource, [move]);
    return attempt(resource, `${name} by the Tenant`, rule, send);
  });
}

const openingFlow = (flow: string, ...from: readonly string[]) =>
  attempt(
    'customer',
    `POST /v1/sessions, ${flow},`,
    same(...from),
    post(
      () => '/v1/sessions',
      ({ id }) => ({ flow, customer_id: id }),
    ),
  );

/** The Tenant's calls that move nothing and yet require a state. */
const tenantDemands: readonly Attempt[] = [
  attempt(
    'payment',
    'refund by the Tenant',
    same('completed', 'partially_refunded'),
    post(
      () => '/v1/refund-requests',
      ({ id }) => ({ payment_id: id, amount: 1, reason: 'other' }),
    ),
  ),
  openingFlow('onboarding', 'created', 'rejected'),
  openingFlow('pin_reset', ...allBut('customer', 'created')),
  openingFlow('contact_change', ...allBut('customer', 'created')),
  {
    ...attempt(
      'session',
      'POST /v1/sessions/exchange',
      same('completed', 'canceled'),
      post(
        () => '/v1/sessions/exchange',
        ({ id }) => ({ result_token: `rt_test_${id}` }),
      ),
    ),
    refusal: 'result_token_invalid',
  },
];

/** The table of each resource that the reviewer moves; null: it has no states. */
const reviewed: Readonly<Record<keyof typeof reviewMoves, Table | null>> = {
  customers: 'customer',
  owners: 'owner',
  documents: null,
  'linked-accounts': 'linked_account',
  accounts: 'account',
  disputes: 'dispute',
  suspense: 'adjustment',
  'bank-messages': 'bank_message',
  'return-requests': 'return_request',
  notices: 'notice',
  reserve: null,
};
/** The rows behind a reviewer's move that has another name than they. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  'linked_account.verify': ['review_verify'],
  'linked_account.reject': ['fail', 'review_reject'],
  'account.reactivate': ['reactivate', 'wake'],
  'adjustment.return': ['give_back'],
};
const unresolved = same('received', 'investigating', 'provisional_credit');
const open = same(...allBut('account', 'closed'));
/** Moves of the reviewer's that have no row. */
const withoutRow: Readonly<Record<string, Rule>> = {
  // Five years after the account has closed, which none of the states shows.
  'customer.erase': same(),
  // Ten failed resets, which none of the states shows either.
  'customer.allow_pin_reset': same(),
  'customer.remove_passkeys': same(),
  // Whether the vault has data of them, none of the states shows.
  'customer.open_identity': same(),
  'owner.open_identity': same(),
  'customer.withdraw_electronic': same(...allBut('customer', 'created')),
  'customer.restore_electronic': same(...allBut('customer', 'created')),
  'account.place_hold': same(...allBut('account')),
  'account.release_hold': same(...allBut('account')),
  'account.adjust': open,
  // Whether it was answered before, none of the states shows.
  'dispute.reopen': same(),
  'dispute.extenuating': unresolved,
  'dispute.give_papers': same('resolved', 'closed'),
  'dispute.liability_merchant': unresolved,
  'dispute.liability_platform': unresolved,
  'notice.give': { from: ['task'], to: ['done'] },
  'bank_message.close': { from: ['open'], to: ['closed'] },
  // A transfer that was executed after it had failed, and a customer who takes no requests: no state shows either.
  'bank_message.book': same(),
  'linked_account.lift_opt_out': same(),
};
/** The bodies that moves demand. */
const bodies: Readonly<Record<string, object>> = {
  'account.adjust': { amount: 1 },
  'dispute.resolve_partial': { amount: 1, finding: 'a part of it' },
  'dispute.resolve_denied': { finding: 'it was not' },
  'dispute.classify': { handled_as: 'purchase_dispute', note: 'it is one' },
  'dispute.reopen': { note: 'new evidence' },
  'dispute.extenuating': { note: 'was in hospital' },
  'return_request.refuse': { finding: 'it is spent' },
  'notice.give': { finding: 'by post' },
  'linked_account.lift_opt_out': { note: 'they asked for it' },
  'customer.open_identity': { note: 'a court asks' },
  'owner.open_identity': { note: 'a court asks' },
};

function reviewerMove(resource: keyof typeof reviewMoves, name: string): Attempt[] {
  const table = reviewed[resource];
  if (table === null) return [];
  const key = `${table}.${name}`;
  const rows = () => (aliases[key] ?? [name]).map((move) => moveOf(table, move));
  const made = attempt(
    table,
    `${name} by the reviewer`,
    withoutRow[key] ?? ruleOf(table, rows()),
    post(
      ({ id }) => `/portal/api/review/${resource}/${id}/${name}`,
      () => bodies[key] ?? {},
    ),
  );
  return [key === 'customer.erase' ? { ...made, shows: 'account' } : made];
}

/** Everything that can be tried on a record. */
export const attempts: readonly Attempt[] = [
  ...simulateNames.map(simulated),
  ...targetTypes.flatMap(ofTarget),
  ...tenantMoves(),
  ...tenantDemands,
  ...Object.entries(reviewMoves).flatMap(([resource, names]) =>
    names.flatMap((name) => reviewerMove(resource as keyof typeof reviewMoves, name)),
  ),
];
