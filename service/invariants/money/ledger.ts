import {
  pockets,
  type RecipeName,
  recipeOf,
  recipes,
  tenantAccounts,
} from '@tenant-payments/contract/recipes.ts';
import { serviceRole } from '../../db/service_role.ts';
import type { Check } from '../check.ts';
import { wholeBookChecks } from './whole_book.ts';

const quoted = (word: string) => `'${word}'`;
const listed = (words: readonly string[]) => words.map(quoted).join(', ');

/** The postings of each recipe that a pocket may have: the Transaction's type and the sign. */
function recipeSlots(): string {
  const rows = (Object.keys(recipes) as RecipeName[]).flatMap((name) => {
    const { transfers, transactions } = recipeOf(name);
    const slots = new Set(transfers.flatMap((transfer) => transfer.slice(0, 2)));
    return [...slots].map((slot) => {
      const [party = '', place = ''] = slot.split('.');
      const takes = transfers.some(([from]) => from === slot);
      const adds = transfers.some(([, to]) => to === slot);
      const sign = Number(adds) - Number(takes);
      return `(${quoted(name)}, ${quoted(place)}, ${quoted(transactions?.[party]?.type ?? '')}, ${sign})`;
    });
  });
  return `(values ${rows.join(', ')}) slot(step, pocket, type, sign)`;
}

const pocketSums = pockets
  .map((pocket) => `coalesce(sum(delta) filter (where pocket = '${pocket}'), 0) as ${pocket}`)
  .join(', ');
const accountSums = tenantAccounts
  .map((account) => `coalesce(sum(delta) filter (where pocket = '${account}'), 0) as ${account}`)
  .join(', ');
const runningSum = (which: string) => `sum(delta) filter (where ${which}) over entries_before`;
const tenantBalances = `(select tenant_id, ${accountSums} from entries where account_id is null group by tenant_id)`;
/** Tables that only grow, and how many triggers see to it. */
const appendOnly = `(values ('entries', 2), ('events', 3), ('reviews', 2),
  ('ledger_checkpoints', 2), ('ledger_checkpoint_accounts', 2)) a(name, triggers)`;

const movements: readonly Check[] = [
  {
    name: '1.append_only',
    clause:
      'triggers and rights keep the service from changing entries, checkpoints, events and reviews',
    sql: `select t.tenant_id, 'tenant' as kind, t.tenant_id as id, m.message from tenants t cross join (
        select format('%s may be changed: %s of its triggers are at work', c.relname, g.at_work) as message
        from ${appendOnly} cross join pg_class c
        cross join lateral (select count(*) as at_work from pg_trigger
          where tgrelid = c.oid and not tgisinternal and tgenabled in ('O', 'A')) g
        where c.oid = to_regclass(a.name) and g.at_work < a.triggers
        union all select format('%s may be changed by %s', c.relname, r.rolname)
        from ${appendOnly} cross join pg_class c cross join pg_roles r
        where c.oid = to_regclass(a.name) and r.rolname = '${serviceRole}'
          and has_table_privilege(r.oid, c.oid, 'update, delete, truncate')) m`,
  },
  {
    name: '1.movements',
    clause:
      'the entries of each movement sum to zero; its legs are 1..n, of one source and instant',
    sql: `select tenant_id, min(source_type) as kind, source_id as id,
        format('%s: %s entries, legs %s to %s, sum to %s', step, count(*), min(leg), max(leg),
          sum(delta)) as message
      from entries group by tenant_id, source_id, step
      having sum(delta) <> 0 or count(*) < 2 or min(leg) <> 1 or max(leg) <> count(*)
        or min(source_type) <> max(source_type)
        or min(coalesce(posted_at, created_at)) <> max(coalesce(posted_at, created_at))`,
  },
  {
    name: '1.posted_once',
    clause: 'a movement is posted once: one entry for each account and pocket',
    sql: `select tenant_id, min(source_type) as kind, source_id as id,
        format('%s: %s entries for %s', step, count(*), pocket) as message
      from entries group by tenant_id, source_id, step, account_id, pocket having count(*) > 1`,
  },
  {
    name: '1.recipes',
    clause: 'every entry is a line of its recipe',
    sql: `select e.tenant_id, 'entry' as kind, e.id, format('%s does not post %s to %s%s', e.step,
        e.delta, e.pocket, coalesce(' as ' || e.transaction_type, '')) as message
      from entries e left join ${recipeSlots()} on slot.step = e.step::text and slot.pocket = e.pocket::text
        and slot.type = coalesce(e.transaction_type::text, '') and slot.sign * e.delta >= 0
      where slot.step is null
        or (e.account_id is null) <> (e.pocket in (${listed(tenantAccounts)}))`,
  },
];

