import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { publicId, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { createLoad as contract } from '@tenant-payments/contract/resources/loads.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { assert, fail } from '@tenant-payments/engine/fail.ts';
import { type BalanceRow, balances } from '@tenant-payments/engine/ledger.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { orderIdOfCall } from '../../rails/order_id.ts';
import { assertPermitted } from '../../rails/request_uses.ts';
import { assertAccountStatus, assertVerified, type Holder } from '../accounts/holder.ts';
import { accounts } from '../accounts/table.ts';
import { customers } from '../customers/table.ts';
import type { Counters } from '../limits/counters.ts';
import { type CountedIn, countLoad, loadLimitsOfNewLoad } from '../limits/load_limits.ts';
import { type LinkedAccountRow, linkedAccounts, verifiedLink } from '../linked_accounts/table.ts';
import { storedMetadata } from '../metadata.ts';
import { onceOf, openSession } from '../sessions/open.ts';
import { loads } from './table.ts';

type Input = BodyOf<typeof contract>;

/**
 * The link that the money comes from.
 * @throws ApiError linked_account_required, capability_unavailable
 */
function assertLoadable(links: readonly LinkedAccountRow[]): LinkedAccountRow {
  const link = verifiedLink(links);
  if (!link.can_load)
    throw fail('capability_unavailable', {
      details: { capability: 'load', linked_account_id: publicId('linked_account', link.id) },
    });
  return link;
}

function countAgainstLimits(
  work: Work,
  { customer, account }: Holder,
  loaded: { readonly balance: BalanceRow | null; readonly counters: Counters | null },
  amount: number,
): CountedIn {
  const { balance, counters } = loaded;
  assert(balance !== null && counters !== null, 'an account has its balance and was read with it');
  return countLoad(work, counters, {
    customer,
    openedAt: account.opened_at,
    ledgerCents: balance.available + balance.pending_outgoing + balance.earmarked,
    amount,
  });
}

/** POST /v1/loads: 201, requires_confirmation, counted against the customer's limits. */
export const createLoad = command('create_load', {
  load: async (read, input: Input) => {
    const customer = await read.maybe(customers, uuidOf('customer', input.customer_id));
    const [account, balance, links, orderId] = await Promise.all([
      read.maybe(accounts, customer?.account_id ?? null),
      read.maybe(balances, customer?.account_id ?? null),
      customer ? read.set(linkedAccounts, 'customer_id', customer.id) : [],
      orderIdOfCall(read, loads),
    ]);
    const counters = account && (await loadLimitsOfNewLoad(read, account));
    return { customer, account, balance, links, counters, orderId };
  },
  decide: (work, loaded, { amount, metadata }) => {
    const { flows, request_uses } = work.tenant.settings;
    if (!flows.loads) throw fail('flow_not_enabled', { details: { flow: 'loads' } });
    assertPermitted(request_uses, 'account_to_account', 'loads');
    const holder = assertVerified(loaded.customer, loaded.account);
    assertAccountStatus(holder.account, ['active', 'dormant']);
    const link = assertLoadable(loaded.links);
    const counted = countAgainstLimits(work, holder, loaded, amount);
    const id = work.newId();
    const opened = openSession(work, {
      flow: 'payment_confirm',
      customerId: holder.customer.id,
      target: { type: 'load', id },
      returnUrl: null,
    });
    const record = work.create(
      loads,
      {
        id,
        customer_id: holder.customer.id,
        account_id: holder.account.id,
        linked_account_id: link.id,
        amount,
        failure_code: null,
        network_reason_code: null,
        session_id: opened.row.id,
        ...counted,
        bank_order_id: loaded.orderId,
        metadata: storedMetadata(metadata),
        created_at: work.now,
        confirmed_at: null,
        settled_at: null,
      },
      'create',
    );
    return { record, once: onceOf('confirmation_session', opened) };
  },
});
