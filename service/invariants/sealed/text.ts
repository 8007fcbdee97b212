import { transitAccounts } from '@tenant-payments/contract/own_recipes.ts';
import { pockets, type TenantAccount, tenantAccounts } from '@tenant-payments/contract/recipes.ts';

/** SQL: when an entry was posted, as the index `entries_posted` has it. */
export const postedAt = 'coalesce(posted_at, created_at)';

/** SQL: an instant as a text that no setting of a session changes. */
const epoch = (at: string) => `extract(epoch from ${at})`;
const hashOf = (text: string) => `sha256(convert_to(${text}, 'UTF8'))`;
const none = `''::bytea`;

/** An entry as it is hashed: its columns by name, since later releases may add others. */
const entryText = `row(id, account_id, pocket, delta, number, balance_after, ledger_after, source_type,
  source_id, step, leg, transaction_type, amount, fee_amount, counterpart_kind, counterpart_id,
  ${epoch('created_at')}, ${epoch('posted_at')})::text`;

const accountText = `row(account_id, number, entries, ${pockets.join(', ')}, ledger)::text`;

/** Sums of the Tenant's own accounts over entries. */
export const tenantSums = tenantAccounts
  .map((account) => `coalesce(sum(delta) filter (where pocket = '${account}'), 0) as ${account}`)
  .join(', ');

/** The sums of the entries of one account: their number, its pockets and its ledger. */
export const accountSums = `count(*) as entries, ${pockets
  .map((pocket) => `coalesce(sum(delta) filter (where pocket = '${pocket}'), 0) as ${pocket}`)
  .join(', ')}, coalesce(sum(delta) filter (where transaction_type is not null), 0) as ledger`;

/** The columns of `accountSums`. */
export const accountColumns = ['entries', ...pockets, 'ledger'] as const;

/**
 * SQL: one row, the hash of entries in the order of their minutes and keys. By minutes, so that no hash
 * is of more than a minute's entries at once.
 * @param where the condition on the entries
 */
export const entriesHash = (where: string): string =>
  `select encode(sha256(coalesce(string_agg(minute_hash, ${none} order by minute), ${none})), 'hex') as hash
    from (select date_trunc('minute', ${postedAt}, 'UTC') as minute,
        sha256(string_agg(${hashOf(entryText)}, ${none} order by source_id, step, leg)) as minute_hash
      from entries where ${where} group by 1) minutes`;

/** SQL, of rows of `ledger_checkpoint_accounts`: their hash. */
export const accountsHash = `encode(sha256(coalesce(string_agg(${hashOf(accountText)}, ${none}
  order by account_id), ${none})), 'hex')`;

/** Own accounts that 1.0 did not have: a segment that moved nothing on them is hashed as 1.0 hashes it. */
const later: readonly TenantAccount[] = transitAccounts;
const first = tenantAccounts.filter((account) => !later.includes(account));

/** SQL, of a row of `ledger_checkpoints`: its hash, over the one before and its own columns. */
export const checkpointHash = `encode(sha256(decode(previous_hash, 'hex') || convert_to(row(number,
  ${epoch('since')}, ${epoch('until')}, ${epoch('proven_at')}, entries, ${first.join(', ')},
  entries_hash, accounts_hash)::text || case when ${later.map((account) => `${account} = 0`).join(' and ')}
  then '' else row(${later.join(', ')})::text end, 'UTF8')), 'hex')`;

/** The hash before the first checkpoint. */
export const firstHash = `repeat('0', 64)`;

/** SQL: the segment of a checkpoint `c`, as a condition on entries. */
export const inSegment = `tenant_id = c.tenant_id and ${postedAt} < c.until
  and ${postedAt} >= coalesce(c.since, '-infinity')`;
