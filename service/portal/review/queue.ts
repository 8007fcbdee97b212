import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { type IdKind, publicId } from '@tenant-payments/contract/core/ids.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import {
  type ClosingAccount,
  type listReview as contract,
  queuedResources,
} from '@tenant-payments/contract/portal/operate/review.ts';
import { customerLifecycle } from '@tenant-payments/contract/resources/customers.ts';
import { disputeLifecycle } from '@tenant-payments/contract/resources/disputes.ts';
import { sql } from 'kysely';
import type { Page, Position } from '../../core/pages.ts';
import { type AnyTable, shown } from '../../core/table.ts';
import { type BankMessageRow, bankMessageView } from '../../rails/bank_messages.ts';
import { type AccountRow, accounts } from '../../resources/accounts/table.ts';
import { owners } from '../../resources/customers/owners/table.ts';
import { customers } from '../../resources/customers/table.ts';
import { allowsMove, caseView } from '../../resources/disputes/case_view.ts';
import type { DisputeRow } from '../../resources/disputes/table.ts';
import { linkedAccounts } from '../../resources/linked_accounts/table.ts';
import type { ReadContext } from '../../resources/read_context.ts';
import { type SuspenseRow, suspenseView } from '../../resources/suspense/table.ts';
import type { Reviewed, ReviewTable } from './moves.ts';

type Queued = (typeof queuedResources)[number];

/** The records of one resource that wait for a reviewer. */
interface Queue {
  readonly table: string;
  readonly kind: IdKind;
  readonly statuses: readonly string[];
  /** The column with the begin of the wait; an index covers it with the status. */
  readonly since: string;
  present(row: Waiting): object;
  /** Whether the record allows a move that its status allows; absent: always. */
  allows?(row: Waiting, move: string): boolean;
}

type Waiting = Position & { readonly waiting_since: string; readonly status: string };

const view = (table: AnyTable) => (row: object) => shown(table, row);

const queues: Readonly<Record<Queued, Queue>> = {
  customers: {
    table: 'customers',
    kind: 'customer',
    statuses: ['in_review'],
    since: 'verification_updated_at',
    present: view(customers),
    // The others are no answer to a customer that waits.
    allows: (_row, move) => move in customerLifecycle.moves,
  },
  owners: {
    table: 'owners',
    kind: 'owner',
    statuses: ['in_review'],
    since: 'updated_at',
    present: view(owners),
  },
  'linked-accounts': {
    table: 'linked_accounts',
    kind: 'linked_account',
    statuses: ['held_for_review'],
    since: 'updated_at',
    present: view(linkedAccounts),
  },
  accounts: {
    table: 'accounts',
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
    table: 'disputes',
    kind: 'dispute',
    statuses: disputeLifecycle.moves.resolve_denied.from,
    since: 'created_at',
    present: (row: Waiting & DisputeRow) => caseView(row),
    allows: (row: Waiting & DisputeRow, move) => allowsMove(row, move),
  },
  suspense: {
    table: 'suspense',
    kind: 'adjustment',
    statuses: ['held'],
    since: 'created_at',
    present: (row: Waiting & SuspenseRow) => suspenseView(row),
  },
  'bank-messages': {
    table: 'bank_messages',
    kind: 'bank_message',
    statuses: ['open'],
    since: 'created_at',
    present: (row: Waiting & BankMessageRow) => bankMessageView(row),
  },
};

/** The first records of one queue after a position, each with its own position. */
async function readQueue(
  { tenantId, db }: ReadContext,
  resource: Queued,
  { moves }: Reviewed,
  behind: Position | null,
  count: number,
): Promise<(Position & { readonly item: object })[]> {
  const { table, kind, statuses, since, present, allows = () => true } = queues[resource];
  const movesOf = (row: Waiting) =>
    Object.entries(moves).flatMap(([name, { from }]) =>
      (from === null || from.includes(row.status)) && allows(row, name) ? [name] : [],
    );
  const at = sql.ref(since);
  const { rows } = await sql<Waiting>`
    select *, ${at} as waiting_since from ${sql.table(table)}
    where tenant_id = ${tenantId} and status in (${sql.join(statuses.map((one) => sql.lit(one)))})
      ${behind ? sql`and (${at}, id) < (${behind.created_at}::timestamptz, ${behind.id}::uuid)` : sql``}
    order by ${at} desc, id desc limit ${count}`.execute(db);
  return rows.map((row) => ({
    created_at: row.waiting_since,
    id: row.id,
    item: {
      object: 'review_item',
      resource,
      id: publicId(kind, row.id),
      waiting_since: row.waiting_since,
      moves: movesOf(row),
      record: present(row),
    },
  }));
}

const newestFirst = (a: Position, b: Position): number => {
  const place = ({ created_at, id }: Position) => `${created_at} ${id}`;
  return place(a) < place(b) ? 1 : -1;
};

/**
 * GET /portal/api/review: all records that wait for a reviewer, newest first (rules/review#15). Each
 * queue is read by an index, at most one page of it.
 * @throws ApiError parameter_invalid for a cursor of another list or tenant
 */
export const listReview =
  (table: ReviewTable) =>
  async (
    context: ReadContext,
    { limit = defaultLimit, cursor }: QueryOf<typeof contract>,
  ): Promise<Page<object>> => {
    const behind = context.pages.after(cursor);
    const found = await Promise.all(
      queuedResources.map((resource) =>
        readQueue(context, resource, table[resource], behind, limit + 1),
      ),
    );
    return context.pages.page(found.flat().sort(newestFirst), limit, ({ item }) => item);
  };

/** How many records of a Tenant wait for a reviewer, each queue by its index. */
export async function countWaiting(db: ReadContext['db'], tenantId: string): Promise<number> {
  const counts = Object.values(queues).map(
    ({
      table,
      statuses,
    }) => sql`(select count(*) from ${sql.table(table)} where tenant_id = ${tenantId}
      and status in (${sql.join(statuses.map((one) => sql.lit(one)))}))`,
  );
  const { rows } = await sql<{ waiting: number }>`
    select ${sql.join(counts, sql` + `)} as waiting`.execute(db);
  return rows[0]?.waiting ?? 0;
}
