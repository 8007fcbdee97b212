import { type Kysely, sql } from 'kysely';
import { derivedId, type KeyCheck, type Rings } from '../config/key_rings.ts';
import type { Database } from '../database.ts';
import { readRevokedQrKeys } from '../resources/payment_requests/revoked_qr_keys.ts';
import { type RingCounts, type RingStatus, statusOf } from './ring_status.ts';
import { sealedColumns, sealedOfNoTenant } from './sealed_columns.ts';

/** The output of `keys status` (rules/keys#10). */
export interface KeysStatus {
  readonly rings: readonly RingStatus[];
  readonly reseal: {
    /** Tenants whose values are still to be sealed anew. */
    readonly tenants_waiting: number;
    readonly resealed: number;
    readonly unopened: number;
  };
}

type Cells = readonly [Kysely<Database>, ...Kysely<Database>[]];

type Counted = { readonly id: string | null; readonly values: number };

type Counting = ReturnType<typeof sql<Counted>>;

/** @param once what the cells of a database share */
async function counted(
  cells: Cells,
  queries: readonly Counting[],
  once: readonly Counting[] = [],
): Promise<RingCounts> {
  const counts = new Map<string | null, number>();
  const [first] = cells;
  for (const [db, query] of [
    ...cells.flatMap((db) => queries.map((query) => [db, query] as const)),
    ...once.map((query) => [first, query] as const),
  ]) {
    const { rows } = await query.execute(db);
    for (const { id, values } of rows) counts.set(id, (counts.get(id) ?? 0) + Number(values));
  }
  return counts;
}

const sealedIn = ({ table, column }: { readonly table: string; readonly column: string }) =>
  sql<Counted>`select substring(${sql.ref(column)} from '^s1[.]([A-Za-z0-9_-]+)[.]') as id,
      count(*) as values
    from ${sql.table(table)} where ${sql.ref(column)} is not null group by 1`;

const pinHashes = sql<Counted>`
  select substring(hash from '^p[12][.]([A-Za-z0-9_-]+)[.]') as id, count(*) as values
  from pins where hash <> '' group by 1`;

/** Codes of requests that can still be paid. The payload's middle part is base64url without padding. */
const liveCodes = sql<Counted>`
  select convert_from(decode(rpad(text, (length(text) + 3) / 4 * 4, '='), 'base64'), 'utf8')::json
      ->> 'kid' as id, count(*) as values
  from (select translate(split_part(qr_payload, '.', 2), '-_', '+/') as text
    from payment_requests where status = 'open') payloads group by 1`;

/** Codes from before keys had ids name a key by its digest: they count for its id. */
function underIds(counts: RingCounts, ring: Rings['qrSigningKeys']): RingCounts {
  const named = new Map<string | null, number>();
  const ids = new Map(ring.map(({ id, key }) => [derivedId(key), id]));
  for (const [kid, values] of counts) {
    const id = ring.some((one) => one.id === kid) ? kid : (ids.get(kid ?? '') ?? kid);
    named.set(id, (named.get(id) ?? 0) + values);
  }
  return named;
}

async function resealing(cells: Cells): Promise<KeysStatus['reseal']> {
  const total = { tenants_waiting: 0, resealed: 0, unopened: 0 };
  for (const db of cells) {
    const { rows } = await sql<typeof total>`
      select (select count(*)::integer from jobs where name = 'reseal') as tenants_waiting,
        coalesce(sum(resealed), 0)::float as resealed, coalesce(sum(unopened), 0)::float as unopened
      from reseals`.execute(db);
    for (const row of rows)
      for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += row[name];
  }
  return total;
}

const isShared = ({ table }: { readonly table: string }): boolean => table.startsWith('control.');

/**
 * Counts in every row what rests on each key: a look of an operator, not of a request.
 * @param others further cells of the database, which are counted together with the first
 */
export async function readKeysStatus(
  first: Kysely<Database>,
  rings: Rings,
  others: readonly Kysely<Database>[] = [],
): Promise<KeysStatus> {
  const cells: Cells = [first, ...others];
  const reseal = await resealing(cells);
  const ofIdentity = sealedColumns.filter(({ ring }) => ring === 'IDENTITY_KEY');
  const sealed = [
    ...sealedColumns.filter(({ ring }) => ring === undefined),
    ...sealedOfNoTenant.filter((place) => !isShared(place)),
  ];
  const shared = sealedOfNoTenant.filter(isShared).map(sealedIn);
  const counts: Readonly<Record<KeyCheck['name'], RingCounts>> = {
    SEALING_KEY: await counted(cells, sealed.map(sealedIn), shared),
    PIN_PEPPER: await counted(cells, [pinHashes]),
    QR_SIGNING_KEY: underIds(await counted(cells, [liveCodes]), rings.qrSigningKeys),
    IDENTITY_KEY: await counted(cells, ofIdentity.map(sealedIn)),
  };
  const idsOf = (ring: readonly { readonly id: string }[]) => ring.map(({ id }) => id);
  return {
    rings: [
      statusOf('SEALING_KEY', idsOf(rings.sealingKeys), counts.SEALING_KEY, reseal),
      statusOf('PIN_PEPPER', idsOf(rings.pinPeppers), counts.PIN_PEPPER, reseal),
      statusOf(
        'QR_SIGNING_KEY',
        idsOf(rings.qrSigningKeys),
        counts.QR_SIGNING_KEY,
        reseal,
        new Set((await readRevokedQrKeys(first)).keys()),
      ),
      statusOf('IDENTITY_KEY', idsOf(rings.identityKeys ?? []), counts.IDENTITY_KEY, reseal),
    ],
    reseal,
  };
}
