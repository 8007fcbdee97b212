import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type {
  BankAccount,
  Exchange,
  ExchangeRequest,
  Mismatch,
  Offers,
} from '@tenant-payments/service/rails/aggregator.ts';
import type { RailsCall } from '@tenant-payments/service/rails/call.ts';
import { type Client, isFault, PlaidFault } from './client.ts';
import { itemNotFound, removeItem } from './item.ts';
import { accountsOf, hashOf, type Memory, referenceOf } from './memory.ts';
import { askNumbers, numbersHash, type Payable } from './numbers.ts';

export interface Parts {
  readonly client: Client;
  readonly memory: Memory;
  readonly environment: 'sandbox' | 'production';
}

/** The kinds of transfers that an account's bank takes, as Plaid Transfer knows them. @throws PlaidFault */
export async function offersOf(
  { ask }: Client,
  accessToken: string,
  accountId: string,
  call?: RailsCall,
): Promise<Offers> {
  const asked = { access_token: accessToken, account_id: accountId };
  try {
    const { institution_supported_networks: networks } = await ask(
      (api, options) => api.transferCapabilitiesGet(asked, options),
      call,
    );
    return { withdrawal: networks.rtp.credit === true, load: networks.rfp.debit === true };
  } catch (error) {
    if (isFault(error, 'PRODUCTS_NOT_SUPPORTED')) return { withdrawal: false, load: false };
    throw error;
  }
}

/** Tokens that one session of Link has made. */
interface Session {
  readonly on_success?: { readonly public_token: string } | null;
  readonly results?: { readonly item_add_results: readonly { readonly public_token: string }[] };
}
const madeIn = ({ on_success, results }: Session): readonly string[] => [
  ...(on_success ? [on_success.public_token] : []),
  ...(results?.item_add_results ?? []).map(({ public_token }) => public_token),
];

/**
 * Whether a public token was made in a session that was opened for this customer: Plaid itself binds it to nobody.
 * @throws PlaidFault where Plaid does not know yet
 */
async function isOfCustomer(
  { client, memory, environment }: Parts,
  { customerId, publicToken }: ExchangeRequest,
  call?: RailsCall,
): Promise<boolean> {
  const kept = await memory.get('link_tokens', customerId);
  if (!kept) return false;
  const sessions = await Promise.all(
    kept.value.tokens.map(async ({ token }) => {
      const asked = { link_token: token };
      const reply = await client.ask((api, options) => api.linkTokenGet(asked, options), call);
      return (reply.link_sessions ?? []) as readonly Session[];
    }),
  );
  const made = sessions.flat().flatMap(madeIn);
  if (made.includes(publicToken)) return true;
  // In its sandbox Plaid also makes public tokens without a session.
  if (made.length === 0 && environment === 'sandbox') return true;
  if (made.length === 0) throw new PlaidFault('NO_SESSION_YET');
  return false;
}

/** An item with its access token. */
interface Named {
  readonly itemId: string;
  readonly accessToken: string;
}

const isMismatch = (found: Named | Mismatch): found is Mismatch => typeof found === 'string';

/**
 * The item of a public token that was exchanged earlier, by a call whose answer was lost; null: it was not. One of which
 * an account was linked is used up (rules/linking#7).
 */
async function exchangedBefore(
  { memory }: Parts,
  { customerId, publicToken }: ExchangeRequest,
): Promise<Named | Mismatch | null> {
  const before = await memory.get('exchange', hashOf(publicToken));
  if (!before) return null;
  if (before.record !== uuidOf('customer', customerId)) return 'other_customer';
  const { itemId } = before.value;
  const item = await memory.get('item', itemId);
  const accessToken = item?.value.accessToken;
  if (!item || !accessToken) return 'unknown_token';
  const accounts = await accountsOf(memory, item);
  return accounts.some(({ record }) => record !== null) ? 'unknown_token' : { itemId, accessToken };
}

