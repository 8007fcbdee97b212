import type { BodyOf, ParamsOf } from '@tenant-payments/contract/core/endpoint.ts';
import { publicId, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { createLinkedAccount as contract } from '@tenant-payments/contract/resources/linked_accounts.ts';
import { command } from '../../core/command.ts';
import { fail } from '../../core/fail.ts';
import type { Read } from '../../core/load/reader.ts';
import type { Vault } from '../../core/vault.ts';
import type { Aggregator, Exchange } from '../../rails/aggregator.ts';
import { referenceSeal } from '../../rails/instructions.ts';
import { assertVerified } from '../accounts/holder.ts';
import { accounts } from '../accounts/table.ts';
import { customers } from '../customers/table.ts';
import { activeLink, linkedAccounts } from './table.ts';

type Input = ParamsOf<typeof contract> & BodyOf<typeof contract>;

const mismatch = (reason: string) =>
  fail('link_token_mismatch', { param: 'public_token', details: { reason } });

/** The aggregator's account; a mismatch is reported after the checks that come first. */
function accountOf(exchange: Exchange) {
  if (exchange.account) return exchange.account;
  throw mismatch(exchange.mismatch);
}

async function loadCustomer(read: Read, { id }: Input) {
  const customer = await read.maybe(customers, uuidOf('customer', id));
  const [account, links] = await Promise.all([
    read.maybe(accounts, customer?.account_id ?? null),
    customer ? read.set(linkedAccounts, 'customer_id', customer.id) : [],
  ]);
  return { customer, account, links };
}

/**
 * POST /v1/customers/{id}/linked-accounts: 201, pending; the checks run afterwards
 * (rules/linking#5).
 */
export const createLinkedAccount = (aggregator: Aggregator, vault: Vault) =>
  command('create_linked_account', {
    prepare: async (input: Input, { tenantId }) => {
      const exchange = await aggregator.exchange({
        tenantId,
        customerId: input.id,
        publicToken: input.public_token,
        accountId: input.aggregator_account_id ?? null,
      });
      const seal = referenceSeal(uuidOf('customer', input.id) ?? '');
      return { exchange, sealed: vault.seal(tenantId, seal, exchange.account?.reference ?? null) };
    },
    load: loadCustomer,
    decide: (work, { customer, account, links }, _input, { exchange, sealed }) => {
      if (!customer) throw fail('not_found');
      const active = activeLink(links);
      if (active)
        throw fail('linked_account_exists', {
          details: { linked_account_id: publicId('linked_account', active.id) },
        });
      const { status } = assertVerified(customer, account).account;
      if (status === 'suspended' || status === 'closed') throw mismatch(`account_${status}`);
      const bank = accountOf(exchange);
      const record = work.create(
        linkedAccounts,
        {
          id: work.newId(),
          customer_id: customer.id,
          institution_name: bank.institutionName,
          account_type: bank.accountType,
          account_mask: bank.accountMask,
          reference_sealed: sealed,
          can_withdraw: false,
          can_load: false,
          can_pay_by_bank: false,
          offered_withdraw: bank.withdrawal,
          offered_load: bank.load,
          verified_at: null,
          withdrawal_hold_until: null,
          failure_code: null,
          created_at: work.now,
        },
        'create',
      );
      work.scheduleJob('link_check', record.id, work.now);
      return { record };
    },
  });
