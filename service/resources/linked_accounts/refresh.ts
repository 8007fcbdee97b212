import { command } from '@tenant-payments/engine/command.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../database.ts';
import type { Aggregator, Offers } from '../../rails/aggregator.ts';
import { accounts } from '../accounts/table.ts';
import { scheduleRefundsAndClosing } from '../accounts/waiting_jobs.ts';
import { openReference } from './numbers.ts';
import { isOptedOut } from './opt_out.ts';
import { activeStatuses, type LinkedAccountRow, linkedAccounts } from './table.ts';

const daySeconds = 86_400;
/** A bank that offers all seldom leaves a network, one that lacks something may join any day. */
const daysBetween = { whole: 30, lacking: 1 } as const;

/** Looks again at what a bank offers (rules/linking#35). */
export function scheduleRefresh(
  work: Work,
  { id }: Pick<LinkedAccountRow, 'id'>,
  { withdrawal, load }: Offers,
): void {
  const days = daysBetween[withdrawal && load ? 'whole' : 'lacking'];
  work.scheduleJob('link_refresh', id, addSeconds(work.now, days * daySeconds));
}

interface Needs {
  readonly db: Kysely<Database>;
  readonly vault: Vault;
  readonly aggregator: Pick<Aggregator, 'refresh'>;
}

/** The kinds of transfer that the bank of an active link offers now; null: nobody says. */
async function offersOf({ db, vault, aggregator }: Needs, tenantId: string, id: string) {
  const link = await db
    .selectFrom('linked_accounts')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('status', 'in', activeStatuses)
    .where('reference_sealed', 'is not', null)
    .select(['customer_id', 'reference_sealed'])
    .executeTakeFirst();
  return (link && (await aggregator.refresh?.(openReference(vault, tenantId, link)))) ?? null;
}

/** A bank that takes nothing any more may again tomorrow: the link stays, without capabilities. */
function take(work: Work, link: LinkedAccountRow, offers: Offers): void {
  const { withdrawal } = offers;
  // Whether the bank takes requests is looked at again once the customer does.
  const load = isOptedOut(link) ? link.offered_load : offers.load;
  if (link.offered_withdraw === withdrawal && link.offered_load === load) return;
  const offered = { offered_withdraw: withdrawal, offered_load: load };
  if (link.status === 'verified')
    work.move(link, 'refresh', {
      set: {
        ...offered,
        can_withdraw: withdrawal,
        ...(!isOptedOut(link) && { can_load: load, can_pay_by_bank: load }),
      },
    });
  else work.change(link, offered);
}

/** Job `link_refresh`: takes what the bank of an active link offers now. */
export const linkRefreshJob = (needs: Needs) =>
  command('link_refresh', {
    prepare: ({ ref }: { ref: string }, { tenantId }) => offersOf(needs, tenantId, ref),
    load: async (read, { ref }) => {
      const link = await read.one(linkedAccounts, ref);
      const { customer_id } = link;
      return { link, account: await read.by(accounts, 'customer', { customer_id }) };
    },
    decide: (work, { link, account }, { ref }, offers) => {
      const isActive = activeStatuses.some((status) => status === link.status);
      const couldWithdraw = link.can_withdraw;
      if (isActive && offers) take(work, link, offers);
      // The payout of a closing account waits for a bank that takes it.
      if (account && link.can_withdraw && !couldWithdraw) scheduleRefundsAndClosing(work, account);
      const { offered_withdraw: withdrawal, offered_load: load } = link;
      if (isActive && needs.aggregator.refresh) scheduleRefresh(work, link, { withdrawal, load });
      else work.cancelJob('link_refresh', ref);
      return { value: null };
    },
  });
