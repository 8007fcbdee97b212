import { digitsOf, idPrefixes } from '@tenant-payments/contract/core/ids.ts';
import type pg from 'pg';
import { type PackedText, unpackEvent } from '../../engine/packed_text/event_text.ts';

/** The movements to make: how many, of which accounts, and when. */
export interface FillPlan {
  readonly tenantId: string;
  /** Each account has had one adjustment through the service, the sample of the others. */
  readonly accountIds: readonly string[];
  /** Number of movements in a row, each for the account at its place in `turns`. */
  readonly movements: number;
  /** Indexes of `accountIds`, repeated: the account of each movement. */
  readonly turns: readonly number[];
  /** Instants of the tenant's clock: the first movement's and the last one's. */
  readonly from: string;
  readonly to: string;
}

/**
 * Numbers, balances and ids of each movement, as if the engine had posted them one after another.
 */
const movements = `
  create temp table filled on commit drop as
  with made as (
    select n, ($2::uuid[])[1 + ($3::integer[])[1 + n % cardinality($3::integer[])]] as account_id,
      date_trunc('milliseconds',
        $4::timestamptz + ($5::timestamptz - $4::timestamptz) * (n::float8 / ($6 - 1))) as at
    from generate_series(0, $6 - 1) n)
  select n, m.account_id, at, uuidv7(at - now()) as source_id, uuidv7(at - now()) as reserve_id,
    uuidv7(at - now()) as id,
    row_number() over (partition by m.account_id order by n) as place, b.entry_count,
    b.available, b.available + b.pending_outgoing + b.earmarked as ledger
  from made m join balances b on b.tenant_id = $1 and b.account_id = m.account_id
  order by n`;

/**
 * The entries of the sample, once for each movement. They are read once, since later reads would
 * search all rows that this statement has written.
 */
const entries = `
  with sample as materialized (select * from entries where tenant_id = $1 and source_id = $2)
  insert into entries (tenant_id, id, account_id, pocket, delta, number, balance_after, ledger_after,
    source_type, source_id, step, leg, transaction_type, amount, fee_amount, counterpart_kind,
    counterpart_id, created_at, posted_at)
  select e.tenant_id, case when e.account_id is null then m.reserve_id else m.id end,
    case when e.account_id is not null then m.account_id end, e.pocket, e.delta,
    case when e.account_id is not null then m.entry_count + m.place end,
    case when e.account_id is not null then m.available + m.place * e.delta end,
    case when e.account_id is not null then m.ledger + m.place * e.delta end,
    e.source_type, m.source_id, e.step, e.leg, e.transaction_type, e.amount, e.fee_amount,
    e.counterpart_kind, e.counterpart_id, m.at, e.posted_at
  from filled m cross join sample e
  order by m.n, e.leg`;

const counted = `
  update balances b set available = b.available + made.movements * $2::bigint,
    entry_count = b.entry_count + made.movements
  from (select account_id, count(*) as movements from filled group by account_id) made
  where b.tenant_id = $1 and b.account_id = made.account_id`;

const events = `
  insert into events (tenant_id, id, type, object_type, object_id, version, sample, created_at, body)
  select $1, m.id, 'transaction.posted', 'transaction', m.id, 1, false, m.at,
    format($2, encode(uuid_send(m.id), 'hex'), encode(uuid_send(m.id), 'hex'),
      encode(uuid_send(m.account_id), 'hex'), encode(uuid_send(m.source_id), 'hex'),
      to_char(m.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from filled m order by m.n`;

interface Sample {
  readonly id: string;
  readonly account_id: string;
  readonly source_id: string;
  readonly delta: number;
  readonly created_at: string;
  readonly body: PackedText;
}

/** The sample's event as a template for PostgreSQL's `format`. */
function bodyFormat({ id, account_id, source_id, created_at, body }: Sample): string {
  const sent = unpackEvent({ id, created_at, object_id: id, body });
  const places: readonly (readonly [string, string])[] = [
    [idPrefixes.event, id],
    [idPrefixes.transaction, id],
    [idPrefixes.account, account_id],
    [idPrefixes.adjustment, source_id],
  ];
  let text = sent.replaceAll('%', '%%');
  for (const [index, [prefix, uuid]] of places.entries()) {
    const name = `${prefix}_${digitsOf(uuid)}`;
    if (!text.includes(name)) throw new Error(`an event of an adjustment does not name ${name}`);
    text = text.replaceAll(name, `${prefix}_%${index + 1}$s`);
  }
  return text.replaceAll(created_at, `%${places.length + 1}$s`);
}

async function sampleOf(
  client: pg.ClientBase,
  { tenantId, accountIds }: FillPlan,
): Promise<Sample> {
  const { rows } = await client.query<Sample>(
    `select e.id, e.account_id, e.source_id, e.delta, v.created_at, v.body
      from entries e join events v on v.tenant_id = e.tenant_id and v.id = e.id
      where e.tenant_id = $1 and e.account_id = $2 and e.transaction_type = 'adjustment'
      order by e.number desc limit 1`,
    [tenantId, accountIds[0]],
  );
  const [sample] = rows;
  if (!sample) throw new Error('there is no sample adjustment');
  return sample;
}

/**
 * Fills the ledger with adjustments, set-wise, by the sample that the service has made: entries
 * that continue each account, and their events. Nothing else may work on the tenant at the same
 * time; afterwards every invariant holds.
 */
export async function fillLedger(client: pg.ClientBase, plan: FillPlan): Promise<void> {
  const { tenantId, accountIds, turns, from, to, movements: count } = plan;
  const sample = await sampleOf(client, plan);
  await client.query('begin');
  await client.query(movements, [tenantId, accountIds, turns, from, to, count]);
  await client.query(entries, [tenantId, sample.source_id]);
  await client.query(events, [tenantId, bodyFormat(sample)]);
  await client.query(counted, [tenantId, sample.delta]);
  await client.query('commit');
}
