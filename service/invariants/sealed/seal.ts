import { tenantAccounts } from '@tenant-payments/contract/recipes.ts';
import { shiftedInstantSql } from '@tenant-payments/engine/time/clock.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type pg from 'pg';
import { deadlineMs, settings } from '../snapshots.ts';
import {
  accountColumns,
  accountSums,
  accountsHash,
  checkpointHash,
  entriesHash,
  firstHash,
  postedAt,
  tenantSums,
} from './text.ts';

/** No transaction is open for longer: what is older when a proof begins is all that there will ever be. */
export const openForSeconds = 3_600;

/** The limits of what a proof that begins now may seal. */
export interface Sealable {
  /** Entries before are sealed, by the Tenant's clock. */
  readonly limit: Instant;
  /** The database's time. */
  readonly provenAt: Instant;
}

const now = `coalesce(t.clock_at, ${shiftedInstantSql('$2::timestamptz', "+ t.clock_offset_ms * interval '1 ms'")})`;
const sealable = `select ${shiftedInstantSql(now, "- $3 * interval '1 second'")} as limit,
    clock_timestamp() as "provenAt" from tenants t where t.tenant_id = $1`;

/** Read when a proof begins. */
export async function sealableNow(
  client: pg.ClientBase,
  { tenantId, realNowMs, openFor }: { tenantId: string; realNowMs: number; openFor: number },
): Promise<Sealable | null> {
  const { rows } = await client.query<Sealable>(sealable, [
    tenantId,
    new Date(realNowMs).toISOString(),
    openFor,
  ]);
  return rows[0] ?? null;
}

const segment = `tenant_id = $1 and ${postedAt} < $2 and ${postedAt} >= coalesce($3, '-infinity'::timestamptz)`;

/** Days with entries that are not sealed yet: no segment is of more than one, so that none is too large. */
const days = `select distinct date_trunc('day', ${postedAt}, 'UTC') + interval '1 day' as until
  from entries where ${segment} order by 1`;

const carried = accountColumns.map((column) => `m.${column} + coalesce(b.${column}, 0)`).join(', ');
const sums = tenantAccounts.join(', ');

/** One segment, its accounts and its place in the chain. */
const seal = `with head as (select coalesce(max(number), 0) as number from ledger_checkpoints
    where tenant_id = $1),
  moved as (select account_id, ${accountSums} from entries where ${segment} and account_id is not null
    group by account_id),
  states as (insert into ledger_checkpoint_accounts (tenant_id, account_id, number,
      ${accountColumns.join(', ')})
    select $1, m.account_id, head.number + 1, ${carried} from moved m cross join head
    left join lateral (select ${accountColumns.join(', ')} from ledger_checkpoint_accounts b where b.tenant_id = $1
      and b.account_id = m.account_id order by b.number desc limit 1) b on true
    returning account_id, number, ${accountColumns.join(', ')}),
  made as (select $1::uuid as tenant_id, head.number + 1 as number, $3::timestamptz as since,
      $2::timestamptz as until, $4::timestamptz as proven_at, s.entries, ${sums},
      (${entriesHash(segment)}) as entries_hash, (select ${accountsHash} from states) as accounts_hash,
      coalesce((select hash from ledger_checkpoints c where c.tenant_id = $1
        and c.number = head.number), ${firstHash}) as previous_hash
    from head cross join (select count(*) as entries, ${tenantSums} from entries where ${segment}) s)
  insert into ledger_checkpoints (tenant_id, number, since, until, proven_at, entries, ${sums},
    entries_hash, accounts_hash, previous_hash, hash)
  select tenant_id, number, since, until, proven_at, entries, ${sums}, entries_hash, accounts_hash,
    previous_hash, ${checkpointHash} from made returning number, hash`;

/** The end of a Tenant's chain of checkpoints. */
export interface CheckpointHead {
  readonly number: number;
  readonly hash: string;
}

/** Until the commit the Tenant does not leave for another cell, which would leave these rows behind. */
const stays = 'select from tenants where tenant_id = $1 for key share';

/** The rows of one transaction; null once the Tenant is in another cell. */
async function inPlace<Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  text: string,
  values: readonly [tenantId: string, ...unknown[]],
): Promise<Row[] | null> {
  const query = { text, values: [...values], query_timeout: deadlineMs };
  await client.query(`begin; ${settings}`);
  const { rowCount } = await client.query(stays, [values[0]]);
  const rows = rowCount === 1 ? (await client.query<Row>(query)).rows : null;
  await client.query('commit');
  return rows;
}

/**
 * Seals what a proof that held has proven (rules/invariants#24). The caller holds the Tenant's lock of proofs, and
 * no transaction.
 * @returns the new head; null: nothing new could be sealed
 */
export async function sealProven(
  client: pg.ClientBase,
  tenantId: string,
  { limit, provenAt }: Sealable,
): Promise<CheckpointHead | null> {
  const { rows } = await client.query<{ until: Instant }>(
    'select until from ledger_checkpoints where tenant_id = $1 order by number desc limit 1',
    [tenantId],
  );
  let since = rows[0]?.until ?? null;
  if (since !== null && since >= limit) return null;
  const found = await inPlace<{ until: Instant }>(client, days, [tenantId, limit, since]);
  const ends = (found ?? []).map(({ until }) => until).filter((until) => until < limit);
  let head: CheckpointHead | null = null;
  for (const until of [...ends, limit]) {
    const values = [tenantId, until, since, provenAt] as const;
    const made = await inPlace<CheckpointHead>(client, seal, values);
    if (!made) return null;
    head = made[0] ?? null;
    since = until;
  }
  return head;
}
