import { command } from '@tenant-payments/engine/command.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../database.ts';
import type { Aggregator } from '../../rails/aggregator.ts';
import { callFor } from '../../rails/call.ts';
import { accounts } from '../accounts/table.ts';
import { daySeconds, isLost } from './consent_end.ts';
import { openReference } from './numbers.ts';
import { type LinkedAccountRow, linkedAccounts } from './table.ts';

/** Whether a record still moves money by a link, or an open dispute may. */
async function isInUse(db: Kysely<Database>, tenantId: string, id: string): Promise<boolean> {
  const { rows } = await sql<{ in_use: boolean }>`
    with l as (select tenant_id, id, customer_id from linked_accounts
      where tenant_id = ${tenantId} and id = ${id})
    select exists (
      select from withdrawals x, l where x.tenant_id = l.tenant_id and x.customer_id = l.customer_id
        and x.linked_account_id = l.id and x.status in ('requires_confirmation', 'processing')
      union all
      select from loads x, l where x.tenant_id = l.tenant_id and x.customer_id = l.customer_id
        and x.linked_account_id = l.id and x.status in ('requires_confirmation', 'processing')
      union all
      select from payments x, l where x.tenant_id = l.tenant_id and x.payer_customer_id = l.customer_id
        and x.linked_account_id = l.id and x.status in ('requires_confirmation', 'processing')
      union all
      select from refunds x, l where x.tenant_id = l.tenant_id and x.payer_customer_id = l.customer_id
        and x.linked_account_id = l.id and x.status in ('requested', 'pending_funds', 'processing')
      union all
      select from disputes x, l where x.tenant_id = l.tenant_id and x.customer_id = l.customer_id
        and (x.status <> 'closed' or x.credit_link_id = l.id and x.credit_route = 'sent')
      union all
      select from suspense x, l where x.tenant_id = l.tenant_id and x.linked_account_id = l.id
        and (x.status = 'held' or exists (select from instructions i where i.tenant_id = l.tenant_id
          and i.source_type = 'adjustment' and i.source_id = x.id and i.answer is null))
    ) as in_use`.execute(db);
  return rows[0]?.in_use ?? false;
}

interface Needs {
  readonly db: Kysely<Database>;
  readonly vault: Vault;
  readonly aggregator: Pick<Aggregator, 'remove'>;
}

/**
 * The aggregator's reference of a link; null: it is not needed any more, or the customer has an active link or a later
 * one to the same account, with which its consent ends (rules/linking#30).
 */
async function referenceOf({ db, vault }: Needs, tenantId: string, id: string) {
  const { rows } = await sql<ReferenceRow>`
    select x.id, x.customer_id, x.status, x.reference_sealed from linked_accounts l
    join linked_accounts x on x.tenant_id = l.tenant_id and x.customer_id = l.customer_id
    where l.tenant_id = ${tenantId} and l.id = ${id} and x.reference_sealed is not null
    order by x.created_at, x.id`.execute(db);
  const own = rows.findIndex((row) => row.id === id);
  const [link] = rows.slice(own, own + 1);
  if (own < 0 || !link) return null;
  const reference = openReference(vault, tenantId, link);
  const isHeld = rows.some(
    (row, index) =>
      (index > own || (index < own && !isLost(row))) &&
      openReference(vault, tenantId, row) === reference,
  );
  return isHeld ? null : reference;
}
type ReferenceRow = Pick<LinkedAccountRow, 'id' | 'customer_id' | 'status' | 'reference_sealed'>;

/**
 * Job `link_consent`: looks each day whether anything may still be paid to a link that has ended; when nothing may, it
 * has the aggregator withdraw the consent, and forgets the numbers and the reference.
 */
export const linkConsentJob = (needs: Needs) =>
  command('link_consent', {
    prepare: async ({ ref }: { ref: string }, { tenantId }) => ({
      inUse: await isInUse(needs.db, tenantId, ref),
      isWithdrawn: false,
    }),
    load: async (read, { ref }) => {
      const link = await read.one(linkedAccounts, ref);
      const { customer_id } = link;
      return { link, account: await read.by(accounts, 'customer', { customer_id }) };
    },
    decide: (work, { link, account }, { ref }, { inUse, isWithdrawn }) => {
      const hasEnded = isLost(link) || account?.status === 'closed';
      if (hasEnded && inUse) {
        work.scheduleJob('link_consent', ref, addSeconds(work.now, daySeconds));
        return { value: null };
      }
      const withdraws = hasEnded && link.reference_sealed !== null && needs.aggregator.remove;
      if (withdraws && !isWithdrawn) return { ask: 'now' };
      if (hasEnded)
        work.change(link, {
          numbers_sealed: null,
          ...(isWithdrawn ? { reference_sealed: null, consent_ended_at: work.now } : {}),
        });
      work.cancelJob('link_consent', ref);
      return { value: null };
    },
    ask: async ({ ref }, { tenantId, actor }) => {
      const reference = await referenceOf(needs, tenantId, ref);
      if (reference !== null) await needs.aggregator.remove?.(reference, callFor(actor));
      // A link that began meanwhile keeps its reference, and the aggregator is told again.
      return { inUse: await isInUse(needs.db, tenantId, ref), isWithdrawn: true };
    },
  });
