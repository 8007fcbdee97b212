import { type Kysely, sql } from 'kysely';
import type { Database } from '../../database.ts';
import type { IdentityRecordRow } from './table.ts';

export type SamePerson = Pick<IdentityRecordRow, 'id' | 'subject' | 'customer_id'>;

/** The most people that are shown. */
const mostShown = 20;

/**
 * Other customers and owners with the tax number of this one, latest first (rules/identity#7). An owner of several
 * businesses is no suspicion by itself: whoever reviews the case decides.
 */
export async function readSamePerson(
  db: Kysely<Database>,
  tenantId: string,
  id: string,
): Promise<readonly SamePerson[]> {
  const { rows } = await sql<SamePerson>`
    select o.id, o.subject, o.customer_id from identity_records r
    join identity_records o on o.tenant_id = r.tenant_id and o.tax_hash = r.tax_hash and o.id <> r.id
    where r.tenant_id = ${tenantId} and r.id = ${id}
    order by o.collected_at desc, o.id limit ${mostShown}`.execute(db);
  return rows;
}
