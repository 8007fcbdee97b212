import { anyIdOf, type IdKind, publicId } from '@tenant-payments/contract/core/ids.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { sql } from 'kysely';
import type { RelatedRecord } from '../../contract/records/records.ts';
import type { Found } from './find.ts';
import { namedBy, namingColumns, tableOf } from './kinds.ts';

const maximumNaming = 20;

const related = (resource: IdKind, uuid: string): RelatedRecord => ({
  resource,
  id: publicId(resource, uuid),
});

/** The records that a row's own columns name, a session's target too. */
function named({ row }: Found): RelatedRecord[] {
  const found = Object.entries(namingColumns).flatMap(([column, kind]) => {
    const uuid = row[column];
    return typeof uuid === 'string' ? [related(kind, uuid)] : [];
  });
  const { target_type: type, target_id: target } = row;
  if (typeof type === 'string' && typeof target === 'string')
    found.push(related(type as IdKind, target));
  return found;
}

const idFields = ['source_id', 'account_id', 'object_id'];

/**
 * The records that the fields name where the table has no columns for it: a Transaction its source,
 * an event its object.
 */
function namedInFields({ record }: Found): RelatedRecord[] {
  const data = record.data as { object?: { id?: unknown } } | undefined;
  return [...idFields.map((name) => record[name]), data?.object?.id].flatMap((id) => {
    const kind = typeof id === 'string' ? anyIdOf(id)?.kind : undefined;
    return kind ? [{ resource: kind, id: String(id) }] : [];
  });
}

async function naming({ db, tenantId }: ReadContext, kind: IdKind, uuid: string) {
  const lists = (namedBy[kind] ?? []).map(async ({ kind: other, column }) => {
    const { rows } = await sql<{ id: string }>`select id from ${sql.table(tableOf[other].name)}
      where tenant_id = ${tenantId} and ${sql.ref(column)} = ${uuid}
      order by id desc limit ${maximumNaming}`.execute(db);
    return rows.map(({ id }) => related(other, id));
  });
  return (await Promise.all(lists)).flat();
}

/** The Transactions that a record has posted. */
async function transactionsOf({ db, tenantId }: ReadContext, uuid: string) {
  const { rows } = await sql<{ id: string }>`select distinct id from entries
    where tenant_id = ${tenantId} and source_id = ${uuid} and transaction_type is not null
    order by id desc limit ${maximumNaming}`.execute(db);
  return rows.map(({ id }) => related('transaction', id));
}

/** The records that an event of these requests is about. */
async function causedBy({ db, tenantId }: ReadContext, uuid: string) {
  const { rows } = await sql<{ object_type: string; object_id: string }>`
    select distinct object_type, object_id from events
    where tenant_id = ${tenantId} and request_id = ${uuid} limit ${maximumNaming}`.execute(db);
  return rows.map(({ object_type, object_id }) => related(object_type as IdKind, object_id));
}

/** Records that this one names or that name it, each once (rules/operations#55). */
export async function relatedTo(
  context: ReadContext,
  kind: IdKind,
  uuid: string,
  found: Found,
): Promise<RelatedRecord[]> {
  const all = [
    ...named(found),
    ...namedInFields(found),
    ...(await naming(context, kind, uuid)),
    ...(kind === 'request' ? await causedBy(context, uuid) : await transactionsOf(context, uuid)),
  ];
  const own = publicId(kind, uuid);
  const distinct = new Map(all.map((one) => [one.id, one]));
  distinct.delete(own);
  return [...distinct.values()];
}