/** Exchanges a public token, and remembers its item before anything else is asked. @throws PlaidFault */
async function exchangeNow(
  parts: Parts,
  request: ExchangeRequest,
  call?: RailsCall,
): Promise<Named | Mismatch> {
  const { client, memory } = parts;
  const { tenantId, customerId, publicToken } = request;
  if (!(await isOfCustomer(parts, request, call))) return 'other_customer';
  const asked = { public_token: publicToken };
  try {
    // Plaid exchanges a token once: a late answer is kept too, and the next call of the customer finds it.
    const { item_id: itemId, access_token: accessToken } = await client.askOnce((api, options) =>
      api.itemPublicTokenExchange(asked, options),
    );
    const value = { accessToken, accountIds: [], isRevoked: false, endsAtMs: null };
    await memory.change('item', itemId, (now) => now ?? { tenantId, record: null, value });
    const record = uuidOf('customer', customerId);
    const exchanged = { tenantId, record, value: { itemId } };
    await memory.change('exchange', hashOf(publicToken), () => exchanged);
    return { itemId, accessToken };
  } catch (error) {
    if (isFault(error, 'INVALID_PUBLIC_TOKEN')) return 'unknown_token';
    throw error;
  }
}

/** Accounts to which money can be sent; null: none, or the item is gone. @throws PlaidFault */
async function sharedOf({ client }: Parts, { accessToken }: Named, call?: RailsCall) {
  return askNumbers(client, accessToken, call).catch((error: unknown) => {
    if (isFault(error, 'NO_AUTH_ACCOUNTS', 'PRODUCTS_NOT_SUPPORTED', itemNotFound)) return null;
    throw error;
  });
}

async function accountOf(
  { client, memory }: Parts,
  { itemId, accessToken }: Named,
  { account, ref }: Payable,
  { tenantId }: ExchangeRequest,
  call?: RailsCall,
): Promise<Omit<BankAccount, 'institutionName'>> {
  const reference = referenceOf(itemId, account.account_id);
  const offers = await offersOf(client, accessToken, account.account_id, call);
  const hash = numbersHash(ref);
  const value = { state: 'fine', isRemoved: false, changes: 0, said: [] } as const;
  await memory.change('account', reference, (now) => ({
    ...(now ?? { tenantId, record: null }),
    value: { ...(now?.value ?? value), numbersHash: hash },
  }));
  return {
    ...offers,
    accountId: account.account_id,
    reference,
    accountType: ref.type,
    accountMask: account.mask ?? ref.account.slice(-4),
    // Plaid has an id that lasts for banks that give each who asks other numbers.
    persistentId: account.persistent_account_id ?? hash,
  };
}

const refuse = (mismatch: Mismatch): Exchange => ({
  accounts: null,
  mismatch,
});

/** The accounts that a customer has shared (rules/linking#19 to #21). @throws PlaidFault */
export async function exchange(
  parts: Parts,
  request: ExchangeRequest,
  call?: RailsCall,
): Promise<Exchange> {
  const { memory } = parts;
  const named =
    (await exchangedBefore(parts, request)) ?? (await exchangeNow(parts, request, call));
  if (isMismatch(named)) return refuse(named);
  const { itemId, accessToken } = named;
  const shared = await sharedOf(parts, named, call);
  const payable = shared?.payable ?? [];
  if (!shared || payable.length === 0) {
    // Nobody could use it.
    await removeItem(parts, itemId, accessToken, call);
    return refuse('unknown_token');
  }
  const accountIds = payable.map(({ account }) => account.account_id);
  await memory.change('item', itemId, (now) => {
    if (!now) return null;
    const { idleSinceMs: _, ...value } = now.value;
    return { ...now, value: { ...value, accountIds } };
  });
  const found = await Promise.all(
    payable.map((one) => accountOf(parts, named, one, request, call)),
  );
  const { institution_name: institutionName, institution_id: institutionId } = shared.item;
  const [first, ...others] = found.map(
    (one): BankAccount => ({
      ...one,
      institutionName: institutionName ?? '',
      ...(institutionId && { institutionId }),
    }),
  );
  return first ? { accounts: [first, ...others], mismatch: null } : refuse('unknown_token');
}
