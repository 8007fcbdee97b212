import { anyIdOf, type IdKind, publicId } from '@tenant-payments/contract/core/ids.ts';
import { mayCall, seesPersonalData } from '@tenant-payments/contract/core/roles.ts';
import { keyHashOf } from '@tenant-payments/engine/batch/idempotency.ts';
import { recordWords } from '@tenant-payments/engine/packed_text/record_words.ts';
import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { type RawBuilder, sql } from 'kysely';
import { maximumHits, type SearchHit } from '../../contract/records/records.ts';
import { findRecord } from './find.ts';
import { type TableKind, tableOf } from './kinds.ts';

interface Way {
  readonly kind: TableKind;
  /** SQL on the table, met by an index; its column is the hit's title. */
  readonly column: string;
  readonly where: (text: string) => RawBuilder<unknown>;
  readonly isPersonal?: true;
}

const equals = (column: string) => (text: string) => sql`${sql.ref(column)} = ${text}`;

const ways: readonly Way[] = [
  { kind: 'customer', column: 'external_ref', where: equals('external_ref') },
  {
    kind: 'customer',
    column: 'email',
    where: (text) => sql`lower(email) = lower(${text})`,
    isPersonal: true,
  },
  ...(['order_reference', 'invoice_reference'] as const).map((column) => ({
    kind: 'payment' as const,
    column,
    where: equals(column),
  })),
  {
    kind: 'payment_request',
    column: 'order_reference',
    where: equals('order_reference'),
  },
  {
    kind: 'payment_request',
    column: 'collection_reference',
    where: equals('collection_reference'),
  },
];

/** The record, event or request of an id. */
async function byId(context: ReadContext, id: string): Promise<SearchHit[]> {
  const named = anyIdOf(id);
  const found = named && (await findRecord(context, named.kind, named.uuid));
  if (!found) return [];
  return [{ id, resource: named.kind, title: id, status: found.status }];
}

interface Found {
  readonly id: string;
  readonly title: string;
  readonly status: string;
}

const hitsOf = (kind: TableKind, rows: readonly Found[]): SearchHit[] =>
  rows.map(({ id, title, status }) => ({ id: publicId(kind, id), resource: kind, title, status }));

async function byColumn({ db, tenantId }: ReadContext, way: Way, text: string) {
  const { kind, column, where } = way;
  const { rows } = await sql<Found>`
    select id, ${sql.ref(column)} as title, status from ${sql.table(tableOf[kind].name)}
    where tenant_id = ${tenantId} and ${where(text)}
    order by id desc limit ${maximumHits}`.execute(db);
  return hitsOf(kind, rows);
}

/** No index finds a part: so many of the newest records are looked through. */
const lookedThrough = 5_000;
const shortestPart = 3;

async function byPart({ db, tenantId }: ReadContext, { kind, column }: Way, text: string) {
  if (text.length < shortestPart) return [];
  const { rows } = await sql<Found>`
    select id, title, status from (
      select id, ${sql.ref(column)} as title, status from ${sql.table(tableOf[kind].name)}
      where tenant_id = ${tenantId} order by id desc limit ${lookedThrough}) newest
    where position(lower(${text}) in lower(title)) > 0
    order by id desc limit ${maximumHits}`.execute(db);
  return hitsOf(kind, rows);
}

interface Made {
  readonly body: string | null;
  readonly object_type: IdKind | null;
  readonly object_id: string | null;
}

function idOfMade({ body, object_type, object_id }: Made): unknown {
  if (object_type !== null && object_id !== null) return publicId(object_type, object_id);
  const reply: unknown = JSON.parse(recordWords.unpack(body ?? 'null'));
  return (reply as { readonly id?: unknown } | null)?.id;
}

/** What a call under this Idempotency-Key has made: its event or the stored reply names it. */
async function byKey(context: ReadContext, key: string): Promise<SearchHit[]> {
  if (!/^[\x21-\x7e]+$/.test(key)) return [];
  const { rows } = await sql<Made>`select k.body, e.object_type, e.object_id
    from idempotency k left join events e on e.tenant_id = k.tenant_id and e.id = k.event_id
    where k.tenant_id = ${context.tenantId} and k.key_hash = ${keyHashOf(key)}`.execute(context.db);
  const id = rows[0] && idOfMade(rows[0]);
  if (typeof id !== 'string') return [];
  const hits = await byId(context, id);
  return hits.map((hit) => ({ ...hit, title: key }));
}

/**
 * GET /portal/api/search: records of the Tenant by a whole id, reference, key or e-mail address, else by a part
 * of a reference or address, each once (rules/operations#56). Who may not see personal data finds nobody by an address.
 */
export async function searchRecords(
  context: ReadContext,
  { q }: { q: string },
): Promise<Page<SearchHit>> {
  const text = q.trim();
  const isAllowed = mayCall(seesPersonalData, context.actor.roles);
  const allowed = ways.filter(({ isPersonal }) => !isPersonal || isAllowed);
  const whole = await Promise.all([
    byId(context, text),
    ...allowed.map((way) => byColumn(context, way, text)),
    byKey(context, text),
  ]);
  const isFound = whole.some((hits) => hits.length > 0);
  const found = isFound
    ? whole
    : await Promise.all(allowed.map((way) => byPart(context, way, text)));
  const distinct = new Map<string, SearchHit>();
  for (const hit of found.flat()) if (!distinct.has(hit.id)) distinct.set(hit.id, hit);
  return wholeList([...distinct.values()].slice(0, maximumHits));
}
