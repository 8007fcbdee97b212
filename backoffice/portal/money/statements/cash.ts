import { type IdKind, idPrefixes, publicId } from '@tenant-payments/contract/core/ids.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { addDays, startOfDay } from '@tenant-payments/service/resources/limits/days.ts';
import { sql } from 'kysely';
import type { CashPosting } from './match.ts';

type Reader = Pick<ReadContext, 'db'>;

const day = (of: string) => ({ from: startOfDay(of), to: startOfDay(addDays(of, 1)) });

interface Row extends Omit<CashPosting, 'references'> {
  readonly source_type: string;
  readonly order_id: string | null;
  readonly record_type: string;
  readonly record_id: string;
  readonly messages: string[];
}

const isKind = (type: string): type is IdKind => type in idPrefixes;
const shownId = (type: string, id: string): string => (isKind(type) ? publicId(type, id) : id);

const present = ({ source_type, order_id, record_type, record_id, messages, ...row }: Row) => ({
  ...row,
  source_id: shownId(source_type, row.source_id),
  references: [
    ...(order_id === null ? [] : [order_id]),
    shownId(source_type, row.source_id),
    shownId(record_type, record_id),
    ...messages,
  ],
});

/**
 * The postings of the ledger on cash on a day: a posting takes from cash what comes to the bank. Unmatched money bears
 * the order of the record that the bank named, and the bank's own references of it.
 */
export async function readCash(
  { db }: Reader,
  tenants: readonly string[],
  of: string,
): Promise<CashPosting[]> {
  const { from, to } = day(of);
  const { rows } = await sql<Row>`
    select e.tenant_id, -e.delta as amount, e.source_type, e.source_id, e.step,
      coalesce(e.posted_at, e.created_at) as posted_at, i.id as order_id,
      coalesce(b.source_type, s.source_type, e.source_type::text) as record_type,
      coalesce(b.source_id, s.source_id, e.source_id) as record_id,
      array(select m.reference from bank_messages m where m.tenant_id = e.tenant_id
        and m.source_id = s.source_id and m.suspense_id = s.id and m.reference is not null
        union all select b.reference where b.reference is not null
        union all select i.provider_id where i.provider_id is not null
        union all select r.provider_id from received_money r where r.tenant_id = e.tenant_id
          and (r.id = s.source_id or (r.order_id = i.id and r.amount = abs(e.delta)))) as messages
    from entries e
      left join suspense s on s.tenant_id = e.tenant_id and s.id = e.source_id
      left join lateral (select s.source_type, s.source_id where e.step <> 'suspense_return_settled') o on true
      left join bank_messages b on b.tenant_id = e.tenant_id and b.id = coalesce(o.source_id, e.source_id)
      left join instructions i on i.tenant_id = e.tenant_id
        and i.source_type = coalesce(b.source_type, o.source_type, e.source_type::text)
        and i.source_id = coalesce(b.source_id, o.source_id, e.source_id)
    where e.tenant_id = any(${tenants}::uuid[]) and e.pocket = 'cash'
      and coalesce(e.posted_at, e.created_at) >= ${from}::timestamptz
      and coalesce(e.posted_at, e.created_at) < ${to}::timestamptz
    order by posted_at, e.id`.execute(db);
  return rows.map(present);
}

/** Cash in the ledger at the end of a day, in cents. */
export async function cashAtEnd(
  { db }: Reader,
  tenants: readonly string[],
  of: string,
): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(-sum(delta), 0)::bigint as cents from entries
    where tenant_id = any(${tenants}::uuid[]) and pocket = 'cash'
      and coalesce(posted_at, created_at) < ${day(of).to}::timestamptz`.execute(db);
  return rows[0]?.cents ?? 0;
}

/** The cents that customers had at the end of a day: what they have now, less what was posted since. */
export async function customersAtEnd(
  { db }: Reader,
  tenants: readonly string[],
  of: string,
): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select ((select coalesce(sum(available + pending_outgoing + earmarked), 0) from balances
        where tenant_id = any(${tenants}::uuid[]))
      - (select coalesce(sum(delta), 0) from entries
        where tenant_id = any(${tenants}::uuid[]) and transaction_type is not null
          and coalesce(posted_at, created_at) >= ${day(of).to}::timestamptz))::bigint as cents`.execute(
    db,
  );
  return rows[0]?.cents ?? 0;
}
