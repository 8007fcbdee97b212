import { anyIdOf, type IdKind, publicId } from '@tenant-payments/contract/core/ids.ts';
import { mayCall, seesPersonalData } from '@tenant-payments/contract/core/roles.ts';
import { keyHashOf } from '@tenant-payments/engine/batch/idempotency.ts';
import { recordWords } from '@tenant-payments/engine/packed_text/record_words.ts';
import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { sql } from 'kysely';
import { maximumHits, maximumOfKind, type SearchHit } from '../../contract/records/search.ts';
import { facesOf, type Known } from './faces.ts';
import { findRecord } from './find.ts';
import { isTableKind, tableOf } from './kinds.ts';
import { foundBy, partsOf, type Way, waysOf } from './search_ways.ts';

type Db = ReadContext['db'];

/** A search: the Tenants whose records are looked at, and the text. */
interface Search {
  readonly db: Db;
  readonly tenants: readonly string[];
  readonly text: string;
  /** The caller may see personal data. */
  readonly isAllowed: boolean;
}

/** A record that was found, before its face is known. */
interface Hit {
  readonly tenantId: string;
  readonly id: string;
  readonly kind: string;
  readonly title: string;
}

/** A search's hit, and whose it is. */
export interface HitOf {
  readonly tenantId: string;
  readonly hit: SearchHit;
}

/** The Tenant, of these, that has what an id names; null: none has. */
async function tenantWith({ db, tenants }: Search, kind: string, uuid: string) {
  const events = kind === 'transaction' ? 'events' : { event: 'events', request: 'requests' }[kind];
  const table = isTableKind(kind) ? tableOf[kind].name : events;
  if (table === undefined) return null;
  const where =
    kind === 'transaction'
      ? sql`r.object_id = ${uuid} and not r.sample and r.id <> r.object_id`
      : sql`r.id = ${uuid}`;
  const { rows } = await sql<{ readonly tenant_id: string }>`
    select f.tenant_id from unnest(${tenants}::uuid[]) k(tenant_id) cross join lateral (
      select r.tenant_id from ${sql.table(table)} r where r.tenant_id = k.tenant_id and ${where}
      limit 1) f`.execute(db);
  return rows[0]?.tenant_id ?? null;
}

/** The record, event or request of a whole id. */
async function byId(search: Search, id: string): Promise<Hit[]> {
  const named = anyIdOf(id);
  const tenantId = named && (await tenantWith(search, named.kind, named.uuid));
  return tenantId ? [{ tenantId, id, kind: named.kind, title: id }] : [];
}

async function byWay({ db, tenants }: Search, way: Way): Promise<Hit[]> {
  const { rows } = await foundBy(tenants, way, maximumOfKind).execute(db);
  const { kind } = way;
  return rows.map(({ tenant_id: tenantId, id, title }) => ({
    tenantId,
    id: publicId(kind, id),
    kind,
    title,
  }));
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

/** The record that a call under this Idempotency-Key has made: its event or the stored reply names it. */
async function byKey(search: Search): Promise<Hit[]> {
  const { db, tenants, text } = search;
  const [tenantId] = tenants;
  // A Tenant's key is the Tenant's own: in a search of all it would say nothing.
  if (tenants.length !== 1 || !/^[\x21-\x7e]+$/.test(text)) return [];
  const { rows } = await sql<Made>`select k.body, e.object_type, e.object_id
    from idempotency k left join events e on e.tenant_id = k.tenant_id and e.id = k.event_id
    where k.tenant_id = ${tenantId} and k.key_hash = ${keyHashOf(text)}`.execute(db);
  const id = rows[0] && idOfMade(rows[0]);
  if (typeof id !== 'string') return [];
  const hits = await byId(search, id);
  return hits.map((hit) => ({ ...hit, title: text }));
}

/** Each once, so many of a kind and in all. */
function bounded(hits: readonly Hit[]): Hit[] {
  const distinct = new Map<string, Hit>();
  const ofKind = new Map<string, number>();
  for (const hit of hits) {
    const count = ofKind.get(hit.kind) ?? 0;
    if (distinct.has(hit.id) || count >= maximumOfKind) continue;
    distinct.set(hit.id, hit);
    ofKind.set(hit.kind, count + 1);
  }
  return [...distinct.values()].slice(0, maximumHits);
}

/** An event, a request or a Transaction: it has no table of records, and no face but its state. */
async function withoutTable(db: Db, { tenantId, id, kind, title }: Hit): Promise<HitOf> {
  const uuid = anyIdOf(id)?.uuid ?? '';
  const found = await findRecord({ db, tenantId }, kind, uuid);
  const none = { party: null, other: null, label: null, institution_name: null, amount: null };
  const hit = { id, resource: kind, ...none, status: found?.status ?? null, at: null, title };
  return { tenantId, hit };
}

async function withFaces(db: Db, hits: readonly Hit[]): Promise<HitOf[]> {
  const known = hits.flatMap(({ tenantId, id, kind }): Known[] => {
    const uuid = anyIdOf(id)?.uuid;
    return uuid !== undefined && isTableKind(kind) ? [{ tenantId, kind, uuid }] : [];
  });
  const faces = new Map((await facesOf(db, known)).map(({ face }) => [face.id, face]));
  return Promise.all(
    hits.map((one): HitOf | Promise<HitOf> => {
      const face = faces.get(one.id);
      if (face === undefined) return withoutTable(db, one);
      return { tenantId: one.tenantId, hit: { ...face, title: one.title } };
    }),
  );
}

/** Whether the caller finds people by their data (rules/people#7). */
export const findsPeople = ({ actor }: Pick<ReadContext, 'actor'>): boolean =>
  mayCall(seesPersonalData, actor.roles);

/** The records of these Tenants that a text finds: the best way first (rules/portal-records#12). */
export async function hitsIn(search: Search): Promise<HitOf[]> {
  const { db, text, isAllowed } = search;
  if (text === '' || search.tenants.length === 0) return [];
  const whole = await Promise.all([
    byId(search, text),
    byKey(search),
    ...waysOf(text, isAllowed).map((way) => byWay(search, way)),
  ]);
  const isFound = whole.some((hits) => hits.length > 0);
  const found = isFound
    ? whole
    : await Promise.all(partsOf(text, isAllowed).map((way) => byWay(search, way)));
  return withFaces(db, bounded(found.flat()));
}

/** GET /portal/api/search: the Tenant's records by what is known of them. */
export async function searchRecords(
  context: ReadContext,
  { q }: { q: string },
): Promise<Page<SearchHit>> {
  const { db, tenantId } = context;
  const isAllowed = findsPeople(context);
  const found = await hitsIn({ db, tenants: [tenantId], text: q.trim(), isAllowed });
  return wholeList(found.map(({ hit }) => hit));
}
