import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { createWithdrawal as contract } from '@tenant-payments/contract/resources/withdrawals.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { balances } from '@tenant-payments/engine/ledger.ts';
import { orderIdOfCall } from '../../rails/order_id.ts';
import { assertAccountStatus, assertVerified } from '../accounts/holder.ts';
import { accounts } from '../accounts/table.ts';
import { assertTermsAccepted } from '../customers/documents/terms.ts';
import { customers } from '../customers/table.ts';
import { assertNetworkMaximum } from '../limits/counters.ts';
import { withdrawalLimits } from '../limits/daily_limits.ts';
import { assertPayoutFits, countPayout, loadPayoutSums } from '../limits/payouts.ts';
import { type LinkedAccountRow, linkedAccounts, verifiedLink } from '../linked_accounts/table.ts';
import { storedMetadata } from '../metadata.ts';
import { onceOf, openSession } from '../sessions/open.ts';
import { withdrawals } from './table.ts';

type Input = BodyOf<typeof contract>;

/**
 * The link that the money goes to, if it can be paid now (rules/withdrawals#5).
 * @throws ApiError linked_account_required {linked_account_status}; withdrawal_hold
 */
function assertPayable(links: readonly LinkedAccountRow[]): LinkedAccountRow {
  const link = verifiedLink(links);
  if (!link.can_withdraw)
    throw fail('linked_account_required', { details: { linked_account_status: link.status } });
  const { withdrawal_hold_until } = link;
  if (withdrawal_hold_until !== null)
    throw fail('withdrawal_hold', { details: { withdrawal_hold_until } });
  return link;
}

/** POST /v1/withdrawals: 201, requires_confirmation, the amount held and counted. */
export const createWithdrawal = command('create_withdrawal', {
  load: async (read, input: Input) => {
    const customer = await read.maybe(customers, uuidOf('customer', input.customer_id));
    const [account, balance, links, counters, sums, orderId] = await Promise.all([
      read.maybe(accounts, customer?.account_id ?? null),
      read.maybe(balances, customer?.account_id ?? null),
      customer ? read.set(linkedAccounts, 'customer_id', customer.id) : [],
      customer ? withdrawalLimits.load(read, customer.id) : null,
      loadPayoutSums(read),
      orderIdOfCall(read, withdrawals),
    ]);
    return { customer, account, balance, links, counters, sums, orderId };
  },
  decide: (work, loaded, { amount, metadata }) => {
    const { customer, account } = assertVerified(loaded.customer, loaded.account);
    assertAccountStatus(account, ['active']);
    assertTermsAccepted(customer, work.now);
    const link = assertPayable(loaded.links);
    const counted = withdrawalLimits.check(work, loaded.counters, customer, amount);
    assertNetworkMaximum(amount);
    assertPayoutFits(work, loaded.sums, amount);
    const available = loaded.balance?.available ?? 0;
    if (available < amount)
      throw fail('insufficient_funds', { details: { available, required: amount } });
    withdrawalLimits.count(work, counted, amount);
    const id = work.newId();
    const session = openSession(work, {
      flow: 'payment_confirm',
      customerId: customer.id,
      target: { type: 'withdrawal', id },
      returnUrl: null,
    });
    const record = work.create(
      withdrawals,
      {
        id,
        customer_id: customer.id,
        account_id: account.id,
        linked_account_id: link.id,
        amount,
        is_payout: false,
        failure_code: null,
        network_reason_code: null,
        held_cents: amount,
        session_id: session.row.id,
        transaction_id: null,
        counted_day: counted.day,
        counted_in_payouts: countPayout(work, loaded.sums, amount),
        bank_order_id: loaded.orderId,
        metadata: storedMetadata(metadata),
        created_at: work.now,
        confirmed_at: null,
        settled_at: null,
      },
      'create',
      {
        post: { recipe: 'withdrawal_held', parties: { holder: account.id }, amounts: { amount } },
      },
    );
    return { record, once: onceOf('confirmation_session', session) };
  },
});
