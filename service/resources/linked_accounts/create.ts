import type { BodyOf, ParamsOf } from '@tenant-payments/contract/core/endpoint.ts';
import { publicId, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { readableOf } from '@tenant-payments/contract/core/readable.ts';
import type { createLinkedAccount as contract } from '@tenant-payments/contract/resources/linked_accounts.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import type { Aggregator, BankAccount } from '../../rails/aggregator.ts';
import { referenceSeal } from '../../rails/instructions.ts';
import { assertVerified } from '../accounts/holder.ts';
import { accounts } from '../accounts/table.ts';
import { type CustomerRow, customers } from '../customers/table.ts';
import { storedMetadata } from '../metadata.ts';
import {
  answeredAccounts,
  askAggregator,
  claimExchange,
  linkTokenMismatch,
  readExchange,
  useExchange,
} from './exchanges.ts';
import { heldNames } from './holders.ts';
import { withoutCapabilities } from './moves.ts';
import { scheduleRefresh } from './refresh.ts';
import { activeLink, linkedAccounts } from './table.ts';

/** Texts of the aggregator are shown to people, and hold to their rule (rules/errors#45). */
const longestName = 100;
const longestMask = 16;
const unreadable = 'unknown';

type Input = ParamsOf<typeof contract> & BodyOf<typeof contract>;

/** The only account, or of several the one that was chosen. */
function chosenAccount(accounts: readonly BankAccount[], chosen: string | null): BankAccount {
  const [only, ...others] = accounts;
  if (only && others.length === 0) return only;
  const found = accounts.find(({ accountId }) => accountId === chosen);
  if (found) return found;
  throw linkTokenMismatch(chosen === null ? 'account_required' : 'account_unknown');
}

/** The same account has the same hash, whoever links it. */
const persistentHash = (vault: Pick<Vault, 'index'>, tenantId: string, id: string | undefined) =>
  id === undefined ? null : vault.index(tenantId, `bank account ${id}`);

/** An account as the aggregator showed it, as its link keeps it. */
const sharedFacts = (vault: Vault, tenantId: string, customer: CustomerRow, bank: BankAccount) => ({
  customer_id: customer.id,
  institution_name: readableOf(bank.institutionName, longestName) ?? unreadable,
  account_type: bank.accountType,
  account_mask: readableOf(bank.accountMask, longestMask) ?? unreadable,
  reference_sealed: vault.seal(tenantId, referenceSeal(customer.id), bank.reference),
  persistent_hash: persistentHash(vault, tenantId, bank.persistentId),
  institution_id: readableOf(bank.institutionId ?? '', longestName) || null,
  holder_match: heldNames(customer, bank.holderNames),
  offered_withdraw: bank.withdrawal,
  offered_load: bank.load,
});

const beforeChecks = {
  ...withoutCapabilities,
  numbers_sealed: null,
  numbers_changed_at: null,
  consent_ended_at: null,
  needs_login_at: null,
  login_restored_at: null,
  verified_at: null,
  failure_code: null,
} as const;

async function loadCustomer(read: Read, input: Input) {
  const [customer, exchange] = await Promise.all([
    read.maybe(customers, uuidOf('customer', input.id)),
    readExchange(read, input),
  ]);
  const [account, links] = await Promise.all([
    read.maybe(accounts, customer?.account_id ?? null),
    customer ? read.set(linkedAccounts, 'customer_id', customer.id) : [],
  ]);
  return { customer, account, links, exchange };
}

/**
 * POST /v1/customers/{id}/linked-accounts: 201, pending; the checks run afterwards
 * (rules/linking#5). The token is exchanged after the key and all checks (rules/linking#19).
 */
export const createLinkedAccount = (aggregator: Aggregator, vault: Vault) =>
  command('create_linked_account', {
    prepare: async (_input: Input, { tenantId }) => tenantId,
    load: loadCustomer,
    decide: (work, { customer, account, links, exchange }, input, tenantId) => {
      if (!customer) throw fail('not_found');
      const active = activeLink(links);
      if (active)
        throw fail('linked_account_exists', {
          details: { linked_account_id: publicId('linked_account', active.id) },
        });
      const { status } = assertVerified(customer, account).account;
      if (status === 'suspended' || status === 'closed')
        throw linkTokenMismatch(`account_${status}`);
      const offered = answeredAccounts(vault, tenantId, exchange);
      if (!exchange || !offered) return claimExchange(work, exchange, input, customer.id);
      const bank = chosenAccount(offered, input.aggregator_account_id ?? null);
      useExchange(work, exchange);
      const record = work.create(
        linkedAccounts,
        {
          id: work.newId(),
          ...sharedFacts(vault, tenantId, customer, bank),
          ...beforeChecks,
          metadata: storedMetadata(input.metadata),
          created_at: work.now,
        },
        'create',
      );
      work.scheduleJob('link_check', record.id, work.now);
      if (aggregator.refresh) scheduleRefresh(work, record, bank);
      if (aggregator.numbers) work.scheduleJob('link_numbers', record.id, work.now);
      return { record };
    },
    ask: async (input, context) => {
      await askAggregator({ aggregator, vault }, input, context);
      return context.tenantId;
    },
  });
