import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type {
  Aggregator,
  LinkCheck,
  LinkRequest,
  Offers,
} from '@tenant-payments/service/rails/aggregator.ts';
import type { RailsCall } from '@tenant-payments/service/rails/call.ts';
import type { LinkFact } from '@tenant-payments/service/rails/facts.ts';
import type { AccountRef } from '@tenant-payments/service/rails/party.ts';
import { CountryCode, type LinkTokenCreateRequest, Products } from 'plaid';
import { isFault, PlaidFault } from './client.ts';
import { exchange, offersOf, type Parts } from './exchange.ts';
import { itemNotFound, removeItem } from './item.ts';
import { accountsOf, hashOf, idsOf, type Memory } from './memory.ts';
import { askNumbers } from './numbers.ts';

export interface AggregatorParts extends Parts {
  readonly clientName: string;
  /** The address to which Plaid sends its messages; null: it cannot reach us. */
  readonly webhook: string | null;
}

/** A token of Link lives so long (rules/linking#1). */
const linkTokenMs = 4 * 3_600_000;
const mostLinkTokens = 8;

/** The access token of an account's item; null: it was removed, or is none of ours. */
async function tokenOf(memory: Memory, reference: string): Promise<string | null> {
  const { itemId } = idsOf(reference);
  return (await memory.get('item', itemId))?.value.accessToken ?? null;
}

/** The purpose of the widget: a new item, or the sign-in of one that is there. */
async function purposeOf(memory: Memory, { updateOf }: LinkRequest) {
  if (updateOf === undefined)
    return {
      products: [Products.Auth],
      required_if_supported_products: [Products.Identity],
      additional_consented_products: [Products.Transfer],
    };
  const token = await tokenOf(memory, updateOf);
  if (token === null) throw new PlaidFault(itemNotFound);
  return { access_token: token };
}

/** Android comes back by its package, all others by an address. */
const returning = ({ platform, redirectUri, androidPackage }: LinkRequest) => {
  if (platform === 'android') return androidPackage && { android_package_name: androidPackage };
  return redirectUri !== null && { redirect_uri: redirectUri };
};

async function linkToken(
  { client, memory, clientName, webhook }: AggregatorParts,
  request: LinkRequest,
  call?: RailsCall,
): Promise<string> {
  const { tenantId, customerId, legalName, mobileNumber, updateOf } = request;
  const asked: LinkTokenCreateRequest = {
    client_name: clientName,
    language: request.locale ?? 'en',
    country_codes: [CountryCode.Us],
    user: {
      client_user_id: customerId,
      ...(legalName && { legal_name: legalName }),
      ...(mobileNumber && { phone_number: mobileNumber }),
    },
    ...(await purposeOf(memory, request)),
    ...(webhook && { webhook }),
    ...returning(request),
  };
  const { link_token: token } = await client.ask(
    (api, options) => api.linkTokenCreate(asked, options),
    call,
  );
  const atMs = Date.now();
  const place = { tenantId, record: uuidOf('customer', customerId) };
  if (updateOf !== undefined) {
    const { itemId } = idsOf(updateOf);
    await memory.change('update', hashOf(token), () => ({ ...place, value: { itemId } }));
    return token;
  }
  await memory.change('link_tokens', customerId, (now) => {
    const living = (now?.value.tokens ?? []).filter((one) => one.atMs > atMs - linkTokenMs);
    return { ...place, value: { tokens: [{ token, atMs }, ...living].slice(0, mostLinkTokens) } };
  });
  return token;
}

/** How much a name is that of an account's holder; null: the bank does not say. @throws PlaidFault */
async function scoreOf(
  { client }: AggregatorParts,
  accessToken: string,
  { reference, legalName }: LinkCheck,
  call?: RailsCall,
): Promise<number | null> {
  const { accountId } = idsOf(reference);
  const user = { legal_name: legalName };
  const asked = { access_token: accessToken, user, options: { account_ids: [accountId] } };
  try {
    const reply = await client.ask((api, options) => api.identityMatch(asked, options), call);
    const found = reply.accounts.find(({ account_id }) => account_id === accountId);
    return found?.legal_name?.score ?? null;
  } catch (error) {
    // The reviewer decides.
    if (isFault(error, 'PRODUCTS_NOT_SUPPORTED', 'NO_ACCOUNTS', itemNotFound)) return null;
    throw error;
  }
}

/** Asks once whose an account is, and reports the same answer however often it is asked. */
async function verify(parts: AggregatorParts, check: LinkCheck, call?: RailsCall): Promise<void> {
  const { memory } = parts;
  const { tenantId, linkId, reference } = check;
  const kept = await memory.get('account', reference);
  if (!kept) throw new PlaidFault('NOT_EXCHANGED');
  let { score } = kept.value;
  if (score === undefined || kept.record !== linkId) {
    const token = await tokenOf(memory, reference);
    score = token === null ? null : await scoreOf(parts, token, check, call);
    const answered = score;
    await memory.change(
      'account',
      reference,
      (now) => now && { ...now, record: linkId, value: { ...now.value, score: answered } },
    );
  }
  const id = `${linkId}-holders`;
  const answer = score === null ? { names: [] } : { score };
  const fact: LinkFact = { id, linkId, outcome: 'holders', ...answer };
  await memory.report([{ id, tenantId, port: 'aggregator', fact }]);
}

async function numbers(
  { client, memory }: AggregatorParts,
  reference: string,
  call?: RailsCall,
): Promise<AccountRef | null> {
  const token = await tokenOf(memory, reference);
  if (token === null) return null;
  const { accountId } = idsOf(reference);
  const { payable } = await askNumbers(client, token, call);
  return payable.find(({ account }) => account.account_id === accountId)?.ref ?? null;
}

async function refresh(
  { client, memory }: AggregatorParts,
  reference: string,
  call?: RailsCall,
): Promise<Offers | null> {
  const token = await tokenOf(memory, reference);
  if (token === null) return null;
  return offersOf(client, token, idsOf(reference).accountId, call).catch((error: unknown) => {
    if (isFault(error, 'ITEM_LOGIN_REQUIRED', itemNotFound)) return null;
    throw error;
  });
}

/** Withdraws the consent with the last account of an item to which something could be paid. */
async function remove(parts: AggregatorParts, reference: string, call?: RailsCall): Promise<void> {
  const { memory } = parts;
  const { itemId } = idsOf(reference);
  await memory.change('account', reference, (now) => {
    if (!now || now.value.isRemoved) return null;
    return { ...now, value: { ...now.value, isRemoved: true, numbersHash: null, said: [] } };
  });
  const item = await memory.get('item', itemId);
  const token = item?.value.accessToken;
  if (!item || !token) return;
  const accounts = await accountsOf(memory, item);
  if (accounts.some((one) => one.record && one.key !== reference && !one.value.isRemoved)) return;
  await removeItem(parts, itemId, token, call);
}

/** Plaid as the aggregator (docs/guide/plaid.md). */
export const openAggregator = (parts: AggregatorParts): Aggregator => ({
  linkToken: (request, call) => linkToken(parts, request, call),
  exchange: (request, call) => exchange(parts, request, call),
  verify: (check, call) => verify(parts, check, call),
  numbers: (reference, call) => numbers(parts, reference, call),
  refresh: (reference, call) => refresh(parts, reference, call),
  remove: (reference, call) => remove(parts, reference, call),
});
