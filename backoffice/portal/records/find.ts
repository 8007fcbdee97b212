import { recordIn, type StoredText } from '@tenant-payments/engine/packed_text/event_text.ts';
import { type AnyTable, columnList, shown } from '@tenant-payments/engine/table.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { sql } from 'kysely';
import { shownStatus } from '../activity/delivery_view.ts';
import {
  deliveryJoin,
  type EventRow,
  eventColumns,
  eventView,
  ofObject,
} from '../activity/events.ts';
import { furtherDeliveriesOf } from '../activity/further_deliveries.ts';
import { type RequestRow, requestColumns, requestJoin, requestView } from '../activity/requests.ts';
import { isTableKind, type TableKind, tableOf } from './kinds.ts';
import { recordViews } from './lists.ts';

type Row = Readonly<Record<string, unknown>>;

/** A record as it was found, by whatever its id names. */
export interface Found {
  readonly record: Readonly<Record<string, unknown>>;
  readonly status: string | null;
  /** The columns of its row; empty where it has no table of its own. */
  readonly row: Row;
}

type Context = Pick<ReadContext, 'db' | 'tenantId'>;

const asRecord = (value: object) => value as Readonly<Record<string, unknown>>;

async function inTable({ db, tenantId }: Context, kind: TableKind, uuid: string) {
  const table: AnyTable = tableOf[kind];
  const { rows } = await sql<Row>`select ${sql.raw(columnList(table))} from ${sql.table(table.name)}
    where tenant_id = ${tenantId} and id = ${uuid}`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const view = recordViews[table.name] ?? ((found: object) => shown(table, found));
  const status = typeof row.status === 'string' ? row.status : null;
  return { record: asRecord(view(row)), status, row };
}

/** A Transaction as its newest event shows it: entries are not found by it (rules/ledger#14). */
async function transaction({ db, tenantId }: Context, uuid: string): Promise<Found | null> {
  const { rows } =
    await sql<StoredText>`select e.id, e.created_at, e.object_id, e.body from events e
    where e.tenant_id = ${tenantId} ${ofObject(tenantId, uuid)} and not e.sample and e.body <> ''
    order by e.version desc limit 1`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const record = recordIn(row);
  return { record, status: String(record.status), row: {} };
}

async function event({ db, tenantId }: Context, uuid: string): Promise<Found | null> {
  const { rows } = await sql<EventRow>`select ${eventColumns} from events e ${deliveryJoin}
    where e.tenant_id = ${tenantId} and e.id = ${uuid} and e.body <> ''`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const further = await furtherDeliveriesOf(db, tenantId, [uuid]);
  const record = asRecord(eventView(row, further.get(uuid)));
  return { record, status: shownStatus(row), row: {} };
}

async function request({ db, tenantId }: Context, uuid: string): Promise<Found | null> {
  const { rows } = await sql<RequestRow>`select ${requestColumns} from requests r ${requestJoin}
    where r.tenant_id = ${tenantId} and r.id = ${uuid}`.execute(db);
  const [row] = rows;
  return row ? { record: asRecord(requestView(row)), status: String(row.status), row: {} } : null;
}

const others: Readonly<Record<string, (context: Context, uuid: string) => Promise<Found | null>>> =
  { transaction, event, request };

/** The record behind an id of this kind; null: the Tenant has none. */
export async function findRecord(
  context: Context,
  kind: string,
  uuid: string,
): Promise<Found | null> {
  if (isTableKind(kind)) return inTable(context, kind, uuid);
  return (await others[kind]?.(context, uuid)) ?? null;
}
