import { idPrefixes } from '@tenant-payments/contract/core/ids.ts';
import { ownValue } from '@tenant-payments/contract/core/own_value.ts';
import type { Vault } from '@tenant-payments/engine/vault.ts';
import type { Aggregator, BankAccount, Exchange, ExchangeRequest } from '../../rails/aggregator.ts';
import type { LinkOutcome } from '../../rails/facts.ts';
import type { AccountRef } from '../../rails/party.ts';
import { type ScheduleAnswer, scheduleNothing } from './scheduling.ts';

type Choice = Omit<BankAccount, 'accountId' | 'reference' | 'institutionName'>;

/** A bank of the sandbox: its one account, or several by `aggregator_account_id`. */
interface SandboxBank {
  readonly name: string;
  readonly account: Choice | Readonly<Record<string, Choice>>;
  /** How the checks of its accounts end in automatic mode. */
  readonly checks: Extract<LinkOutcome, { outcome: 'verified' | 'failed' | 'unclear' }>;
  /** The holder of its accounts, by the customer's name: the service compares them. */
  readonly holders?: (name: string) => string;
  /** Once a link is verified, the customer must sign in again. */
  readonly needsLogin?: true;
  /** All customers get the same account there. */
  readonly isShared?: true;
}

/** `A Reyes` for `Ana Reyes`: it may be somebody else (rules/linking#27). */
function similarName(name: string): string {
  const [first = '', ...others] = name.split(' ');
  return others.length === 0 ? `${first} Group` : [first.slice(0, 1), ...others].join(' ');
}

const both = { withdrawal: true, load: true };
const checking = (accountMask: string, offers = both): Choice => ({
  accountType: 'checking',
  accountMask,
  ...offers,
});
const savings = (accountMask: string): Choice => ({
  accountType: 'savings',
  accountMask,
  ...both,
});

const verified: SandboxBank['checks'] = { outcome: 'verified' };

/** The banks of rules/sandbox#26. */
const banks: Readonly<Record<string, SandboxBank>> = {
  standard: { name: 'Standard Bank', account: checking('1234'), checks: verified },
  savings: { name: 'Savings Bank', account: savings('5678'), checks: verified },
  rtp_only: {
    name: 'RTP Only Bank',
    account: checking('2222', { withdrawal: true, load: false }),
    checks: verified,
  },
  no_rtp: {
    name: 'No RTP Bank',
    account: checking('3333', { withdrawal: false, load: false }),
    checks: { outcome: 'failed', failure: 'rtp_not_supported' },
  },
  owner_mismatch: {
    name: 'Owner Mismatch Bank',
    account: checking('4444'),
    checks: { outcome: 'failed', failure: 'owner_mismatch' },
  },
  review: {
    name: 'Review Bank',
    account: checking('5555'),
    checks: { outcome: 'unclear' },
  },
  two_accounts: {
    name: 'Two Accounts Bank',
    account: { acc_checking: checking('6666'), acc_savings: savings('7777') },
    checks: verified,
  },
  similar_name: {
    name: 'Similar Name Bank',
    account: checking('8888'),
    checks: { outcome: 'unclear' },
    holders: similarName,
  },
  shared_account: {
    name: 'Shared Account Bank',
    account: checking('9999'),
    checks: verified,
    isShared: true,
  },
  needs_login: {
    name: 'Sign In Again Bank',
    account: checking('1111'),
    checks: verified,
    needsLogin: true,
  },
};

function isChoice(account: SandboxBank['account']): account is Choice {
  return 'accountMask' in account;
}

const accountsOf = (account: SandboxBank['account']): (readonly [string | null, Choice])[] =>
  isChoice(account) ? [[null, account]] : Object.entries(account);

/** The banks that Sandbox Bank offers, in this order. */
export const bankChoices = Object.entries(banks).map(([bank, { name, account, checks }]) => ({
  bank,
  name,
  accounts: accountsOf(account).map(([id, { accountType, accountMask }]) => ({
    id,
    account_type: accountType,
    account_mask: accountMask,
  })),
  outcome: checks.outcome,
}));

