import { idPrefixes, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import { columnList } from '@tenant-payments/engine/table.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { type RawBuilder, sql } from 'kysely';
import { type CustomerCase, maximumCases } from '../contract/operate/customer_cases.ts';
import { recordsOf } from './decisions.ts';
import { sources } from './sources.ts';

/** The amounts of the resources that have one. */
const amounts: Readonly<Record<string, RawBuilder<unknown>>> = {
  disputes: sql`t.disputed_cents`,
  suspense: sql`t.amount`,
};

/** The records of one resource that wait, were decided, or are cases from their first day. */
function casesOf(name: string, from: RawBuilder<unknown>, tenantId: string): RawBuilder<unknown> {
  const { kind, since, statuses, table } = sources[name as keyof typeof sources];
  const shownId = sql`${`${idPrefixes[kind]}_`} || replace(t.id::text, '-', '')`;
  return sql`select ${name} as resource, ${shownId} as id, t.status::text as status,
      ${amounts[name] ?? sql`null`}::bigint as amount,
      case when t.status::text = any(${statuses}) then ${sql.ref(`t.${since}`)} end as waiting_since,
      r.move as last_move, r.created_at as last_moved_at, ${sql.ref(`t.${since}`)} as since, t.id as place
    from (select ${sql.raw(columnList(table, 't'))} from ${from} and t.tenant_id = ${tenantId}) t
      left join lateral (select move, created_at from reviews
        where tenant_id = ${tenantId} and resource = ${name} and record_id = ${shownId}
        order by created_at desc, id desc limit 1) r on true`;
}

/**
 * GET /portal/api/customers/{id}/cases (rules/review#37).
 * @throws ApiError not_found
 */
export async function listCustomerCases(
  { db, tenantId }: ReadContext,
  { id }: { readonly id: string },
): Promise<Page<CustomerCase>> {
  const customer = uuidOf('customer', id);
  const { rows: known } = await sql`
    select from customers where tenant_id = ${tenantId} and id = ${customer}`.execute(db);
  if (customer === null || known.length === 0) throw fail('not_found', { param: 'id' });
  const all = Object.entries(recordsOf(customer)).map(([name, from]) =>
    casesOf(name, from, tenantId),
  );
  const { rows } = await sql<Omit<CustomerCase, 'object'>>`
    select resource, id, status, amount, waiting_since, last_move, last_moved_at
    from (${sql.join(all, sql` union all `)}) c
    where waiting_since is not null or last_move is not null or resource = 'disputes'
    order by waiting_since is null, coalesce(last_moved_at, since) desc, place desc
    limit ${maximumCases}`.execute(db);
  return wholeList(rows.map((row) => ({ object: 'customer_case', ...row })));
}
