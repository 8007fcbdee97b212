import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { MoneySource } from '@tenant-payments/contract/resources/bank_messages.ts';
import { columnList } from '@tenant-payments/engine/table.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { sql } from 'kysely';
import type { ApprovalRow } from '../approvals/table.ts';
import type { DeskResource } from '../contract/operate/desk.ts';
import { isDeskResource, sources } from './sources.ts';

type Reader = Pick<ReadContext, 'tenantId' | 'db'>;
type Row = { readonly id: string } & Partial<Record<Naming, unknown>>;
/** Columns that lead to a customer. */
type Naming = 'customer_id' | 'account_id' | 'source_type' | 'source_id';

/** The customer whose money a record moves, as the table and column that name them. */
const holders: Readonly<
  Record<Exclude<MoneySource, 'adjustment'>, readonly [table: string, column: string]>
> = {
  payment: ['payments', 'payer_customer_id'],
  load: ['loads', 'customer_id'],
  withdrawal: ['withdrawals', 'customer_id'],
  refund: ['refunds', 'payer_customer_id'],
  dispute: ['disputes', 'customer_id'],
};

async function columnOf(
  { tenantId, db }: Reader,
  table: string,
  column: string,
  id: string,
): Promise<string | null> {
  const { rows } = await sql<{ customer: string }>`
    select ${sql.ref(column)} as customer from ${sql.table(table)}
    where tenant_id = ${tenantId} and id = ${id}`.execute(db);
  return rows[0]?.customer ?? null;
}

/** The customer of what a request for a second person is about. */
async function ofApproval(reader: Reader, { resource, record_id }: ApprovalRow) {
  if (!isDeskResource(resource) || resource === 'approvals') return null;
  const { kind, table } = sources[resource];
  const id = uuidOf(kind, record_id);
  if (id === null) return null;
  const { rows } = await sql<Row>`select ${sql.raw(columnList(table))} from ${sql.table(table.name)}
    where tenant_id = ${reader.tenantId} and id = ${id}`.execute(reader.db);
  return rows[0] ? customerOf(reader, resource, rows[0]) : null;
}

/** The customer whom a record is about; null: it names none. */
export async function customerOf(
  reader: Reader,
  resource: DeskResource,
  row: Row,
): Promise<string | null> {
  if (resource === 'customers') return row.id;
  if (resource === 'approvals') return ofApproval(reader, row as unknown as ApprovalRow);
  if (typeof row.customer_id === 'string') return row.customer_id;
  if (typeof row.account_id === 'string')
    return columnOf(reader, 'accounts', 'customer_id', row.account_id);
  const source = row.source_type as MoneySource;
  // The platform's own order is about nobody.
  if (source === 'adjustment') return null;
  const [table, column] = holders[source];
  return columnOf(reader, table, column, String(row.source_id));
}