const balances: readonly Check[] = [
  {
    name: '2.pockets',
    clause: 'each pocket is the sum of its entries and not below zero',
    sql: `select tenant_id, 'account' as kind, account_id as id,
        format('pockets %s/%s/%s, entries %s/%s/%s', b.available, b.pending_outgoing, b.earmarked,
          e.available, e.pending_outgoing, e.earmarked) as message
      from balances b full join (select tenant_id, account_id, ${pocketSums} from entries
        where account_id is not null group by tenant_id, account_id) e using (tenant_id, account_id)
      where ${pockets
        .map((p) => `coalesce(b.${p}, 0) <> coalesce(e.${p}, 0) or b.${p} < 0`)
        .join(' or ')}`,
  },
  {
    name: '2.entry_count',
    clause: 'a balance counts the entries of its account',
    sql: `select tenant_id, 'account' as kind, account_id as id,
        format('counted %s, written %s', b.entry_count, coalesce(e.written, 0)) as message
      from balances b left join (select tenant_id, account_id, count(*) as written from entries
        where account_id is not null group by tenant_id, account_id) e using (tenant_id, account_id)
      where b.entry_count <> coalesce(e.written, 0)`,
  },
  {
    name: '2.account_revision',
    clause: "a balance carries its account's revision",
    sql: `select a.tenant_id, 'account' as kind, a.id,
        format('the balance carries %s, the account has %s', b.account_revision, a.revision) as message
      from accounts a join balances b on b.tenant_id = a.tenant_id and b.account_id = a.id
      where b.account_revision <> a.revision`,
  },
  {
    name: '2.running',
    clause: 'entries are numbered 1..n, and each shows the running balance and ledger',
    sql: `select tenant_id, 'account' as kind, account_id as id,
        format('entry %s at place %s: %s %s of %s, ledger %s of %s', number, place, pocket,
          balance_after, balance, ledger_after, ledger) as message
      from (select tenant_id, account_id, number, pocket, balance_after, transaction_type,
          ledger_after, row_number() over entries_before as place,
          case pocket ${pockets.map((p) => `when '${p}' then ${runningSum(`pocket = '${p}'`)}`).join(' ')} end
            as balance,
          ${runningSum('transaction_type is not null')} as ledger
        from entries where account_id is not null window entries_before as
          (partition by tenant_id, account_id order by number rows unbounded preceding)) running
      where number <> place or balance_after is distinct from balance or balance < 0
        or (transaction_type is not null and ledger_after is distinct from ledger)`,
  },
  {
    name: '2.running_columns',
    clause: 'only entries of accounts have a running balance, only financial ones a ledger balance',
    sql: `select tenant_id, 'entry' as kind, id, 'running balance where none belongs' as message
      from entries where (account_id is null and (balance_after is not null
          or transaction_type is not null))
        or (transaction_type is null and ledger_after is not null)`,
  },
];

