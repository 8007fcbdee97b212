import type { RailsCall } from '@tenant-payments/service/rails/call.ts';
import type { LinkFact, LinkOutcome } from '@tenant-payments/service/rails/facts.ts';
import type { PollResult, Receipt } from '@tenant-payments/service/rails/providers/provider.ts';
import { askAnyBank, type Client, isFault } from './client.ts';
import { letGoOfIdle } from './idle.ts';
import { itemNotFound } from './item.ts';
import { type Account, type Item, type Kept, type Memory, referenceOf } from './memory.ts';
import { askNumbers, numbersHash } from './numbers.ts';
import { lookAtEach } from './turn.ts';

/** How items stand at Plaid, as it says when it is asked: a message of it is only the occasion. */

interface Parts {
  readonly client: Client;
  readonly memory: Memory;
}

type State = Account['state'];

/** Errors of an item after which its customer can sign in again. */
const wantsLogin = ['ITEM_LOGIN_REQUIRED', 'PENDING_EXPIRATION', 'PENDING_DISCONNECT'] as const;
const revoking = ['USER_PERMISSION_REVOKED', 'USER_ACCOUNT_REVOKED', itemNotFound] as const;
/** A consent that ends so soon is renewed now. */
const soonMs = 7 * 24 * 3_600_000;
/**
 * So long after its end a consent is held to have ended. If its bank gives on then, the customer has renewed it: Plaid
 * tells that of its own pages alone.
 */
const endedMs = 24 * 3_600_000;
/** The time for which a fact is reported again, in case nobody has kept it. */
export const againMs = 2 * 24 * 3_600_000;

function stateOf(code: string | undefined, endsAtMs: number | null): State {
  if (revoking.some((one) => one === code)) return 'revoked';
  if (wantsLogin.some((one) => one === code)) return 'needs_login';
  return endsAtMs !== null && endsAtMs - Date.now() < soonMs ? 'needs_login' : 'fine';
}

/** @throws PlaidFault where Plaid does not say */
async function askState(
  { client }: Parts,
  accessToken: string,
  { endsAtMs }: Item,
  call: RailsCall,
): Promise<State> {
  try {
    const asked = { access_token: accessToken };
    const { item } = await client.ask((api, options) => api.itemGet(asked, options), call);
    const consentEnds = item.consent_expiration_time
      ? Date.parse(item.consent_expiration_time)
      : null;
    const since = Date.now() - endedMs;
    const ends = [endsAtMs, consentEnds].filter((one) => one !== null).filter((one) => one > since);
    return stateOf(item.error?.error_code, ends.length > 0 ? Math.min(...ends) : null);
  } catch (error) {
    if (isFault(error, ...revoking)) return 'revoked';
    if (isFault(error, ...wantsLogin)) return 'needs_login';
    throw error;
  }
}

/** Errors of an item whose bank gives no numbers of it now, however it stands otherwise. */
const withoutNumbers = [
  'ACCESS_NOT_GRANTED',
  'INSTITUTION_NO_LONGER_SUPPORTED',
  'ITEM_LOCKED',
  'NO_ACCOUNTS',
  'NO_AUTH_ACCOUNTS',
  'PRODUCTS_NOT_SUPPORTED',
  'PRODUCT_NOT_READY',
] as const;

/** The hashes of the numbers of an item's accounts, by their ids; null: its bank gives none now. */
async function askHashes({ client }: Parts, accessToken: string, call: RailsCall) {
  try {
    const { payable } = await askNumbers(client, accessToken, call);
    return new Map(payable.map(({ account, ref }) => [account.account_id, numbersHash(ref)]));
  } catch (error) {
    if (isFault(error, ...wantsLogin, ...revoking, ...withoutNumbers)) return null;
    throw error;
  }
}

const outcomes: Readonly<Record<State, Extract<LinkOutcome['outcome'], string>>> = {
  fine: 'login_restored',
  needs_login: 'needs_login',
  revoked: 'revoked',
};

