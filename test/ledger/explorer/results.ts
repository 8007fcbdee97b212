import type { ReplyBody } from '../../kit/http/http.ts';
import type { Sender } from '../sender.ts';
import type { Records } from './records.ts';

const dashed = (hex: string): string =>
  hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
/** The uuid within a public id. */
export const uuidIn = (id: string): string => dashed(id.slice(id.indexOf('_') + 1));

/** The names of the records by uuid, such as `payment`, `payer.account`. */
export function namesOf(records: Records): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [name, record] of Object.entries<ReplyBody>(records)) {
    if (typeof record === 'string') names.set(record, name);
    const { id, customerId, accountId, confirmation_session } = record;
    if (typeof id === 'string') names.set(uuidIn(id), name);
    if (typeof customerId === 'string') names.set(uuidIn(customerId), name);
    if (typeof accountId === 'string') names.set(accountId, `${name}.account`);
    if (confirmation_session) names.set(uuidIn(confirmation_session.id), `${name}.session`);
  }
  return names;
}

const uuids = /\b(?:[a-z]+_)?([0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12})\b/g;
/** The texts that differ between equal runs: times, versions of documents, tokens, numbers, customers. */
const variable: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d(?::\d\d)?)/g, 'T'],
  [/"\d{4}-\d\d-\d\d"/g, '"D"'],
  [/"\d{4}-\d\d"/g, '"V"'],
  [/"(?:[a-z]{2}_[\w-]{40,}|tp[\w.-]{60,}|[\w+/=.-]{60,})"/g, '"S"'],
  [/"mobile_number_last4":"\d{4}"/g, '"N"'],
  [/customer-\d+(?:@example\.com)?|\+?1\d{10}\b/g, 'P'],
];

/** A text in which equal runs are equal: uuids are names, `*` where a record has none. */
export function canonical(text: string, names: ReadonlyMap<string, string>): string {
  const named = text.replace(
    uuids,
    (_found, id: string) => names.get(id.length === 32 ? dashed(id) : id) ?? '*',
  );
  return variable.reduce((before, [what, mark]) => before.replace(what, mark), named);
}

/** Columns that differ between equal runs, and those whose count is not promised. */
const left = `'{tenant_id,id,revision,token_hash,bearer_hash,result_token_hash,link_hash,hash,
  mobile_hmac,mobile_sealed,mobile_last4,contact_sealed,reference_sealed,once_sealed,external_ref,
  email,qr_payload,number,balance_after,ledger_after,lease_until,wake_at,entry_count,
  holder_name,identity_reference}'::text[]`;

/** Tables of a customer, by the column that names it. */
const ofCustomers = {
  customers: 'id',
  accounts: 'customer_id',
  payments: 'payer_customer_id',
  payment_requests: 'merchant_customer_id',
  loads: 'customer_id',
  withdrawals: 'customer_id',
  refunds: 'payer_customer_id',
  disputes: 'customer_id',
  linked_accounts: 'customer_id',
  sessions: 'customer_id',
  owners: 'customer_id',
  documents: 'customer_id',
} as const;
/** Tables of a customer whose rows nothing else names. */
const unnamed = ['pins', 'limit_counters'];
const ofAccounts = ['balances', 'pending_transactions', 'entries', 'suspense'];
/** Tables whose rows belong to a record, by the column that names it. */
const ofRecords = { jobs: 'ref', bank_messages: 'source_id', instructions: 'source_id' } as const;

const rowsOf = (table: string, join: string, id: string) =>
  `select p.run, '${table}' as kind, ${id} as id, to_jsonb(t) - ${left} as row
    from ${table} t join people p on ${join} where t.tenant_id = $1`;

const named = Object.entries(ofCustomers).map(([table, column]) =>
  rowsOf(table, `t.${column} = p.customer_id`, 't.id'),
);
const besides = [
  ...unnamed.map((table) => rowsOf(table, 't.customer_id = p.customer_id', 'null::uuid')),
  ...ofAccounts.map((table) => rowsOf(table, 't.account_id = p.account_id', 't.account_id')),
  ...Object.entries(ofRecords).map(
    ([table, column]) => `select r.run, '${table}', r.id, to_jsonb(t) - ${left}
      from ${table} t join records r on t.${column} = r.id where t.tenant_id = $1`,
  ),
];

/** Every row and event of the runs. A session has no event of its creation. */
const question = `with people as materialized (
    select x.run, x.customer_id, a.id as account_id from unnest($2::uuid[], $3::integer[])
      x(customer_id, run)
    left join accounts a on a.tenant_id = $1 and a.customer_id = x.customer_id),
  records as materialized (${named.join(' union all ')}),
  known as (select r.run, r.kind, r.id, e.version, e.type, e.id as event_id from records r
    join events e on e.tenant_id = $1 and e.object_id = r.id and not e.sample)
  select run, kind, id, row::text as text
    from (select * from records union all ${besides.join(' union all ')}) all_rows
  union all select run, 'events', id, string_agg(type::text, ' ' order by version) from known
    group by run, id
  union all select k.run, 'deliveries', k.id,
      (to_jsonb(d) - ${left} || jsonb_build_object('of', k.type))::text
    from known k join deliveries d on d.tenant_id = $1 and d.event_id = k.event_id
  union all select run, 'broken versions', id, kind from known where kind <> 'sessions'
    group by run, kind, id
    having min(version) <> 1 or max(version) <> count(*) or count(distinct version) <> count(*)`;

interface Row {
  readonly run: number;
  readonly kind: string;
  readonly id: string | null;
  readonly text: string;
}

const isCustomer = (id: unknown): id is string => typeof id === 'string' && id.startsWith('cus_');

/** Reads what each run has left in the database: one line a row, sorted. */
export async function resultsOf(
  query: Sender['query'],
  runs: readonly Records[],
): Promise<readonly (readonly string[])[]> {
  const customers = runs.flatMap((records, run) =>
    Object.values<ReplyBody>(records)
      .map(({ customerId, id }) => customerId ?? id)
      .filter(isCustomer)
      .map((id) => ({ id: uuidIn(id), run })),
  );
  const rows = await query<Row>(
    question,
    customers.map(({ id }) => id),
    customers.map(({ run }) => run),
  );
  return runs.map((records, index) => {
    const names = namesOf(records);
    return rows
      .filter(({ run }) => run === index)
      .map(({ kind, id, text }) => {
        const name = id === null ? '' : (names.get(id) ?? '*');
        return `${kind} ${name} ${canonical(text, names)}`;
      })
      .sort();
  });
}
