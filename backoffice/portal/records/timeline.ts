import { type IdKind, publicId } from '@tenant-payments/contract/core/ids.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { type RawBuilder, sql } from 'kysely';
import type { TimelineRow } from '../../contract/records/records.ts';
import { shownStatus } from '../activity/delivery_view.ts';
import { deliveryJoin, type EventRow, ofObject, ofRequest } from '../activity/events.ts';

const maximumRows = 200;

interface Placed {
  readonly row: TimelineRow;
  /** The time on the Tenant's clock: a request stands below the first event that it caused. */
  readonly at: Instant;
  readonly rank: number;
}

type ListedEvent = Pick<EventRow, 'id' | 'created_at' | 'request_id' | 'status' | 'wake_at'> & {
  readonly type: string;
};

/** The events of a record, the one event itself, or those of a request. */
const eventsOf = (tenantId: string, kind: IdKind, uuid: string): RawBuilder<unknown> => {
  if (kind === 'event') return sql`and e.id = ${uuid}`;
  return kind === 'request' ? ofRequest(tenantId, uuid) : ofObject(tenantId, uuid);
};

/**
 * The ledger lines of a record; of an account only those of its Transactions, which an index finds.
 */
const entriesOf = (kind: IdKind, uuid: string): RawBuilder<unknown> =>
  kind === 'account'
    ? sql`account_id = ${uuid} and transaction_type is not null`
    : sql`source_id = ${uuid}`;

interface EntryRow {
  readonly id: string;
  readonly account_id: string | null;
  readonly pocket: string;
  readonly delta: number;
  readonly step: string;
  readonly created_at: Instant;
}

async function entries({ db, tenantId }: ReadContext, kind: IdKind, uuid: string) {
  const { rows } = await sql<EntryRow>`
    select id, account_id, pocket, delta, step, created_at from entries
    where tenant_id = ${tenantId} and ${entriesOf(kind, uuid)}
    order by created_at desc, id desc limit ${maximumRows}`.execute(db);
  return rows.map(
    ({ id, account_id, created_at: at, ...line }): Placed => ({
      at,
      rank: 1,
      row: {
        kind: 'entry',
        at,
        id: publicId('transaction', id),
        account_id: account_id && publicId('account', account_id),
        ...line,
      },
    }),
  );
}

const eventRow = (row: ListedEvent): Placed => ({
  at: row.created_at,
  rank: 2,
  row: {
    kind: 'event',
    at: row.created_at,
    id: publicId('event', row.id),
    type: row.type,
    request_id: row.request_id && publicId('request', row.request_id),
    delivery_status: shownStatus(row),
  },
});

interface LoggedRequest {
  readonly id: string;
  readonly at: Instant;
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** Requests are kept for a week; of an older one the event still has the id. */
async function requests({ db, tenantId }: ReadContext, causes: ReadonlyMap<string, Instant>) {
  if (causes.size === 0) return [];
  const { rows } = await sql<LoggedRequest>`select id, at, method, path, status from requests
    where tenant_id = ${tenantId} and id = any (${[...causes.keys()]}::uuid[])`.execute(db);
  return rows.map(
    ({ id, ...logged }): Placed => ({
      at: causes.get(id) ?? logged.at,
      rank: 0,
      row: { kind: 'request', id: publicId('request', id), ...logged },
    }),
  );
}

/** The events of a record, newest first (rules/operations#55). */
export async function timelineOf(
  context: ReadContext,
  kind: IdKind,
  uuid: string,
): Promise<TimelineRow[]> {
  const { db, tenantId } = context;
  const { rows } = await sql<ListedEvent>`
    select e.id, e.created_at, e.type, e.request_id, d.status, d.wake_at
    from events e ${deliveryJoin}
    where e.tenant_id = ${tenantId} ${eventsOf(tenantId, kind, uuid)}
    order by e.id desc limit ${maximumRows}`.execute(db);
  const causes = new Map<string, Instant>(kind === 'request' ? [[uuid, '']] : []);
  // Newest first, so the time that stays is that of the first event.
  for (const { request_id, created_at } of rows) if (request_id) causes.set(request_id, created_at);
  const placed = [
    ...rows.map(eventRow),
    ...(await entries(context, kind, uuid)),
    ...(await requests(context, causes)),
  ];
  return placed
    .sort((a, b) => (a.at === b.at ? b.rank - a.rank : a.at < b.at ? 1 : -1))
    .map(({ row }) => row);
}
