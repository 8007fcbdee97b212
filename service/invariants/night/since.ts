import { pockets, tenantAccounts } from '@tenant-payments/contract/recipes.ts';
import type { Check } from '../check.ts';
import { recordsOfReplies } from '../idempotency.ts';
import { countedRecords } from '../money/limits.ts';
import { wholeBookChecks } from '../money/whole_book.ts';
import { accountColumns, accountSums, tenantSums } from '../sealed/text.ts';

/*
 * What the whole proof sums over all entries, here from the last checkpoint on. In these queries `entries` are
 * those since it (night/plan.ts), and `ledger_checkpoints` and its accounts are all.
 */

const ledgerOf = (row: string) => pockets.map((pocket) => `${row}.${pocket}`).join(' + ');
const held = (column: string) => `coalesce(c.${column}, 0) + coalesce(e.${column}, 0)`;

/** Each balance `b` with its account at the last checkpoint and its entries since. */
const moved = `from balances b
  left join lateral (select number, ${accountColumns.join(', ')} from ledger_checkpoint_accounts s where s.tenant_id = b.tenant_id
    and s.account_id = b.account_id order by s.number desc limit 1) c on true
  left join (select tenant_id, account_id, ${accountSums} from entries where account_id is not null
    group by tenant_id, account_id) e on e.tenant_id = b.tenant_id and e.account_id = b.account_id`;

const account = `b.tenant_id, 'account' as kind, b.account_id as id`;

/** Running sums backwards, from what the account has now. */
const later = (which: string) =>
  `coalesce(sum(e.delta) filter (where ${which}) over later_ones, 0)`;

/** The Tenant's own accounts: what was sealed, and the entries since. */
const tenantBalances = `(select tenant_id, ${tenantAccounts
  .map((name) => `sum(${name}) as ${name}`)
  .join(', ')} from (select tenant_id, ${tenantAccounts.join(', ')} from ledger_checkpoints
    union all select tenant_id, ${tenantSums} from entries where account_id is null group by tenant_id) own
  group by tenant_id)`;

const balances: readonly Check[] = [
  {
    name: '2.pockets',
    clause: 'each pocket is what was sealed and its entries since, and not below zero',
    sql: `select ${account}, format('pockets %s/%s/%s, entries %s/%s/%s', ${pockets
      .map((pocket) => `b.${pocket}`)
      .join(', ')}, ${pockets.map(held).join(', ')}) as message ${moved}
      where ${pockets.map((pocket) => `b.${pocket} <> ${held(pocket)} or b.${pocket} < 0`).join(' or ')}`,
  },
  {
    name: '2.entry_count',
    clause: 'a balance counts the entries of its account, those that were sealed among them',
    sql: `select ${account}, format('counted %s, written %s', b.entry_count, ${held('entries')})
        as message ${moved} where b.entry_count <> ${held('entries')}`,
  },
  {
    name: '4.ledger',
    clause: "the signed net of an account's posted Transactions, sealed and since, is its ledger",
    sql: `select ${account}, format('ledger %s, transactions %s', ${ledgerOf('b')}, ${held('ledger')})
        as message ${moved} where ${ledgerOf('b')} <> ${held('ledger')}`,
  },
  {
    name: '2.running',
    clause: 'entries since are numbered up to n, and each shows the running balance and ledger',
    // Those of the first minute have been proven, and processes whose clocks differ may have mixed them.
    sql: `select tenant_id, 'account' as kind, account_id as id,
        format('entry %s at place %s: %s %s of %s, ledger %s of %s', number, place, pocket,
          balance_after, balance, ledger_after, ledger) as message
      from (select e.tenant_id, e.account_id, e.number, e.pocket, e.balance_after, e.transaction_type,
          e.ledger_after, coalesce(e.posted_at, e.created_at) as at, c.until,
          b.entry_count - row_number() over later_ones + 1 as place,
          case e.pocket ${pockets.map((p) => `when '${p}' then b.${p} - ${later(`e.pocket = '${p}'`)}`).join(' ')}
            end + e.delta as balance,
          ${ledgerOf('b')} - ${later('e.transaction_type is not null')} + e.delta as ledger
        from entries e join balances b on b.tenant_id = e.tenant_id and b.account_id = e.account_id
        cross join (select max(until) as until from ledger_checkpoints) c
        window later_ones as
          (partition by e.tenant_id, e.account_id order by e.number desc rows unbounded preceding)) running
      where at >= until + interval '1 minute' and (number <> place
        or balance_after is distinct from balance or balance < 0
        or (transaction_type is not null and ledger_after is distinct from ledger))`,
  },
  ...wholeBookChecks(tenantBalances),
];

/** Days whose reports are proven: those that had not ended at the checkpoint. */
export const easternDay = (at: string) => `(${at} at time zone 'America/New_York')::date`;

const others: readonly Check[] = [
  {
    name: '15.closing',
    clause: 'a report closes with what it opened with and the change of ledgers in its day',
    sql: `select r.tenant_id, 'report' as kind, r.id, format('%s: closing %s after %s, changed by %s', r.day,
        r.closing_balance, r.opening_balance, coalesce(d.change, 0)) as message
      from reconciliation_reports r left join (select tenant_id,
          ${easternDay('coalesce(posted_at, created_at)')} as day,
          coalesce(sum(delta) filter (where transaction_type is not null), 0) as change
        from entries group by 1, 2) d on d.tenant_id = r.tenant_id and d.day = r.day
      where r.closing_balance - r.opening_balance <> coalesce(d.change, 0)`,
  },
  {
    name: '13.effect',
    clause: 'the record that a reply since shows exists, and no record was created under two keys',
    sql: recordsOfReplies,
  },
  {
    name: '11.counters',
    clause:
      "each daily counter since is the sum of its day's records that are not failed or canceled",
    sql: `select tenant_id, 'customer' as kind, customer_id as id, format('%s of %s: %s counted, %s used',
        kind, period, sum(used), sum(amount)) as message
      from (select tenant_id, customer_id, kind, period, used, 0 as amount from limit_counters
        union all select tenant_id, customer_id, kind, period, 0, amount
        from (${countedRecords.daily.join(' union all ')}) c(tenant_id, customer_id, kind, period, amount))
        both_sides
      group by tenant_id, customer_id, kind, period having sum(used) <> sum(amount)`,
  },
];

/** In the place of the checks of the same names. */
export const sinceChecks: readonly Check[] = [...balances, ...others];
