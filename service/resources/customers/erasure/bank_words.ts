import { sql } from 'kysely';

/** Rows of what other banks have said of a customer's money, in words of people. */

/** The orders of a customer's records. A payment by bank is its payer's: the payer's bank speaks of it. */
const ordersOf = (id: string, tenantId: string) => sql`(
  select i.id from (
    select 'load' as source_type, id from loads where tenant_id = ${tenantId} and customer_id = ${id}
    union all select 'withdrawal', id from withdrawals where tenant_id = ${tenantId} and customer_id = ${id}
    union all select 'payment', id from payments where tenant_id = ${tenantId} and payer_customer_id = ${id}
    union all select 'refund', id from refunds where tenant_id = ${tenantId} and payer_customer_id = ${id}
  ) r join instructions i on i.tenant_id = ${tenantId} and i.source_type = r.source_type and i.source_id = r.id)`;

/** The customer's accounts. */
export const accountsOf = (id: string, tenantId: string) =>
  sql`(select id from accounts where tenant_id = ${tenantId} and customer_id = ${id})`;

/** Money that came by the customer's orders, was for the account, or is on it by a reviewer's match. */
export const receivedOf = (id: string, tenantId: string) => sql`(
  order_id in ${ordersOf(id, tenantId)} or id in (
    select source_id from suspense where tenant_id = ${tenantId} and account_id in ${accountsOf(id, tenantId)}
    union all select s.source_id from entries e join suspense s on s.tenant_id = e.tenant_id and s.id = e.source_id
      where e.tenant_id = ${tenantId} and e.source_type = 'adjustment'
        and e.account_id in ${accountsOf(id, tenantId)}))`;

/** Requests of other banks to give such money back, once they are answered. */
export const requestsOf = (id: string, tenantId: string) => sql`(status <> 'open' and (
  order_id in ${ordersOf(id, tenantId)} or account_id in ${accountsOf(id, tenantId)}))`;
