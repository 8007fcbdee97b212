import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import type { KeyRing } from '../core/key_ring.ts';
import { type Instant, instantOf } from '../core/time/instant.ts';
import {
  firstIndexKey,
  openSealer,
  openVault,
  type Sealer,
  sealedUnder,
  type Vault,
} from '../core/vault.ts';
import type { Database } from '../resources/database.ts';

/** What the index key is sealed for: no Tenant has it. */
const bound = ['service', 'index_key'] as const;
const keyBytes = 32;

type Querying = Pick<pg.Pool, 'query'>;

async function stored(pool: Querying): Promise<string | null> {
  const { rows } = await pool.query<{ sealed: string }>(
    `select sealed from service_keys where name = 'index'`,
  );
  return rows[0]?.sealed ?? null;
}

/** The first process makes it. Where numbers were indexed before, it is the key that did it. */
async function make(pool: Querying, ring: KeyRing, now: Instant): Promise<void> {
  const { rows } = await pool.query<{ used: boolean }>(
    'select exists (select from customers) as used',
  );
  const key = rows[0]?.used ? firstIndexKey(ring) : randomBytes(keyBytes);
  const sealed = openSealer(ring).seal(...bound, key.toString('base64'));
  await pool.query(
    `insert into service_keys (name, sealed, created_at) values ('index', $1, $2)
     on conflict (name) do nothing`,
    [sealed, now],
  );
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
  if ((await stored(pool)) === null) await make(pool, ring, instantOf(realNow()));
  const sealed = (await stored(pool)) ?? '';
  try {
    const key = Buffer.from(String(openSealer(ring).open(...bound, sealed)), 'base64');
    return openVault(ring, key);
  } catch {
    throw new Error('SEALING_KEY holds no key that opens what this database keeps sealed');
  }
}

/** Seals the index key anew, unless another process was faster. @throws when no key opens it */
export async function resealIndexKey(db: Kysely<Database>, sealer: Sealer): Promise<void> {
  const { rows } = await sql<{ sealed: string }>`
    select sealed from service_keys where name = 'index'`.execute(db);
  const sealed = rows[0]?.sealed;
  if (sealed === undefined || sealedUnder(sealed) === sealer.keyId) return;
  const fresh = sealer.seal(...bound, sealer.open(...bound, sealed));
  await sql`update service_keys set sealed = ${fresh}
    where name = 'index' and sealed = ${sealed}`.execute(db);
}
