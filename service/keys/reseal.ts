import { command } from '@tenant-payments/engine/command.ts';
import { joinTransaction } from '@tenant-payments/engine/join_transaction.ts';
import { platformId } from '@tenant-payments/engine/platform.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import { type Sealer, sealedUnder } from '@tenant-payments/engine/vault.ts';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../database.ts';
import { resealIndexKey } from './index_key.ts';
import { nameOf, type SealedColumn, sealedColumns } from './sealed_columns.ts';

/** Rows that are looked at in one transaction, so that none is long. */
const defaultRowsAtOnce = 500;
/** A job goes on for so long, and then lets others run. */
const forMs = 2_000;

export interface Resealing {
  readonly db: Kysely<Database>;
  readonly vault: Sealer;
  /** The sealer of the vault of identity data; absent or null: there is none. */
  readonly identity?: Sealer | null;
  readonly rowsAtOnce?: number;
}

/** A column of rows, and who seals its values. */
interface Task {
  readonly tenantId: string;
  readonly column: SealedColumn;
  readonly sealer: Sealer;
}

interface Progress {
  readonly key_id: string;
  /** The last row that was looked at. */
  readonly position: string | null;
  readonly resealed: number;
  /** Values that no key of the ring opens; they stay as they are. */
  readonly unopened: number;
  readonly finished: boolean;
}

interface Row {
  readonly row_id: string;
  readonly bound: string | null;
  readonly sealed: string | null;
}

/** The progress for the first key: work for another key counts for nothing. */
async function progressOf(
  { db }: Resealing,
  { tenantId, column, sealer }: Task,
): Promise<Progress> {
  const { rows } = await sql<Progress>`
    select key_id, position, resealed, unopened, finished from reseals
    where tenant_id = ${tenantId} and sealed_column = ${nameOf(column)}
      and key_id = ${sealer.keyId}`.execute(db);
  const none = { position: null, resealed: 0, unopened: 0, finished: false };
  return rows[0] ?? { key_id: sealer.keyId, ...none };
}

/** The row's value under the first key; null when it is, or when no key opens it. */
function renewed({ tenantId, column, sealer }: Task, row: Row): string | null {
  if (row.sealed === null || sealedUnder(row.sealed) === sealer.keyId) return null;
  const place = column.bound(row.bound ?? '');
  try {
    return sealer.seal(tenantId, place, sealer.open(tenantId, place, row.sealed));
  } catch {
    return null;
  }
}

/**
 * Writes what has not changed since it was read: an older value never takes a newer one's place. A
 * row's revision rises, so that a command which has read it decides again.
 */
async function write(
  trx: Transaction<Database>,
  tenantId: string,
  { table, column, key, keyType, revised }: SealedColumn,
  values: readonly { readonly id: string; readonly old: string; readonly fresh: string }[],
): Promise<void> {
  const texts = (pick: (value: (typeof values)[number]) => string) => values.map(pick);
  const type = sql.raw(keyType);
  await sql`update ${sql.table(table)} t
    set ${sql.ref(column)} = x.fresh ${revised ? sql`, revision = t.revision + 1` : sql``}
    from unnest(${texts(({ id }) => id)}::text[], ${texts(({ old }) => old)}::text[],
      ${texts(({ fresh }) => fresh)}::text[]) x(id, old, fresh)
    where t.tenant_id = ${tenantId} and t.${sql.ref(key)} = x.id::${type}
      and t.${sql.ref(column)} = x.old`.execute(trx);
}

async function note(
  trx: Transaction<Database>,
  tenantId: string,
  column: SealedColumn,
  { key_id, position, resealed, unopened, finished }: Progress,
): Promise<void> {
  await sql`insert into reseals
      (tenant_id, sealed_column, key_id, position, resealed, unopened, finished)
    values (${tenantId}, ${nameOf(column)}, ${key_id}, ${position}, ${resealed}, ${unopened},
      ${finished})
    on conflict (tenant_id, sealed_column) do update set key_id = excluded.key_id,
      position = excluded.position, resealed = excluded.resealed, unopened = excluded.unopened,
      finished = excluded.finished`.execute(trx);
}

