import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { type IdKind, publicId } from '@tenant-payments/contract/core/ids.ts';
import {
  type listReview as contract,
  queuedResources,
} from '@tenant-payments/contract/portal/review.ts';
import { disputeLifecycle } from '@tenant-payments/contract/resources/disputes.ts';
import { sql } from 'kysely';
import type { Page, Position } from '../../core/pages.ts';
import { type AnyTable, shown } from '../../core/table.ts';
import { type BankMessageRow, bankMessageView } from '../../rails/bank_messages.ts';
import { owners } from '../../resources/customers/owners/table.ts';
import { customers } from '../../resources/customers/table.ts';
import { allowsMove, caseView } from '../../resources/disputes/case_view.ts';
import type { DisputeRow } from '../../resources/disputes/table.ts';
import { linkedAccounts } from '../../resources/linked_accounts/table.ts';
import { type SuspenseRow, suspenseView } from '../../resources/suspense/table.ts';
import type { ReadContext } from '../../service.ts';
import type { Reviewed, ReviewTable } from './moves.ts';

type Queued = (typeof queuedResources)[number];

/** What of a resource waits for a reviewer. */
interface Line {
  readonly table: string;
  readonly kind: IdKind;
  readonly statuses: readonly string[];
  /** The column that says since when; with the status it is an index of its own. */
  readonly since: string;
  readonly present: (row: Waiting) => object;
  /** Of the moves that its status allows, whether the record itself does; absent: all. */
  readonly allows?: (row: Waiting, move: string) => boolean;
}

type Waiting = Position & { readonly waiting_since: string; readonly status: string };

const view = (table: AnyTable) => (row: object) => shown(table, row);

const lines: Readonly<Record<Queued, Line>> = {
  customers: {
    table: 'customers',
    kind: 'customer',
    statuses: ['in_review'],
    since: 'verification_updated_at',
    present: view(customers),
    // Nobody waits for it.
    allows: (_row, move) => move !== 'erase',
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
  disputes: {
    table: 'disputes',
    kind: 'dispute',
    statuses: disputeLifecycle.moves.resolve_denied.from,
    since: 'created_at',
    present: (row) => caseView(row as unknown as DisputeRow),
    allows: (row, move) => allowsMove(row as unknown as DisputeRow, move),
  },
  suspense: {
    table: 'suspense',
    kind: 'adjustment',
    statuses: ['held'],
    since: 'created_at',
    present: (row) => suspenseView(row as unknown as SuspenseRow),
  },
  'bank-messages': {
    table: 'bank_messages',
    kind: 'bank_message',
    statuses: ['open'],
    since: 'created_at',
    present: (row) => bankMessageView(row as unknown as BankMessageRow),
  },
};

const defaultLimit = 25;

/** The first ones of a line behind a position, each where it stands in the queue. */
async function readLine(
  { tenantId, db }: ReadContext,
  resource: Queued,
  { moves }: Reviewed,
  behind: Position | null,
  count: number,
): Promise<(Position & { readonly item: object })[]> {
  const { table, kind, statuses, since, present, allows = () => true } = lines[resource];
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
 * GET /portal/api/review: what waits for a reviewer, newest first, whatever it is. A line is read by
 * an index of its own, and as far as the page could take of it alone.
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
        readLine(context, resource, table[resource], behind, limit + 1),
      ),
    );
    return context.pages.page(found.flat().sort(newestFirst), limit, ({ item }) => item);
  };
