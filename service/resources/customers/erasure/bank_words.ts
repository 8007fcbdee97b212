import { sql } from 'kysely';

/** Rows that hold what other banks have said of a customer's money, in words of people (rules/retention#10). */

/** The customer's records at a bank. A payment by bank is its payer's: the payer's bank speaks of it. */
const recordsOf = (id: string, tenantId: string) => sql`(
  select 'load' as source_type, id from loads where tenant_id = ${tenantId} and customer_id = ${id}
  union all select 'withdrawal', id from withdrawals where tenant_id = ${tenantId} and customer_id = ${id}
  union all select 'payment', id from payments where tenant_id = ${tenantId} and payer_customer_id = ${id}
  union all select 'refund', id from refunds where tenant_id = ${tenantId} and payer_customer_id = ${id})`;

const ordersOf = (id: string, tenantId: string) => sql`(
  select i.id from ${recordsOf(id, tenantId)} r
  join instructions i on i.tenant_id = ${tenantId} and i.source_type = r.source_type and i.source_id = r.id)`;

export const accountsOf = (id: string, tenantId: string) =>
  sql`(select id from accounts where tenant_id = ${tenantId} and customer_id = ${id})`;

/** Orders that were refused with words. */
export const refusedOf = (id: string, tenantId: string) =>
  sql`(said_text is not null and id in ${ordersOf(id, tenantId)})`;

/** Messages with words. */
export const messagesOf = (id: string, tenantId: string) =>
  sql`(said_text is not null and source_id in (select r.id from ${recordsOf(id, tenantId)} r))`;

/** Money that came by the customer's orders, was for the account, or is on it by a reviewer's match. */
export const receivedOf = (id: string, tenantId: string) => sql`(
  order_id in ${ordersOf(id, tenantId)} or id in (
    select source_id from suspense where tenant_id = ${tenantId} and account_id in ${accountsOf(id, tenantId)}
    union all select s.source_id from entries e join suspense s on s.tenant_id = e.tenant_id and s.id = e.source_id
      where e.tenant_id = ${tenantId} and e.source_type = 'adjustment'
        and e.account_id in ${accountsOf(id, tenantId)}))`;

/** Requests to give such money back, once they are answered. */
export const requestsOf = (id: string, tenantId: string) => sql`(status <> 'open' and (
  order_id in ${ordersOf(id, tenantId)} or account_id in ${accountsOf(id, tenantId)}))`;
