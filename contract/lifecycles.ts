import type { Move } from './core/lifecycle.ts';
import { accountLifecycle, transactionLifecycle } from './resources/accounts.ts';
import { customerLifecycle } from './resources/customers.ts';
import { disputeLifecycle } from './resources/disputes.ts';
import { documentLifecycle } from './resources/documents.ts';
import { linkedAccountLifecycle } from './resources/linked_accounts.ts';
import { loadLifecycle } from './resources/loads.ts';
import { ownerLifecycle } from './resources/owners.ts';
import { paymentRequestLifecycle } from './resources/payment_requests.ts';
import { paymentLifecycle } from './resources/payments.ts';
import { refundLifecycle } from './resources/refunds.ts';
import { reconciliationReportLifecycle } from './resources/reports.ts';
import { sessionLifecycle } from './resources/sessions.ts';
import { statementLifecycle } from './resources/statements.ts';
import { withdrawalLifecycle } from './resources/withdrawals.ts';

/** Every state table, by resource. Events and simulate names come from these. */
export const lifecycles = {
  customer: customerLifecycle,
  owner: ownerLifecycle,
  document_acceptance: documentLifecycle,
  session: sessionLifecycle,
  linked_account: linkedAccountLifecycle,
  account: accountLifecycle,
  transaction: transactionLifecycle,
  load: loadLifecycle,
  payment_request: paymentRequestLifecycle,
  payment: paymentLifecycle,
  withdrawal: withdrawalLifecycle,
  refund: refundLifecycle,
  statement: statementLifecycle,
  reconciliation_report: reconciliationReportLifecycle,
  dispute: disputeLifecycle,
} as const;

export type Lifecycles = typeof lifecycles;
export type Resource = keyof Lifecycles;

/** All moves of all resources, as a union, for the types below. */
type AnyMove = {
  [R in Resource]: Lifecycles[R]['moves'][keyof Lifecycles[R]['moves']];
}[Resource];

type Field<M, K extends string> = M extends { readonly [P in K]: infer V extends string }
  ? V
  : never;

export interface MoveRow {
  readonly resource: Resource;
  readonly name: string;
  readonly move: Move;
}

/** Every move with its resource and name, in the order of the tables. */
export const moveRows: readonly MoveRow[] = (Object.keys(lifecycles) as Resource[]).flatMap(
  (resource) =>
    Object.entries<Move>(lifecycles[resource].moves).map(([name, move]) => ({
      resource,
      name,
      move,
    })),
);

/** Visible changes that are not a status move (rules/events#1). */
export const updatedEventTypes = [
  'customer.updated',
  'linked_account.updated',
  'dispute.updated',
] as const;

export type EventType = Field<AnyMove, 'event'> | (typeof updatedEventTypes)[number];
export type MoveSimulateName = Field<AnyMove, 'simulate'>;

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** The event catalog, by resource (rules/events#1). */
export const eventTypes: readonly EventType[] = distinct(
  (Object.keys(lifecycles) as Resource[]).flatMap((resource) => [
    ...moveRows.flatMap(({ move, ...row }) =>
      row.resource === resource && move.event !== null ? [move.event as EventType] : [],
    ),
    ...updatedEventTypes.filter((type) => type.startsWith(`${resource}.`)),
  ]),
);

/** The names of simulated events that moves declare (rules/sandbox#5). */
export const moveSimulateNames: readonly MoveSimulateName[] = distinct(
  moveRows.flatMap(({ move }) =>
    move.simulate === undefined ? [] : [move.simulate as MoveSimulateName],
  ),
);
