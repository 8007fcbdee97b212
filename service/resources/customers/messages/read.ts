import { publicId, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { defaultLimit } from '@tenant-payments/contract/core/page.ts';
import type { MessageState } from '@tenant-payments/contract/resources/messages.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Page } from '@tenant-payments/engine/pages.ts';
import { columnList } from '@tenant-payments/engine/table.ts';
import { sql } from 'kysely';
import type { ReadContext } from '../../../read_context.ts';
import { type CustomerMessageRow, customerMessages } from './table.ts';

const stateOf = ({ status }: CustomerMessageRow): MessageState => {
  if (status === 'waiting') return 'queued';
  return status === 'given_up' ? 'undeliverable' : status;
};

/** A message as people see it: never its code or link, which stand nowhere. */
const messageView = (row: CustomerMessageRow) => ({
  object: 'customer_message' as const,
  id: row.id,
  customer_id: publicId('customer', row.customer_id),
  template: row.kind,
  channel: row.channel,
  to: row.masked,
  locale: row.locale,
  state: stateOf(row),
  reason: row.status === 'given_up' ? 'not_taken' : row.reason,
  created_at: row.created_at,
  sent_at: row.sent_at,
  ended_at: row.ended_at,
});

/**
 * GET /portal/api/customers/{id}/messages, newest first (rules/messages#8).
 * @throws ApiError not_found; parameter_invalid for a cursor of another list
 */
export async function listCustomerMessages(
  { db, tenantId, pages }: ReadContext,
  { id, limit = defaultLimit, cursor }: { id: string; limit?: number; cursor?: string },
): Promise<Page<object>> {
  const at = pages.after(cursor);
  const customerId = uuidOf('customer', id);
  const { rows: known } = await sql`
    select from customers where tenant_id = ${tenantId} and id = ${customerId}`.execute(db);
  if (known.length === 0) throw fail('not_found', { param: 'id' });
  const behind = at
    ? sql`and (created_at, id) < (${at.created_at}::timestamptz, ${at.id}::uuid)`
    : sql``;
  const { rows } = await sql<CustomerMessageRow>`
    select ${sql.raw(columnList(customerMessages))} from customer_messages
    where tenant_id = ${tenantId} and customer_id = ${customerId} ${behind}
    order by created_at desc, id desc limit ${limit + 1}`.execute(db);
  return pages.page(rows, limit, messageView);
}
