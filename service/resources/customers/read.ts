import type { QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type {
  Customer,
  listCustomers as contract,
} from '@tenant-payments/contract/resources/customers.ts';
import type { DocumentAcceptance } from '@tenant-payments/contract/resources/documents.ts';
import type { Owner } from '@tenant-payments/contract/resources/owners.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import { columnsAs, shown } from '@tenant-payments/engine/table.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '../../read_context.ts';
import { listRecords } from '../found_page.ts';
import { getRecord } from '../get_record.ts';
import { type DocumentRow, documents } from './documents/table.ts';
import { owners } from './owners/table.ts';
import { customers } from './table.ts';

const listOfCustomers = listRecords({
  table: customers,
  references: { external_ref: 'external_ref' },
});

/**
 * GET /v1/customers: the customer with this external_ref, or an empty list; by anything else a list of all.
 * @throws ApiError parameter_missing where nothing is given (rules/reads#5)
 */
export async function listCustomers(
  context: ReadContext,
  query: QueryOf<typeof contract>,
): Promise<Page<Customer>> {
  if (Object.keys(query).length > 0) return listOfCustomers(context, query);
  throw fail('parameter_missing', {
    param: 'external_ref',
    message: 'external_ref is missing; to list all customers give limit, status, from or to',
  });
}

/** GET /v1/customers/{id}. @throws ApiError not_found */
export const getCustomer = getRecord(customers, 'customer');

/** GET /v1/customers/{id}/owners. @throws ApiError not_found; invalid_state for an individual */
export async function listOwners(
  context: ReadContext,
  input: { id: string },
): Promise<Page<Owner>> {
  const rows = await context.db
    .selectFrom('customers as c')
    .leftJoin('owners as o', (join) =>
      join.onRef('o.tenant_id', '=', 'c.tenant_id').onRef('o.customer_id', '=', 'c.id'),
    )
    .where('c.tenant_id', '=', context.tenantId)
    .where('c.id', '=', uuidOf('customer', input.id))
    .select(['c.type', 'c.status as customer_status'])
    .select(columnsAs(owners, 'o'))
    .orderBy('o.created_at', 'desc')
    .orderBy('o.id', 'desc')
    .execute();
  const [first] = rows;
  if (!first) throw fail('not_found');
  if (first.type === 'individual')
    throw fail('invalid_state', {
      details: { current_status: first.customer_status, allowed: [], reason: 'individual' },
    });
  return wholeList(rows.filter((row) => row.id !== null).map((row) => shown(owners, row)));
}

/**
 * GET /v1/customers/{id}/documents: what is accepted or to be accepted (rules/documents#7).
 * @throws ApiError not_found
 */
export async function listDocuments(
  context: ReadContext,
  { id }: { id: string },
): Promise<Page<DocumentAcceptance>> {
  const rows = await readDocumentsOf(context, { id });
  return wholeList(rows.map((row) => shown(documents, row)));
}

/** A row of a customer's document, with what the customer is now. */
export interface HeldDocument extends DocumentRow {
  readonly paper_since: Instant | null;
}

/**
 * A customer's documents, newest first; on request with the superseded ones.
 * @throws ApiError not_found
 */
export async function readDocumentsOf(
  context: ReadContext,
  input: { id: string; include?: 'superseded' },
): Promise<HeldDocument[]> {
  const statuses = ['accepted', 'pending_acceptance', input.include ?? 'accepted'] as const;
  const rows = await context.db
    .selectFrom('customers as c')
    .leftJoin('documents as d', (join) =>
      join
        .onRef('d.tenant_id', '=', 'c.tenant_id')
        .onRef('d.customer_id', '=', 'c.id')
        .on('d.status', 'in', statuses),
    )
    .where('c.tenant_id', '=', context.tenantId)
    .where('c.id', '=', uuidOf('customer', input.id))
    .select(columnsAs(documents, 'd'))
    .select('c.paper_since')
    .orderBy('d.created_at', 'desc')
    .orderBy('d.id', 'desc')
    .execute();
  if (rows.length === 0) throw fail('not_found');
  return rows.filter((row) => row.id !== null) as HeldDocument[];
}
