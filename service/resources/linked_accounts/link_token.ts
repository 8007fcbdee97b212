import type { BodyOf, ParamsOf } from '@tenant-payments/contract/core/endpoint.ts';
import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { lifetimes } from '@tenant-payments/contract/core/numbers.ts';
import type {
  createLinkToken as contract,
  LinkToken,
} from '@tenant-payments/contract/resources/linked_accounts.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { addSeconds } from '@tenant-payments/engine/time/instant.ts';
import { tokenHash, type Vault } from '@tenant-payments/engine/vault.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../database.ts';
import type { Aggregator } from '../../rails/aggregator.ts';
import { callFor } from '../../rails/call.ts';
import { registeredIn } from '../../registered.ts';
import { assertAccountStatus, assertVerified } from '../accounts/holder.ts';
import { accounts } from '../accounts/table.ts';
import { openMobile } from '../customers/mobile_number.ts';
import { fullName } from '../customers/names.ts';
import { customers } from '../customers/table.ts';
import { openReference } from './numbers.ts';
import { type LinkedAccountRow, linkedAccounts, linkTokens } from './table.ts';

type Input = ParamsOf<typeof contract> & BodyOf<typeof contract>;

/** How long a link token is valid (rules/linking#1). */
const linkTokenSeconds = lifetimes.linkToken;

/** @throws ApiError parameter_invalid {reason: not_registered} */
const obeyRedirect = (work: Work, redirect_uri: string): void =>
  work.obey('local_redirect_uri', (environment) => {
    const allowed = registeredIn(environment, work.tenant.settings.link_redirect_uris);
    if (allowed.includes(redirect_uri)) return null;
    const details = { reason: 'not_registered', allowed };
    return fail('parameter_invalid', { param: 'redirect_uri', details });
  });

interface Context {
  readonly db: Kysely<Database>;
  readonly vault: Vault;
}

/** The person who opens a widget, as it knows them: the name in full, and the number, which it may fill in. */
async function whoOpens({ db, vault }: Context, tenantId: string, { id }: Pick<Input, 'id'>) {
  const customer = await db
    .selectFrom('customers')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', uuidOf('customer', id))
    .select(['type', 'given_name', 'family_name', 'legal_name', 'trading_name'])
    .select(['mobile_hmac', 'mobile_sealed'])
    .executeTakeFirstOrThrow();
  const isFree = customer.mobile_hmac === null;
  return {
    legalName: fullName(customer),
    ...(isFree ? {} : { mobileNumber: openMobile(vault, tenantId, customer) }),
  };
}

/** A link by which the customer can sign in at the bank again. */
const isRenewable = (link: LinkedAccountRow | null, customerId: string): boolean =>
  link?.status === 'verified' && link.customer_id === customerId && link.reference_sealed !== null;

/** The account for which a widget opens that makes no new one. */
async function whatRenews(
  { db, vault }: Context,
  tenantId: string,
  { linked_account_id }: Pick<Input, 'linked_account_id'>,
) {
  if (linked_account_id === undefined) return {};
  const link = await db
    .selectFrom('linked_accounts')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', uuidOf('linked_account', linked_account_id))
    .select(['customer_id', 'reference_sealed'])
    .executeTakeFirstOrThrow();
  return { updateOf: openReference(vault, tenantId, link) };
}

/**
 * POST /v1/customers/{id}/link-tokens: 201, a token for the aggregator's widget. A replay gives the
 * same token (rules/linking#4). Closing accounts can link: the payout needs a bank account.
 */
export const createLinkToken = (aggregator: Aggregator, context: Context) =>
  command('create_link_token', {
    prepare: async ({ platform, redirect_uri }: Input): Promise<string | null> => {
      if (platform === 'web' && !redirect_uri)
        throw fail('parameter_missing', { param: 'redirect_uri' });
      return null;
    },
    load: async (read, { id, linked_account_id: renewed }) => {
      const [customer, link] = await Promise.all([
        read.maybe(customers, uuidOf('customer', id)),
        read.maybe(
          linkedAccounts,
          renewed === undefined ? null : uuidOf('linked_account', renewed),
        ),
      ]);
      return { customer, link, account: await read.maybe(accounts, customer?.account_id ?? null) };
    },
    decide: (work, { customer, link, account }, input, token) => {
      const { redirect_uri, linked_account_id: renewed } = input;
      if (redirect_uri) obeyRedirect(work, redirect_uri);
      if (!customer) throw fail('not_found');
      if (renewed !== undefined && !isRenewable(link, customer.id))
        throw fail('not_found', { param: 'linked_account_id' });
      const holder = assertVerified(customer, account);
      assertAccountStatus(holder.account, ['active', 'dormant', 'closing']);
      if (token === null) return { ask: 'now' };
      const expiration = addSeconds(work.now, linkTokenSeconds);
      work.create(linkTokens, {
        token_hash: tokenHash(token),
        customer_id: customer.id,
        expires_at: expiration,
      });
      const value: LinkToken = { object: 'link_token', link_token: token, expiration };
      return { value, sealed: true };
    },
    ask: async (input, { tenantId, actor }) => {
      const { id: customerId, platform, redirect_uri: redirectUri = null } = input;
      const asked = { tenantId, customerId, platform, redirectUri };
      const { locale, android_package: androidPackage } = input;
      const request = {
        ...asked,
        ...(locale && { locale }),
        ...(androidPackage && { androidPackage }),
        ...(await whoOpens(context, tenantId, input)),
        ...(await whatRenews(context, tenantId, input)),
      };
      return aggregator.linkToken(request, callFor(actor));
    },
  });
