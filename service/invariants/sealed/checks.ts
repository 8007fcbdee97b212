import { tenantAccounts } from '@tenant-payments/contract/recipes.ts';
import type { Check } from '../check.ts';
import {
  accountColumns,
  accountSums,
  accountsHash,
  checkpointHash,
  entriesHash,
  firstHash,
  inSegment,
  tenantSums,
} from './text.ts';

const differ = tenantAccounts.map((account) => `c.${account} <> s.${account}`).join(' or ');
const beyond = accountColumns.map((column) => `sum(${column}) as ${column}`).join(', ');
const wrong = accountColumns.map((column) => `sum(${column}) <> 0`).join(' or ');
const lessBefore = accountColumns
  .map((column) => `coalesce(b.${column}, 0) - a.${column}`)
  .join(', ');

/** A checkpoint has no public id: the Tenant's id and its number name it. */
const subject = `c.tenant_id, 'checkpoint' as kind, c.number::text as id`;

/** Checkpoints against each other, and against the entries that they seal (rules/invariants#24). */
export const sealedChecks: readonly Check[] = [
  {
    name: 'sealed.chain',
    clause:
      'checkpoints are numbered 1..n, follow each other in time, and each has the hash before',
    sql: `select ${subject}, format('at place %s, from %s after %s', place, since, before) as message
      from (select tenant_id, number, since, until, proven_at, entries, ${tenantAccounts.join(', ')},
          entries_hash, accounts_hash, previous_hash, hash, row_number() over w as place, lag(until) over w as before,
          lag(hash) over w as hash_before from ledger_checkpoints
        window w as (partition by tenant_id order by number)) c
      where number <> place or since is distinct from before or until <= since
        or previous_hash <> coalesce(hash_before, ${firstHash}) or hash <> ${checkpointHash}`,
  },
  {
    name: 'sealed.entries',
    clause: 'the entries of a sealed segment are those that were sealed',
    sql: `select ${subject}, format('%s to %s: %s entries, sealed %s', c.since, c.until, s.entries,
        c.entries) as message
      from ledger_checkpoints c
      cross join lateral (select count(*) as entries, ${tenantSums} from entries where ${inSegment}) s
      cross join lateral (${entriesHash(inSegment)}) h
      where c.entries <> s.entries or c.entries_hash <> h.hash or ${differ}`,
  },
  {
    name: 'sealed.accounts',
    clause: 'what accounts held at a checkpoint is what they held before and the entries since',
    sql: `select ${subject}, format('account %s: beyond its entries by %s, %s, %s', s.account_id, s.available,
        s.pending_outgoing, s.earmarked) as message
      from ledger_checkpoints c
      cross join lateral (select account_id, ${beyond} from (
        select account_id, ${accountSums} from entries where ${inSegment} and account_id is not null
          group by account_id
        union all select a.account_id, ${lessBefore} from ledger_checkpoint_accounts a
          left join lateral (select ${accountColumns.join(', ')} from ledger_checkpoint_accounts b where b.tenant_id = a.tenant_id
            and b.account_id = a.account_id and b.number < a.number order by b.number desc limit 1) b
            on true
          where a.tenant_id = c.tenant_id and a.number = c.number) both_sides
        group by account_id having ${wrong}) s`,
  },
  {
    name: 'sealed.accounts_hash',
    clause: 'the rows of accounts of a checkpoint are those that were sealed',
    sql: `select ${subject}, 'rows of accounts were changed' as message from ledger_checkpoints c
      cross join lateral (select ${accountsHash} as hash from ledger_checkpoint_accounts a
        where a.tenant_id = c.tenant_id and a.number = c.number) h
      where c.accounts_hash <> h.hash`,
  },
];
