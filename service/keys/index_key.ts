import { randomBytes } from 'node:crypto';
import type { KeyRing } from '@tenant-payments/engine/key_ring.ts';
import { type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import {
  firstIndexKey,
  openSealer,
  openVault,
  type Sealer,
  sealedUnder,
  type Vault,
} from '@tenant-payments/engine/vault.ts';
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import type { Database } from '../database.ts';

/** The binding of the sealed index key: no Tenant has it. */
const bound = ['service', 'index_key'] as const;
const keyBytes = 32;

type Querying = Pick<pg.Pool, 'query'>;

/** The tables that hold the key: the cell's own, and the database's, from which further cells get it. */
const places = ['service_keys', 'control.service_keys'] as const;
type Place = (typeof places)[number];

async function stored(pool: Querying, place: Place): Promise<string | null> {
  const { rows } = await pool.query<{ sealed: string }>(
    `select sealed from ${place} where name = 'index'`,
  );
  return rows[0]?.sealed ?? null;
}

async function store(pool: Querying, place: Place, sealed: string, now: Instant): Promise<void> {
  await pool.query(
    `insert into ${place} (name, sealed, created_at) values ('index', $1, $2)
     on conflict do nothing`,
    [sealed, now],
  );
}

const sealKey = (ring: KeyRing, key: Buffer): string =>
  openSealer(ring).seal(...bound, key.toString('base64'));

/** The key by which numbers were indexed before there was an index key; null: there are none. */
async function keyOfBefore(pool: Querying, ring: KeyRing): Promise<string | null> {
  const { rows } = await pool.query<{ used: boolean }>(
    'select exists (select from customers) as used',
  );
  return rows[0]?.used ? sealKey(ring, firstIndexKey(ring)) : null;
}

/**
 * The sealed key of this cell. The first process of a cell takes that of its database, and the first of a
 * database makes it (rules/cells#10).
 */
async function sealedKey(pool: Querying, ring: KeyRing, now: Instant): Promise<string | null> {
  const known = await stored(pool, 'service_keys');
  if (known !== null && (await stored(pool, 'control.service_keys')) !== null) return known;
  const own = known ?? (await keyOfBefore(pool, ring));
  await store(pool, 'control.service_keys', own ?? sealKey(ring, randomBytes(keyBytes)), now);
  // One of the processes that start together stores its key there, and all take that.
  const taken = own ?? (await stored(pool, 'control.service_keys'));
  if (known === null && taken !== null) await store(pool, 'service_keys', taken, now);
  return stored(pool, 'service_keys');
}

/**
 * The vault of this deployment. Indexes have a key of their own, sealed in the database, so that a
 * unique index holds under every SEALING_KEY (rules/keys#5).
 * @throws one line when no key of the ring opens it: nothing else in this database would open either
 */
export async function openServiceVault(
  pool: Querying,
  ring: KeyRing,
  realNow: () => number,
): Promise<Vault> {
  const found = (await sealedKey(pool, ring, instantOf(realNow()))) ?? '';
  try {
    const key = Buffer.from(String(openSealer(ring).open(...bound, found)), 'base64');
    return openVault(ring, key);
  } catch {
    throw new Error('SEALING_KEY holds no key that opens what this database keeps sealed');
  }
}

/** Seals the index key anew, unless another process was faster. @throws when no key opens it */
export async function resealIndexKey(db: Kysely<Database>, sealer: Sealer): Promise<void> {
  for (const place of places) {
    const { rows } = await sql<{ sealed: string }>`
      select sealed from ${sql.table(place)} where name = 'index'`.execute(db);
    const before = rows[0]?.sealed;
    if (before === undefined || sealedUnder(before) === sealer.keyId) continue;
    const fresh = sealer.seal(...bound, sealer.open(...bound, before));
    await sql`update ${sql.table(place)} set sealed = ${fresh}
      where name = 'index' and sealed = ${before}`.execute(db);
  }
}
