import type { View } from '@tenant-payments/contract/hosted/view.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../../database.ts';
import type { CustomerRow } from '../../../resources/customers/table.ts';
import { givenOf, wantedOf } from '../../../resources/identity/documents.ts';

/** Papers that the identity check wants of the customer, and those that were given. */
export async function identityDocumentsOf(
  { db, tenantId }: { readonly db: Kysely<Database>; readonly tenantId: string },
  customer: CustomerRow,
): Promise<NonNullable<View['onboarding']>['identity_documents']> {
  const [record, documents] = await Promise.all([
    db
      .selectFrom('identity_records')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', customer.id)
      .select(['asked', 'asked_at'])
      .executeTakeFirst(),
    db
      .selectFrom('identity_documents')
      .where('tenant_id', '=', tenantId)
      .where('record_id', '=', customer.id)
      .select(['kind', 'received_at'])
      .execute(),
  ]);
  return {
    wanted: [...wantedOf(customer, record ?? null)],
    given: [...givenOf(customer, record ?? null, documents)],
  };
}