/** The changes of an account since it was looked at last; a revoked one stays so. */
function changesOf(account: Account, state: State, hash: string | null) {
  const isNew = state !== account.state && account.state !== 'revoked';
  const isOther = hash !== null && account.numbersHash !== null && hash !== account.numbersHash;
  return [...(isNew ? [outcomes[state]] : []), ...(isOther ? (['numbers_changed'] as const) : [])];
}

/** Before its check nothing is said of a link, which would end the check. */
const isSaid = ({ record, value }: Kept<'account'>): boolean =>
  record !== null && !value.isRemoved && value.score !== undefined;

/** Its account with what has changed; null: nothing. */
function noted(
  kept: Kept<'account'> | null,
  state: State,
  hash: string | null,
): Kept<'account'> | null {
  if (!kept || !isSaid(kept)) return null;
  const { record: linkId, value } = kept;
  const atMs = Date.now();
  const changed = changesOf(value, state, hash).map((outcome, index) => {
    const id = `${linkId}-${value.changes + index + 1}-${outcome}`;
    return { fact: { id, linkId, outcome } as LinkFact, atMs };
  });
  const said = [...value.said.filter((one) => one.atMs > atMs - againMs), ...changed];
  if (changed.length === 0 && said.length === value.said.length) return null;
  const changes = value.changes + changed.length;
  const now: State = value.state === 'revoked' ? 'revoked' : state;
  const numbers = hash ?? value.numbersHash;
  return { ...kept, value: { ...value, state: now, numbersHash: numbers, changes, said } };
}

/** Notes an account's changes. @returns what was said of it lately, with them */
async function note(
  { memory }: Parts,
  reference: string,
  state: State,
  hash: string | null,
): Promise<readonly Receipt[]> {
  const kept = await memory.change('account', reference, (now) => noted(now, state, hash));
  if (!kept || !isSaid(kept)) return [];
  const { tenantId, value } = kept;
  return value.said.map(({ fact }) => ({ id: fact.id, tenantId, port: 'aggregator', fact }));
}

/**
 * Looks at an item. A fact stays with its account for two days and is reported again whenever it is looked at: a process
 * that dies between two steps loses nothing, and the same id is taken once.
 * @param revoked accounts of it that the customer shares no longer
 * @throws PlaidFault where Plaid does not say how it stands
 */
export async function lookAt(
  parts: Parts,
  { key: itemId, value: item }: Kept<'item'>,
  call: RailsCall,
  revoked: readonly string[] = [],
): Promise<readonly Receipt[]> {
  const { accessToken, accountIds, isRevoked } = item;
  if (accessToken === null) return [];
  const state = isRevoked ? 'revoked' : await askState(parts, accessToken, item, call);
  const hashes = state === 'fine' ? await askHashes(parts, accessToken, call) : null;
  const receipts: Receipt[] = [];
  for (const accountId of accountIds) {
    const own = revoked.includes(accountId) ? 'revoked' : state;
    const reference = referenceOf(itemId, accountId);
    receipts.push(...(await note(parts, reference, own, hashes?.get(accountId) ?? null)));
  }
  return receipts;
}

const itemsOfATurn = 25;

/** Looks at an item, and lets go of one that nobody needs, also where its bank answers no more. */
async function turnOf(parts: Parts, item: Kept<'item'>, call: RailsCall) {
  try {
    return await lookAt(parts, item, call);
  } finally {
    await letGoOfIdle(parts, item.key, call);
  }
}

/** Walks all items, some at each turn, which finds what no message has told. @throws PlaidFault */
export async function walk(
  parts: Parts,
  cursor: string | null,
  call: RailsCall,
  late?: AbortSignal,
): Promise<PollResult> {
  const items = await parts.memory.list('item', cursor, itemsOfATurn);
  const looking = {
    cursor,
    pageSize: itemsOfATurn,
    isAsked: ({ value }: Kept<'item'>) => value.accessToken !== null && !value.isRevoked,
    look: (item: Kept<'item'>, given: RailsCall) => turnOf(parts, item, given),
    probe: (given: RailsCall) => askAnyBank(parts.client, given),
  };
  return lookAtEach(items, looking, call, late);
}
