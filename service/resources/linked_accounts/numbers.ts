import { command } from '@tenant-payments/engine/command.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../database.ts';
import type { Aggregator } from '../../rails/aggregator.ts';
import { referenceSeal } from '../../rails/instructions.ts';
import type { AccountRef } from '../../rails/party.ts';
import { isRoutingNumber } from '../own_bank_accounts/moves.ts';
import { isLost, scheduleConsentEnd } from './consent_end.ts';
import { type LinkedAccountRow, linkedAccounts } from './table.ts';

/** The purpose that a bank account's numbers are sealed for: they are bound to their link. */
export const numbersSeal = (linkId: string): string => `numbers ${linkId}`;

/** The part of a link that says which account it is. */
export type NumberedLink = Pick<
  LinkedAccountRow,
  'id' | 'customer_id' | 'reference_sealed' | 'numbers_sealed' | 'numbers_changed_at'
>;

interface Needs {
  readonly vault: Vault;
  readonly aggregator?: Pick<Aggregator, 'numbers'>;
}

/** Numbers that were asked for, sealed, and of which time they are. */
export interface AskedNumbers {
  readonly linkId: string;
  readonly sealed: string;
  readonly changedAt: LinkedAccountRow['numbers_changed_at'];
}

/** The aggregator's reference of an account. */
export function openReference(
  vault: Pick<Vault, 'open'>,
  tenantId: string,
  { customer_id, reference_sealed }: Pick<NumberedLink, 'customer_id' | 'reference_sealed'>,
): string {
  assert(reference_sealed !== null, 'a link in use has its reference');
  return String(vault.open(tenantId, referenceSeal(customer_id), reference_sealed));
}

/** @throws where they can be no account's: an order with them would reach nobody, or another. The error names none. */
function checkedNumbers({ routing, account, type, tokenized }: AccountRef): AccountRef {
  const isRight =
    isRoutingNumber(String(routing)) &&
    /^[0-9A-Za-z]{1,17}$/.test(String(account)) &&
    (type === 'checking' || type === 'savings');
  assert(isRight, 'aggregator.numbers gave no routing and account number');
  return { routing, account, type, tokenized: tokenized === true };
}

/**
 * The numbers of an account: as they are kept, or as the aggregator gives them now.
 * @returns null where it gives none; `asked` is to be kept by `keepNumbers`
 */
export async function numbersOf(
  { vault, aggregator }: Needs,
  tenantId: string,
  link: NumberedLink,
): Promise<{ readonly account: AccountRef | null; readonly asked: AskedNumbers | null }> {
  const { id: linkId, numbers_sealed: kept, numbers_changed_at: changedAt } = link;
  const purpose = numbersSeal(linkId);
  if (kept !== null)
    return { account: vault.open(tenantId, purpose, kept) as AccountRef, asked: null };
  const given = await aggregator?.numbers?.(openReference(vault, tenantId, link));
  if (!given) return { account: null, asked: null };
  const account = checkedNumbers(given);
  return { account, asked: { linkId, sealed: vault.seal(tenantId, purpose, account), changedAt } };
}

/** Keeps numbers that were asked for, unless the link has got others or lost its own meanwhile. */
export function keepNumbers(work: Work, link: LinkedAccountRow, asked: AskedNumbers): void {
  const isOfNow = link.numbers_changed_at === asked.changedAt && link.reference_sealed !== null;
  if (!isOfNow || link.numbers_sealed !== null) return;
  work.change(link, { numbers_sealed: asked.sealed });
  // It ended while they were asked for.
  if (isLost(link)) scheduleConsentEnd(work, link);
}

interface Context extends Needs {
  readonly db: Kysely<Database>;
}

/** Job `link_numbers`: asks for the numbers of a link once, and again after they have changed. */
export const linkNumbersJob = ({ db, ...needs }: Context) =>
  command('link_numbers', {
    prepare: async ({ ref }: { ref: string }, { tenantId }) => {
      const link = await db
        .selectFrom('linked_accounts')
        .where('tenant_id', '=', tenantId)
        .where('id', '=', ref)
        .where('reference_sealed', 'is not', null)
        .where('numbers_sealed', 'is', null)
        .select(['id', 'customer_id', 'reference_sealed', 'numbers_sealed', 'numbers_changed_at'])
        .executeTakeFirst();
      if (!link) return null;
      const { asked } = await numbersOf(needs, tenantId, link);
      return { asked, changedAt: link.numbers_changed_at };
    },
    load: (read, { ref }) => read.one(linkedAccounts, ref),
    decide: (work, link, { ref }, prepared) => {
      if (prepared?.asked) keepNumbers(work, link, prepared.asked);
      const hasChanged = prepared !== null && link.numbers_changed_at !== prepared.changedAt;
      if (hasChanged) work.scheduleJob('link_numbers', ref, work.now);
      else work.cancelJob('link_numbers', ref);
      return { value: null };
    },
  });