/** The status in which a linked account shows each result of its checks. */
const statusOf = { verified: 'verified', failed: 'failed', unclear: 'held_for_review' } as const;

/** The banks with what their accounts offer, and how a link to each ends. */
export const magicBanks = Object.entries(banks).map(([bank, { name, account, checks }]) => ({
  bank,
  name,
  public_token: `public-sandbox-${bank}`,
  accounts: accountsOf(account).map(([id, { accountType, accountMask, withdrawal, load }]) => ({
    id,
    account_type: accountType,
    account_mask: accountMask,
    withdrawal,
    load,
  })),
  outcome: statusOf[checks.outcome],
  failure_code: checks.outcome === 'failed' ? checks.failure : null,
}));

/** How the checks of an account end, by the bank that its link shows, and who linked it. */
export function linkAnswer(institutionName: string, customerName: string): LinkOutcome {
  const bank = Object.values(banks).find(({ name }) => name === institutionName);
  if (bank?.holders) return { outcome: 'holders', names: [bank.holders(customerName)] };
  return bank?.checks ?? verified;
}

/** Whether the customer of a link must sign in at this bank again, once it is verified. */
export const needsLoginAt = (institutionName: string): boolean =>
  Object.values(banks).some(({ name, needsLogin }) => needsLogin && name === institutionName);

const tokenForm = /^public-sandbox-([a-z_]+)(?:-(.+))?$/s;
const customerForm = new RegExp(`^${idPrefixes.customer}_[0-9a-f]{32}`);

/** The widget begins the suffix of its tokens with the customer for whom it was opened. */
function madeForOther(suffix: string, customerId: string): boolean {
  const owner = customerForm.exec(suffix)?.[0];
  return owner !== undefined && owner !== customerId;
}

const refuse = (mismatch: NonNullable<Exchange['mismatch']>): Exchange => ({
  accounts: null,
  mismatch,
});

function exchange({ publicToken, customerId }: ExchangeRequest): Exchange {
  const [, name = '', suffix = ''] = tokenForm.exec(publicToken) ?? [];
  const bank = ownValue(banks, name);
  if (!bank) return refuse('unknown_token');
  if (madeForOther(suffix, customerId)) return refuse('other_customer');
  const [first, ...others] = accountsOf(bank.account).map(([accountId, choice]) => {
    const reference = `${publicToken}/${accountId ?? ''}`;
    const persistentId = bank.isShared ? name : `${customerId} ${reference}`;
    const facts = { institutionName: bank.name, institutionId: `sandbox_${name}`, persistentId };
    return { ...facts, ...choice, accountId, reference };
  });
  return first ? { accounts: [first, ...others], mismatch: null } : refuse('unknown_token');
}

/** A routing number of the Federal Reserve itself, where no customer has an account. */
const sandboxRouting = '011000015';

/** The numbers of an account, by its reference. The account number ends with the mask. */
function numbersOf(reference: string): AccountRef | null {
  const at = reference.lastIndexOf('/');
  const [, name = ''] = tokenForm.exec(reference.slice(0, at)) ?? [];
  const bank = ownValue(banks, name);
  const [, choice] =
    accountsOf(bank?.account ?? {}).find(([id]) => (id ?? '') === reference.slice(at + 1)) ?? [];
  if (!choice) return null;
  const { accountMask, accountType: type } = choice;
  return { routing: sandboxRouting, account: `10000000${accountMask}`, type, tokenized: false };
}

/** The sandbox's aggregator: a public token names its bank (rules/sandbox#25). */
export const openSandboxAggregator = (
  vault: Pick<Vault, 'newSecret'>,
  schedule: ScheduleAnswer = scheduleNothing,
): Aggregator => ({
  linkToken: async ({ tenantId }) => vault.newSecret(tenantId, 'link-sandbox'),
  exchange: async (request) => exchange(request),
  verify: ({ tenantId, linkId }) => schedule(tenantId, 'sandbox_link_answer', linkId),
  numbers: async (reference) => numbersOf(reference),
});
