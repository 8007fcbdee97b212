import type { IdKind } from '@tenant-payments/contract/core/ids.ts';
import { customerLifecycle } from '@tenant-payments/contract/resources/customers.ts';
import { disputeLifecycle } from '@tenant-payments/contract/resources/disputes.ts';
import type { Position } from '@tenant-payments/engine/pages.ts';
import { type AnyTable, shown } from '@tenant-payments/engine/table.ts';
import {
  type BankMessageRow,
  bankMessages,
  bankMessageView,
  movedUnbooked,
} from '@tenant-payments/service/rails/bank_messages.ts';
import { type AccountRow, accounts } from '@tenant-payments/service/resources/accounts/table.ts';
import {
  type NoticeRow,
  notices,
  noticeView,
} from '@tenant-payments/service/resources/customers/notices/table.ts';
import { owners } from '@tenant-payments/service/resources/customers/owners/table.ts';
import { customers } from '@tenant-payments/service/resources/customers/table.ts';
import { allowsMove, caseView } from '@tenant-payments/service/resources/disputes/case_view.ts';
import { type DisputeRow, disputes } from '@tenant-payments/service/resources/disputes/table.ts';
import { isOptedOut } from '@tenant-payments/service/resources/linked_accounts/opt_out.ts';
import {
  heldLinkView,
  type LinkedAccountRow,
  linkedAccounts,
} from '@tenant-payments/service/resources/linked_accounts/table.ts';
import {
  type ReturnRequestRow,
  returnRequests,
  returnRequestView,
} from '@tenant-payments/service/resources/return_requests/table.ts';
import {
  type SuspenseRow,
  suspense,
  suspenseView,
} from '@tenant-payments/service/resources/suspense/table.ts';
import type { ClosingAccount, queuedResources } from '../contract/operate/review.ts';
import type { Reviewed } from './move.ts';

export type QueuedResource = (typeof queuedResources)[number];

/** The records of one resource that wait for a reviewer. */
export interface Queue {
  readonly table: AnyTable;
  readonly kind: IdKind;
  readonly statuses: readonly string[];
  /** The column with the begin of the wait; an index covers it with the status. */
  readonly since: string;
  present(row: Waiting): object;
  /** Whether the record allows a move that its status allows; absent: always. */
  allows?(row: Waiting, move: string): boolean;
}

export type Waiting = Position & { readonly waiting_since: string; readonly status: string };

const view = (table: AnyTable) => (row: object) => shown(table, row);

/** The queues of what waits for a reviewer, by resource (rules/review#15). */
export const queues: Readonly<Record<QueuedResource, Queue>> = {
  customers: {
    table: customers,
    kind: 'customer',
    statuses: ['in_review'],
    since: 'verification_updated_at',
    present: view(customers),
    // The others are no answer to a customer that waits.
    allows: (_row, move) => move in customerLifecycle.moves,
  },
  owners: {
    table: owners,
    kind: 'owner',
    statuses: ['in_review'],
    since: 'updated_at',
    present: view(owners),
  },
  'linked-accounts': {
    table: linkedAccounts,
    kind: 'linked_account',
    statuses: ['held_for_review'],
    since: 'updated_at',
    present: (row: Waiting & LinkedAccountRow) => heldLinkView(row),
    allows: (row: Waiting & LinkedAccountRow, move) => move !== 'lift_opt_out' || isOptedOut(row),
  },
  accounts: {
    table: accounts,
    kind: 'account',
    statuses: ['closing'],
    since: 'updated_at',
    present: (row: Waiting & AccountRow): ClosingAccount => ({
      ...shown(accounts, row),
      waits_for: row.closing_waits_for,
      waits_until: row.closing_waits_until,
    }),
  },
  disputes: {
    table: disputes,
    kind: 'dispute',
    statuses: disputeLifecycle.moves.resolve_denied.from,
    since: 'created_at',
    present: (row: Waiting & DisputeRow) => caseView(row),
    allows: (row: Waiting & DisputeRow, move) => allowsMove(row, move),
  },
  suspense: {
    table: suspense,
    kind: 'adjustment',
    statuses: ['held'],
    since: 'created_at',
    present: (row: Waiting & SuspenseRow) => suspenseView(row),
  },
  'bank-messages': {
    table: bankMessages,
    kind: 'bank_message',
    statuses: ['open'],
    since: 'created_at',
    present: (row: Waiting & BankMessageRow) => bankMessageView(row),
    allows: (row: Waiting & BankMessageRow, move) =>
      move === 'book' ? movedUnbooked(row) !== null : row.status === 'open',
  },
  'return-requests': {
    table: returnRequests,
    kind: 'return_request',
    statuses: ['open'],
    since: 'created_at',
    present: (row: Waiting & ReturnRequestRow) => returnRequestView(row),
  },
  notices: {
    table: notices,
    kind: 'notice',
    statuses: ['task'],
    since: 'created_at',
    present: (row: Waiting & NoticeRow) => noticeView(row),
  },
};

/** The moves that a record allows now. */
export const movesOf = (
  { allows = () => true }: Pick<Queue, 'allows'>,
  { moves }: Reviewed,
  row: Waiting,
): string[] =>
  Object.entries(moves).flatMap(([name, { from }]) =>
    (from === null || from.includes(row.status)) && allows(row, name) ? [name] : [],
  );
