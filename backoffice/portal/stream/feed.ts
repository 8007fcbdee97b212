import { type IdKind, idPrefixes, publicId } from '@tenant-payments/contract/core/ids.ts';
import { endpointIds } from '@tenant-payments/engine/delivers_to.ts';
import { type StoredText, unpackEvent } from '@tenant-payments/engine/packed_text/event_text.ts';
import type { Database } from '@tenant-payments/service/database.ts';
import { headersOf, type StoredHeaders } from '@tenant-payments/service/webhooks/attempts.ts';
import { deliveryKinds } from '@tenant-payments/service/webhooks/dispatch/kinds.ts';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { StreamType } from '../../contract/traffic/stream.ts';
import { type DeliveryColumns, deliveryColumns, deliveryView } from '../activity/delivery_view.ts';
import { deliveryJoin, type EventRow, eventColumns, eventView } from '../activity/events.ts';
import { furtherDeliveriesOf } from '../activity/further_deliveries.ts';
import { type RequestRow, requestColumns, requestJoin, requestView } from '../activity/requests.ts';

/** Microseconds of the database's clock: when a row was written. */
export type Micros = number;

export interface FeedRow {
  readonly type: StreamType;
  readonly micros: Micros;
  /** Orders the rows of one microsecond. */
  readonly key: string;
  readonly row: object;
}

export interface FeedPage {
  /** The rows in the order in which they were written. */
  readonly rows: readonly FeedRow[];
  /** All rows before this have been read. */
  readonly next: Micros;
}

type Stored = { readonly micros: Micros };
const rowsAtOnce = 200;
/** Milliseconds for a transaction that has begun and is not yet seen to write. */
const settleMs = 500;

const microsOf = (instant: RawBuilder<unknown>) =>
  sql`(extract(epoch from ${instant}) * 1000000)::bigint`;
const timeOf = (micros: Micros) =>
  sql`(timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond')`;

/** The condition for rows written in this time, of the table with this alias: the last microsecond as a whole. */
const within = (tenantId: string, alias: string, from: Micros, until: Micros) => sql`
  ${sql.ref(`${alias}.tenant_id`)} = ${tenantId}
    and ${sql.ref(`${alias}.recorded_at`)} >= ${timeOf(from)}
    and ${sql.ref(`${alias}.recorded_at`)} < ${timeOf(until)}
  order by ${sql.ref(`${alias}.recorded_at`)} fetch first (${rowsAtOnce}) rows with ties`;

/** `row` is null where the type does not show one: it was read, and the next page begins behind it. */
type Reading = (
  db: Kysely<Database>,
  ...where: [tenantId: string, from: Micros, until: Micros]
) => Promise<(Omit<FeedRow, 'type' | 'row'> & { readonly row: object | null })[]>;

const eventsOf = async (
  db: Kysely<Database>,
  ...[tenantId, from, until]: [string, Micros, Micros]
) =>
  (
    await sql<EventRow & Stored & { object_type: string; object_id: string }>`
      select ${eventColumns}, e.object_type, e.object_id, ${microsOf(sql`e.recorded_at`)} as micros
      from events e ${deliveryJoin}
      where ${within(tenantId, 'e', from, until)}`.execute(db)
  ).rows;

interface AttemptRow extends Stored, Omit<DeliveryColumns, 'event_id'>, StoredText, StoredHeaders {
  readonly number: number;
  /** Null: at the first endpoint. */
  readonly endpoint_id: string | null;
  readonly endpoint_name: string | null;
}

const attemptColumns = sql`d.number, d.at, d.url, d.request_headers, d.response_status, d.response_headers,
  d.response_body, d.duration_ms, d.error, d.recorded_at`;

/** Rows of all endpoints; `endpoint_id` is null at the first one. */
const ofAllKinds = (of: 'attempts' | 'deliveries', columns: RawBuilder<unknown>) => {
  const { first, further } = deliveryKinds;
  return sql`(select d.tenant_id, d.event_id, null::uuid as endpoint_id, ${columns}
      from ${sql.table(first[of])} d
    union all select d.tenant_id, d.event_id, d.endpoint_id, ${columns}
      from ${sql.table(further[of])} d)`;
};

/** An attempt with whose it is, and the delivery as it is since. */
function attemptView(row: AttemptRow): object {
  const { micros, id: event_id, created_at, object_id, body, ...columns } = row;
  const { status, attempts, last_attempt_at, last_response_status, ...rest } = columns;
  const { next_attempt_at, wake_at, endpoint_id, ...attempt } = rest;
  return {
    event_id: publicId('event', event_id),
    endpoint_id: endpoint_id && endpointIds.shown(endpoint_id),
    ...attempt,
    ...headersOf(row),
    request_body: unpackEvent(row),
    delivery: deliveryView(row),
  };
}

