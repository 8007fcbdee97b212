import { idPrefixes } from '@tenant-payments/contract/core/ids.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { type RawBuilder, sql } from 'kysely';
import type { CaseFile } from '../contract/operate/desk.ts';
import { nameOf } from './notes.ts';
import { type CasePath, sources } from './sources.ts';

type Decision = CaseFile['decisions'][number];
type Reader = Pick<ReadContext, 'tenantId' | 'db'>;
type Row = Omit<Decision, 'by'> & { readonly operator: string; readonly name: string | null };

const shown = ({ operator, name, ...rest }: Row): Decision => ({
  ...rest,
  by: nameOf(operator, name),
});

const columns = sql`r.resource, r.record_id as id, r.move, r.operator, p.name, r.note, r.amount,
  r.failure_code, r.created_at as at`;
const named = sql`left join control.people p on r.operator = 'person ' || p.id`;

/** The decision on a request for a second person; its record has decisions of its own. */
async function ofApproval({ tenantId, db }: Reader, id: string): Promise<Decision[]> {
  const { rows } = await sql<Row>`select 'approvals' as resource, '' as id,
      case a.status when 'approved' then 'approve' else 'refuse' end as move,
      a.decider as operator, p.name, a.decision_note as note, a.amount, null as failure_code,
      a.decided_at as at
    from approvals a left join control.people p on a.decider = 'person ' || p.id
    where a.tenant_id = ${tenantId} and a.id = ${id} and a.decider is not null`.execute(db);
  return rows.map(shown);
}

/** The decisions of a record, oldest first. @param shownId as the path names it */
export async function decisionsOf(
  reader: Reader,
  { resource, id }: CasePath,
  shownId: string,
): Promise<Decision[]> {
  if (resource === 'approvals')
    return (await ofApproval(reader, id)).map((one) => ({ ...one, id: shownId }));
  const { rows } = await sql<Row>`select ${columns} from reviews r ${named}
    where r.tenant_id = ${reader.tenantId} and r.resource = ${resource}
      and r.record_id = ${shownId}
    order by r.created_at, r.id`.execute(reader.db);
  return rows.map(shown);
}

const maximumEarlier = 50;

/** The records of one customer that reviewers decide on: SQL of the records, by the resource of their moves. */
export const recordsOf = (customer: string): Readonly<Record<string, RawBuilder<unknown>>> => ({
  customers: sql`customers t where t.id = ${customer}`,
  owners: sql`owners t where t.customer_id = ${customer}`,
  'linked-accounts': sql`linked_accounts t where t.customer_id = ${customer}`,
  accounts: sql`accounts t where t.customer_id = ${customer}`,
  disputes: sql`disputes t where t.customer_id = ${customer}`,
  suspense: sql`accounts a join suspense t on t.tenant_id = a.tenant_id and t.account_id = a.id
    where a.customer_id = ${customer}`,
});

/** The decisions of a customer's other records, newest first. */
export async function earlierOf(
  { tenantId, db }: Reader,
  { resource, id }: CasePath,
  customer: string | null,
): Promise<Decision[]> {
  if (customer === null) return [];
  const records = Object.entries(recordsOf(customer)).map(([name, from]) => {
    const { kind } = sources[name as keyof typeof sources];
    return sql`select ${name} as resource, ${`${idPrefixes[kind]}_`} || replace(t.id::text, '-', '')
        as record_id
      from ${from} and t.tenant_id = ${tenantId} and (${name} <> ${resource} or t.id <> ${id})`;
  });
  const { rows } = await sql<Row>`
    with theirs as (${sql.join(records, sql` union all `)})
    select ${columns} from theirs join reviews r on r.tenant_id = ${tenantId}
      and r.resource = theirs.resource and r.record_id = theirs.record_id ${named}
    order by r.created_at desc, r.id desc limit ${maximumEarlier}`.execute(db);
  return rows.map(shown);
}
