import type { ReplyBody } from '../../kit/http.ts';
import type { Cast, Stage } from './actor.ts';

/**
 * What became of a scene, in a form in which two scenes of the same course are equal: every row and
 * event of its people, without what no two records share (ids, times, secrets).
 */

/** Texts in which uuids are named: `payment`, `payer.account`; others are a star. */
export type Names = ReadonlyMap<string, string>;

const dashed = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
const uuidIn = (id: string): string => dashed(id.slice(id.indexOf('_') + 1));

/** The records of a cast by uuid. Whose part is null was not needed. */
export function namesOf(cast: Cast): Names {
  const names = new Map<string, string>();
  for (const [name, part] of Object.entries<ReplyBody>(cast)) {
    if (typeof part === 'string') names.set(part, name);
    if (part === null || typeof part !== 'object') continue;
    if (typeof part.id === 'string') names.set(uuidIn(part.id), name);
    if (typeof part.customerId === 'string') names.set(uuidIn(part.customerId), name);
    if (typeof part.accountId === 'string') names.set(part.accountId, `${name}.account`);
    const { confirmation_session: session } = part;
    if (session) names.set(uuidIn(session.id), `${name}.session`);
  }
  return names;
}

const uuids = /\b(?:[a-z]+_)?([0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12})\b/g;
const times = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d(?::\d\d)?)/g;
/** Versions of documents, which a tenant counts. */
const versions = /"\d{4}-\d\d"/g;
const days = /"\d{4}-\d\d-\d\d"/g;
/** Tokens and codes: 256 random bits, signed payloads, people who are somebody else in each scene. */
const secrets = /"(?:[a-z]{2}_[\w-]{40,}|tp[\w.-]{60,}|[\w+/=.-]{60,})"/g;
const numbers = /"mobile_number_last4":"\d{4}"/g;
const people = /customer-\d+(?:@example\.com)?|\+?1\d{10}\b/g;

/** A text without what no two scenes share. */
export function canonical(text: string, names: Names): string {
  return text
    .replace(uuids, (_found, id: string) => names.get(id.length === 32 ? dashed(id) : id) ?? '*')
    .replace(times, 'T')
    .replace(days, '"D"')
    .replace(versions, '"V"')
    .replace(secrets, '"S"')
    .replace(numbers, '"N"')
    .replace(people, 'P');
}

/** Columns that no two scenes share, and those that count what nobody is promised. */
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
/** The same, of rows that nothing else names. */
const besides = { pins: 'customer_id', limit_counters: 'customer_id' } as const;
/** Tables of an account. */
const ofAccounts = ['balances', 'pending_transactions', 'entries', 'suspense'] as const;

const rowsOf = (table: string, join: string, id: string) =>
  `select p.scene, '${table}' as kind, ${id} as id, to_jsonb(t) - ${left} as row
    from ${table} t join people p on ${join} where t.tenant_id = $1`;

/** Rows of what the records name: what falls due of them, what the bank was asked and said. */
const ofRecords = { due: 'ref', bank_messages: 'source_id', instructions: 'source_id' } as const;

const question = `with people as materialized (
    select x.scene, x.customer_id, a.id as account_id from unnest($2::uuid[], $3::integer[])
      x(customer_id, scene)
    left join accounts a on a.tenant_id = $1 and a.customer_id = x.customer_id),
  records as materialized (${Object.entries(ofCustomers)
    .map(([table, column]) => rowsOf(table, `t.${column} = p.customer_id`, 't.id'))
    .join(' union all ')}),
  told as (select r.scene, r.kind, r.id, e.version, e.type, e.id as event_id from records r
    join events e on e.tenant_id = $1 and e.object_id = r.id and not e.sample)
  select scene, kind, id, row::text as text from records
  ${Object.entries(besides)
    .map(
      ([table, column]) =>
        `union all select scene, kind, id, row::text from (${rowsOf(table, `t.${column} = p.customer_id`, 'null::uuid')}) ${table}`,
    )
    .join(' ')}
  ${ofAccounts
    .map(
      (table) =>
        `union all select scene, kind, id, row::text from (${rowsOf(table, 't.account_id = p.account_id', 't.account_id')}) ${table}`,
    )
    .join(' ')}
  ${Object.entries(ofRecords)
    .map(
      ([
        table,
        column,
      ]) => `union all select r.scene, '${table}', r.id, (to_jsonb(t) - ${left})::text
      from ${table} t join records r on t.${column} = r.id where t.tenant_id = $1`,
    )
    .join(' ')}
  union all select scene, 'events', id, string_agg(type, ' ' order by version) from told
    group by scene, id
  union all select t.scene, 'deliveries', t.id, (to_jsonb(d) - ${left} || jsonb_build_object('of', t.type))::text
    from told t join deliveries d on d.tenant_id = $1 and d.event_id = t.event_id
  -- Nobody is told of a session's creation.
  union all select scene, 'broken versions', id, kind from told where kind <> 'sessions'
    group by scene, kind, id having min(version) <> 1 or max(version) <> count(*) or count(distinct version) <> count(*)`;

interface Row {
  readonly scene: number;
  readonly kind: string;
  readonly id: string | null;
  readonly text: string;
}

const customersOf = (cast: Cast): string[] =>
  Object.values<ReplyBody>(cast).flatMap((part) =>
    part !== null && typeof part === 'object' && typeof part.customerId === 'string'
      ? [uuidIn(part.customerId)]
      : [],
  );

/** The end of each scene: one line a row, sorted. */
export async function endsOf(
  { query }: Pick<Stage, 'query'>,
  casts: readonly Cast[],
): Promise<readonly (readonly string[])[]> {
  const asked = casts.flatMap((cast, scene) =>
    customersOf(cast).map((customer) => ({ customer, scene })),
  );
  const rows = await query<Row>(
    question,
    asked.map(({ customer }) => customer),
    asked.map(({ scene }) => scene),
  );
  const names = casts.map(namesOf);
  const ends: string[][] = casts.map(() => []);
  for (const { scene, kind, id, text } of rows) {
    const named = names[scene] ?? new Map<string, string>();
    const name = id === null ? '' : (named.get(id) ?? '*');
    ends[scene]?.push(`${kind} ${name} ${canonical(text, named)}`);
  }
  for (const end of ends) end.sort();
  return ends;
}