const isKind = (kind: string): kind is IdKind => kind in idPrefixes;

const readings: Readonly<Record<StreamType, Reading>> = {
  async requests(db, tenantId, from, until) {
    const { rows } = await sql<RequestRow & Stored>`
      select ${requestColumns}, ${microsOf(sql`r.recorded_at`)} as micros from requests r ${requestJoin}
      where ${within(tenantId, 'r', from, until)}`.execute(db);
    return rows.map(({ micros, ...row }) => ({ micros, key: row.id, row: requestView(row) }));
  },
  async events(db, tenantId, from, until) {
    const rows = await eventsOf(db, tenantId, from, until);
    const ids = rows.map(({ id }) => id);
    const further = await furtherDeliveriesOf(db, tenantId, ids);
    return rows.map((row) => ({
      micros: row.micros,
      key: row.id,
      row: eventView(row, further.get(row.id)),
    }));
  },
  async attempts(db, tenantId, from, until) {
    const { rows } = await sql<AttemptRow>`
      select e.id, e.created_at, e.object_id, e.body, a.number, a.at, a.url, a.request_headers,
        a.response_status, a.response_headers, a.response_body, a.duration_ms, a.error,
        a.endpoint_id, f.name as endpoint_name,
        ${deliveryColumns}, ${microsOf(sql`a.recorded_at`)} as micros
      from ${ofAllKinds('attempts', attemptColumns)} a
        join ${ofAllKinds('deliveries', deliveryColumns)} d on d.tenant_id = a.tenant_id
          and d.event_id = a.event_id and d.endpoint_id is not distinct from a.endpoint_id
        join events e on e.tenant_id = a.tenant_id and e.id = a.event_id
        left join further_endpoints f on f.tenant_id = a.tenant_id and f.id = a.endpoint_id
      where ${within(tenantId, 'a', from, until)}`.execute(db);
    return rows.map((row) => ({
      micros: row.micros,
      key: [row.id, row.number, row.endpoint_id ?? []].flat().join('-'),
      row: attemptView(row),
    }));
  },
  /** A record as its event holds it: what the API showed after the change. */
  async records(db, tenantId, from, until) {
    const rows = await eventsOf(db, tenantId, from, until);
    return rows.map((row) => {
      const { micros, id: key, sample, object_type, object_id } = row;
      if (sample || !isKind(object_type)) return { micros, key, row: null };
      const record: unknown = JSON.parse(unpackEvent(row)).data.object;
      const { status = null } = record as { status?: unknown };
      const id = publicId(object_type, object_id);
      return { micros, key, row: { resource: object_type, id, status, record } };
    });
  },
};

const inOrder = (a: FeedRow, b: FeedRow): number =>
  a.micros - b.micros || (placeOf(a) < placeOf(b) ? -1 : 1);

/** The place of a row among those of its microsecond. */
export const placeOf = ({ type, key }: Pick<FeedRow, 'type' | 'key'>): string => `${type}.${key}`;

export function openFeed(db: Kysely<Database>) {
  return {
    /**
     * Up to when all that was written can be seen: a transaction under way may still show older rows.
     * It is read before the rows are, so that one that ends meanwhile is seen by them.
     */
    async settledUntil(): Promise<Micros> {
      const { rows } = await sql<Stored>`
        select ${microsOf(sql`least(
          clock_timestamp() - ${settleMs} * interval '1 millisecond',
          (select min(xact_start) from pg_stat_activity
            where datname = current_database() and backend_xid is not null
              and pid <> pg_backend_pid()))`)} as micros`.execute(db);
      return rows[0]?.micros ?? 0;
    },

    /** Reads rows written from `from` on and before `until`; at most some hundred rows of each type. */
    async page(
      tenantId: string,
      types: Iterable<StreamType>,
      from: Micros,
      until: Micros,
    ): Promise<FeedPage> {
      if (from >= until) return { rows: [], next: from };
      let next = until;
      const all: FeedRow[] = [];
      for (const type of types) {
        const rows = await readings[type](db, tenantId, from, until);
        const last = rows.at(-1);
        if (rows.length >= rowsAtOnce && last) next = Math.min(next, last.micros + 1);
        for (const { row, ...place } of rows) if (row) all.push({ type, ...place, row });
      }
      return { rows: all.filter(({ micros }) => micros < next).sort(inOrder), next };
    },
  };
}
export type Feed = ReturnType<typeof openFeed>;
