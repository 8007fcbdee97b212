import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { BankMessageRow } from '@tenant-payments/service/rails/bank_messages.ts';
import { firstDeadline } from '@tenant-payments/service/resources/disputes/first_deadline.ts';
import type { DisputeRow } from '@tenant-payments/service/resources/disputes/table.ts';
import type { ReturnRequestRow } from '@tenant-payments/service/resources/return_requests/table.ts';
import type { SuspenseRow } from '@tenant-payments/service/resources/suspense/table.ts';
import { type RawBuilder, sql } from 'kysely';
import { hasLapsed, lapsedBy, type ReadApproval } from '../approvals/lapsed.ts';
import { type ApprovalRow, approvals } from '../approvals/table.ts';
import { approvalView } from '../approvals/view.ts';
import { type DeskResource, deskResources } from '../contract/operate/desk.ts';
import { type Queue, type QueuedResource, queues, type Waiting } from '../review/queues.ts';

/** The cases of one resource. `t` is the record in what is SQL. */
export interface DeskSource extends Omit<Queue, 'present'> {
  /** By when somebody must act. */
  readonly due: RawBuilder<unknown>;
  /** Its due time is real time, and not that of the Tenant's clock. */
  readonly isRealTime: boolean;
  /** Columns that are computed, each with a comma before it. */
  readonly computed: RawBuilder<unknown>;
  /** The condition of those that wait, besides their status. */
  open(realNow: Instant): RawBuilder<unknown>;
  waits(row: Waiting, realNow: Instant): boolean;
  present(row: Waiting, realNow: Instant): object;
  amountOf(row: Waiting): number | null;
}

const queued = (resource: QueuedResource, more: Partial<DeskSource> = {}): DeskSource => ({
  due: sql`null::timestamptz`,
  isRealTime: false,
  computed: sql``,
  open: () => sql`true`,
  waits: ({ status }) => queues[resource].statuses.includes(status),
  amountOf: () => null,
  ...queues[resource],
  ...more,
});

/** Everything that can be a case (rules/review#30). */
export const sources: Readonly<Record<DeskResource, DeskSource>> = {
  customers: queued('customers'),
  owners: queued('owners'),
  'linked-accounts': queued('linked-accounts'),
  accounts: queued('accounts', { due: sql`t.closing_waits_until` }),
  disputes: queued('disputes', {
    due: firstDeadline('t'),
    amountOf: (row: Waiting & DisputeRow) => row.disputed_cents,
  }),
  suspense: queued('suspense', { amountOf: (row: Waiting & SuspenseRow) => row.amount }),
  'bank-messages': queued('bank-messages', {
    amountOf: (row: Waiting & BankMessageRow) => row.amount,
  }),
  'return-requests': queued('return-requests', {
    due: sql`t.answer_by`,
    amountOf: (row: Waiting & ReturnRequestRow) => row.amount,
  }),
  notices: queued('notices'),
  approvals: {
    table: approvals,
    kind: 'approval',
    statuses: ['waiting'],
    since: 'created_at',
    due: sql`t.lapses_at`,
    isRealTime: true,
    computed: sql`, ${lapsedBy} as lapsed_by`,
    open: (realNow) => sql`t.lapses_at > ${realNow} and ${lapsedBy} is null`,
    waits: (row: Waiting & ReadApproval, realNow) =>
      row.status === 'waiting' && !hasLapsed(row, realNow),
    present: (row: Waiting & ReadApproval, realNow) => approvalView(row, realNow),
    amountOf: (row: Waiting & ApprovalRow) => row.amount,
  },
};

const resources: ReadonlySet<string> = new Set(deskResources);
export const isDeskResource = (name: string): name is DeskResource => resources.has(name);

/** The case that a path names. */
export interface CasePath {
  readonly resource: string;
  readonly id: string;
}

/** @throws ApiError not_found, param resource or id */
export function caseIn({ resource, id }: CasePath) {
  if (!isDeskResource(resource)) throw fail('not_found', { param: 'resource' });
  const source = sources[resource];
  const found = uuidOf(source.kind, id);
  if (found === null) throw fail('not_found', { param: 'id' });
  return { resource, source, id: found };
}