/** The next rows of a column, each looked at once. @returns whether there are more */
async function resealSome(resealing: Resealing, task: Task): Promise<boolean> {
  const { db, rowsAtOnce = defaultRowsAtOnce } = resealing;
  const { tenantId, column, sealer } = task;
  const before = await progressOf(resealing, task);
  if (before.finished) return false;
  const key = sql.ref(column.key);
  const after =
    before.position === null
      ? sql``
      : sql`and ${key} > ${before.position}::${sql.raw(column.keyType)}`;
  const { rows } = await sql<Row>`
    select ${key}::text as row_id, (${sql.raw(column.boundBy)})::text as bound,
      ${sql.ref(column.column)} as sealed
    from ${sql.table(column.table)} where tenant_id = ${tenantId} ${after}
    order by ${key} limit ${rowsAtOnce}`.execute(db);
  const old = rows.filter(({ sealed }) => sealed !== null && sealedUnder(sealed) !== sealer.keyId);
  const values = old.flatMap((row) => {
    const fresh = renewed(task, row);
    return fresh === null ? [] : [{ id: row.row_id, old: row.sealed ?? '', fresh }];
  });
  const finished = rows.length < rowsAtOnce;
  await db.transaction().execute(async (trx) => {
    if (values.length > 0) await write(trx, tenantId, column, values);
    await note(trx, tenantId, column, {
      key_id: sealer.keyId,
      position: rows.at(-1)?.row_id ?? before.position,
      resealed: Number(before.resealed) + values.length,
      unopened: Number(before.unopened) + old.length - values.length,
      finished,
    });
  });
  return !finished;
}

/** Goes through all columns for a while. @returns whether there is more to do */
async function reseal(resealing: Resealing, tenantId: string): Promise<boolean> {
  const until = performance.now() + forMs;
  const { vault, identity = null } = resealing;
  for (const column of sealedColumns) {
    const sealer = column.ring === 'IDENTITY_KEY' ? identity : vault;
    while (sealer && (await resealSome(resealing, { tenantId, column, sealer })))
      if (performance.now() >= until) return true;
  }
  return false;
}

/** Few values are of no Tenant: messages that name one which is not known (rules/rails#7). */
async function resealPlatform(resealing: Resealing): Promise<void> {
  await sql`delete from reseals where tenant_id = ${platformId}`.execute(resealing.db);
  while (await reseal(resealing, platformId));
}

/** Job `reseal`: seals a Tenant's values anew under the first key (rules/keys#9). */
export const resealJob = (resealing: Resealing) =>
  command('reseal', {
    prepare: (_input: { ref: string }, { tenantId }) => reseal(resealing, tenantId),
    load: async () => null,
    decide: (work, _nothing, { ref }, more) => {
      if (more) work.scheduleJob('reseal', ref, work.now);
      else work.cancelJob('reseal', ref);
      return { value: null };
    },
  });

/**
 * Has everything sealed anew: the index key now, the values of every Tenant by a job of a worker. To
 * be repeated, from the beginning, once no process seals under an older key any more.
 * @returns how many Tenants there are
 */
export async function beginReseal(
  db: Kysely<Database>,
  sealer: Sealer,
  now: Instant,
): Promise<number> {
  await resealIndexKey(db, sealer);
  await resealPlatform({ db, vault: sealer });
  return joinTransaction(db, async (trx) => {
    await sql`delete from reseals`.execute(trx);
    await sql`insert into jobs (tenant_id, name, ref, due_at, wake_at)
      select tenant_id, 'reseal', tenant_id, ${now}, ${now} from tenants
      on conflict do nothing`.execute(trx);
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from tenants`.execute(trx);
    return rows[0]?.count ?? 0;
  });
}
