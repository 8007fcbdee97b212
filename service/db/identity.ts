import { keyInCell } from '@tenant-payments/engine/advisory_lock.ts';
import type { Client, ClientBase } from 'pg';

/** Advisory lock of processes that start together: the first one says what the database is. */
const lock = 4_207_713_040;

/** A key of the settings, by its setting and its id; `check` tells whether it is the same key. */
export interface KeyCheck {
  readonly name: string;
  readonly id: string;
  readonly check: string;
}

interface Known {
  readonly name: string;
  readonly key_id: string;
  readonly value: string;
}

/** @throws one line where the settings are those of another database (rules/security#22) */
function compare(known: readonly Known[], environment: string, keys: readonly KeyCheck[]): void {
  const valuesOf = (wanted: string) => known.filter(({ name }) => name === wanted);
  const [first] = valuesOf('ENVIRONMENT');
  if (first && first.value !== environment)
    throw new Error(`ENVIRONMENT is ${environment}, but the database is one of ${first.value}`);
  for (const name of new Set(keys.map((key) => key.name))) {
    const stored = valuesOf(name);
    const ring = keys.filter((key) => key.name === name);
    const isIn = ({ value }: Known) => ring.some(({ check }) => check === value);
    if (stored.length > 0 && !stored.some(isIn))
      throw new Error(`${name} holds no key that the database was used with before`);
    const changed = ring.find(({ id, check }) =>
      stored.some(({ key_id, value }) => key_id === id && value !== check),
    );
    if (changed)
      throw new Error(`${name}: the key ${changed.id} is another one than had this id before`);
  }
}

/** Why environment or keys are not those of this database; null: they are, or it was never used. */
export async function identityFault(
  client: Client,
  environment: string,
  keys: readonly KeyCheck[],
): Promise<string | null> {
  const { rows } = await client.query<Known>('select name, key_id, value from database_identity');
  try {
    compare(rows, environment, keys);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * Holds environment and keys against those that this database was used with; the first start notes
 * them, and a later one those keys of a ring that are new.
 * @param client the service's role, in a transaction
 * @throws one line that names the setting which is another
 */
export async function proveIdentity(
  client: ClientBase,
  environment: string,
  keys: readonly KeyCheck[],
): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(${keyInCell})`, [lock]);
  const { rows } = await client.query<Known>('select name, key_id, value from database_identity');
  compare(rows, environment, keys);
  await client.query(
    `insert into database_identity (name, key_id, value)
       select 'ENVIRONMENT', '', $1
       union all select * from unnest($2::text[], $3::text[], $4::text[])
     on conflict do nothing`,
    [
      environment,
      ...(['name', 'id', 'check'] as const).map((part) => keys.map((key) => key[part])),
    ],
  );
}
