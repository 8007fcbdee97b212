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

/** Whether a record still moves money by one of these links, or an open dispute may. */
async function isInUse(
  db: Kysely<Database>,
  tenantId: string,
  ids: readonly string[],
): Promise<boolean> {
  const { rows } = await sql<{ in_use: boolean }>`
    with l as (select tenant_id, id, customer_id from linked_accounts
      where tenant_id = ${tenantId} and id = any(${ids}::uuid[]))
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
        and x.status = 'held'
      union all
      select from instructions x, l where x.tenant_id = l.tenant_id and x.source_type = 'adjustment'
        and x.answer is null and x.linked_account_id = l.id
    ) as in_use`.execute(db);
  return rows[0]?.in_use ?? false;
}

interface Needs {
  readonly db: Kysely<Database>;
  readonly vault: Vault;
  readonly aggregator: Pick<Aggregator, 'remove'>;
}

/** A consent, and the customer's links by which it was given: several where an account was linked again. */
interface Consent {
  /** The aggregator's reference; null: it is erased. */
  readonly reference: string | null;
  readonly linkIds: readonly string[];
  /** No other link by it ends later (rules/linking#30). */
  readonly isLast: boolean;
}

/** Reads the consent of a link. The others end as their jobs are due; one without a job has not ended. */
async function consentOf({ db, vault }: Needs, tenantId: string, id: string): Promise<Consent> {
  const { rows } = await sql<ReferenceRow>`
    select x.id, x.customer_id, x.reference_sealed from linked_accounts l
    join linked_accounts x on x.tenant_id = l.tenant_id and x.customer_id = l.customer_id
    left join jobs j on j.tenant_id = x.tenant_id and j.name = 'link_consent' and j.ref = x.id
    where l.tenant_id = ${tenantId} and l.id = ${id} and x.reference_sealed is not null
    order by j.due_at nulls last, x.created_at, x.id`.execute(db);
  const own = rows.find((row) => row.id === id);
  if (!own) return { reference: null, linkIds: [id], isLast: true };
  const reference = openReference(vault, tenantId, own);
  const same = rows.filter((row) => openReference(vault, tenantId, row) === reference);
  return { reference, linkIds: same.map((row) => row.id), isLast: same.at(-1) === own };
}
type ReferenceRow = Pick<LinkedAccountRow, 'id' | 'customer_id' | 'reference_sealed'>;

/** Whether anything may still be paid by the consent of a link. */
async function isOpen(needs: Needs, tenantId: string, id: string): Promise<boolean> {
  const { linkIds } = await consentOf(needs, tenantId, id);
  return isInUse(needs.db, tenantId, linkIds);
}

/**
 * Job `link_consent`: looks each day whether anything may still be paid to a link that has ended, or to another link of
 * the same account; when nothing may, it has the aggregator withdraw the consent, unless another link ends later, and
 * forgets the numbers and the reference.
 */
export const linkConsentJob = (needs: Needs) =>
  command('link_consent', {
    prepare: async ({ ref }: { ref: string }, { tenantId }) => ({
      inUse: await isOpen(needs, tenantId, ref),
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
      const { reference, isLast } = await consentOf(needs, tenantId, ref);
      if (reference !== null && isLast) await needs.aggregator.remove?.(reference, callFor(actor));
      // A link that began meanwhile keeps its reference, and the aggregator is told again.
      return { inUse: await isOpen(needs, tenantId, ref), isWithdrawn: true };
    },
  });