const transactions: readonly Check[] = [
  {
    name: '4.ledger',
    clause: "the signed net of an account's posted Transactions is its ledger",
    sql: `select tenant_id, 'account' as kind, account_id as id, format('ledger %s, transactions %s',
        b.available + b.pending_outgoing + b.earmarked, coalesce(t.net, 0)) as message
      from balances b left join (select tenant_id, account_id, sum(delta) as net from entries
        where transaction_type is not null group by tenant_id, account_id) t
        using (tenant_id, account_id)
      where b.available + b.pending_outgoing + b.earmarked <> coalesce(t.net, 0)`,
  },
  {
    name: '4.amounts',
    clause: 'credit: net = amount - fee; debit: net = amount + fee',
    sql: `select tenant_id, 'transaction' as kind, id,
        format('%s of %s, fee %s, moved %s', transaction_type, amount, fee_amount, delta) as message
      from entries where transaction_type is not null and (amount <= 0 or fee_amount is null
        or fee_amount < 0
        or delta <> case when delta < 0 then -amount - fee_amount else amount - fee_amount end)`,
  },
  {
    name: '4.events',
    clause: 'each financial entry has its event transaction.posted, and nothing else has one',
    sql: `select tenant_id, 'transaction' as kind, id, case when e.step is null
        then 'an event without its entry' else 'no event for ' || e.step end as message
      from (select tenant_id, id, step from entries where transaction_type is not null) e
      full join (select tenant_id, object_id as id, type from events
        where type = 'transaction.posted' and not sample) v using (tenant_id, id)
      where e.step is null or v.type is null`,
  },
];

const unposted: readonly Check[] = [
  {
    name: '4.pending',
    clause: 'a pending Transaction <=> a withdrawal in processing',
    sql: `select tenant_id, 'withdrawal' as kind, id, format('%s, its Transaction %s', w.status,
        coalesce(t.status, 'none')) as message
      from (select tenant_id, id, status, transaction_id, account_id, amount, linked_account_id
        from withdrawals) w
      full join (select tenant_id, source_id as id, id as transaction_id, status, account_id, amount,
        linked_account_id from pending_transactions) t using (tenant_id, id)
      where w.status is null or (t.status is null) <> (w.transaction_id is null)
        or (t.status = 'pending') <> (w.status = 'processing')
        or (w.status = 'processing' and t.status is null)
        or (t.status = 'posted') <> (w.status = 'settled') or (w.status = 'settled' and t.status is null)
        or (t.status is not null and (t.transaction_id <> w.transaction_id
          or t.account_id <> w.account_id or t.amount <> w.amount
          or t.linked_account_id <> w.linked_account_id))`,
  },
  {
    name: '4.reversed',
    clause: 'a reversed Transaction <=> a failed withdrawal that had been in processing',
    sql: `select w.tenant_id, 'withdrawal' as kind, w.id, format('%s, its Transaction %s', w.status,
        coalesce(t.status, 'none')) as message
      from withdrawals w left join pending_transactions t
        on t.tenant_id = w.tenant_id and t.source_id = w.id
      where (w.status = 'failed' and t.status is not null) <> coalesce(t.status = 'reversed', false)`,
  },
  {
    name: '4.handed_over',
    clause: 'the entry that posts a pending Transaction has its id and time',
    sql: `select tenant_id, 'transaction' as kind, id, format('begun %s, entry begun %s, posted %s, entry %s',
        t.created_at, e.created_at, t.posted_at, e.posted_at) as message
      from (select tenant_id, id, created_at, posted_at from pending_transactions
        where status = 'posted') t
      full join (select tenant_id, id, created_at, posted_at from entries where posted_at is not null) e
        using (tenant_id, id)
      where t.created_at is distinct from e.created_at or t.posted_at is distinct from e.posted_at`,
  },
];

/** The journal and its balances (rules/invariants#1 to #4). */
export const ledgerChecks: readonly Check[] = [
  ...movements,
  ...balances,
  ...wholeBookChecks(tenantBalances),
  ...transactions,
  ...unposted,
];
