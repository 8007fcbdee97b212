import { type Kysely, sql } from 'kysely';
import { derivedId, type KeyCheck, type Rings } from '../config/key_rings.ts';
import type { Database } from '../resources/database.ts';
import { readRevokedQrKeys } from './revoked_qr_keys.ts';
import { type RingCounts, type RingStatus, statusOf } from './ring_status.ts';
import { sealedColumns, sealedOfNoTenant } from './sealed_columns.ts';

/** What `keys status` shows (rules/keys#10). */
export interface KeysStatus {
  readonly rings: readonly RingStatus[];
  readonly reseal: {
    /** Tenants whose values are still to be sealed anew. */
    readonly tenants_waiting: number;
    readonly resealed: number;
    readonly unopened: number;
  };
}

type Counted = { readonly id: string | null; readonly values: number };

async function counted(
  db: Kysely<Database>,
  queries: readonly ReturnType<typeof sql<Counted>>[],
): Promise<RingCounts> {
  const counts = new Map<string | null, number>();
  for (const query of queries) {
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

/** Of requests that can still be paid. The payload's middle part is base64url without padding. */
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

async function resealing(db: Kysely<Database>): Promise<KeysStatus['reseal']> {
  const { rows } = await sql<KeysStatus['reseal']>`
    select (select count(*)::integer from jobs where name = 'reseal') as tenants_waiting,
      coalesce(sum(resealed), 0)::float as resealed, coalesce(sum(unopened), 0)::float as unopened
    from reseals`.execute(db);
  return rows[0] ?? { tenants_waiting: 0, resealed: 0, unopened: 0 };
}

/** Counts in the whole database what rests on each key: a look of an operator, not of a request. */
export async function readKeysStatus(db: Kysely<Database>, rings: Rings): Promise<KeysStatus> {
  const reseal = await resealing(db);
  const sealed = [...sealedColumns, ...sealedOfNoTenant].map(sealedIn);
  const counts: Readonly<Record<KeyCheck['name'], RingCounts>> = {
    SEALING_KEY: await counted(db, sealed),
    PIN_PEPPER: await counted(db, [pinHashes]),
    QR_SIGNING_KEY: underIds(await counted(db, [liveCodes]), rings.qrSigningKeys),
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
        new Set((await readRevokedQrKeys(db)).keys()),
      ),
    ],
    reseal,
  };
}
