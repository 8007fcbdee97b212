import { afterAll, afterEach, expect, test } from 'vitest';
import { uuid } from '../../test/kit/ids.ts';
import { openPlaid } from '../../test/kit/plaid/service.ts';
import { accountAt, type PlaidItem } from '../../test/kit/plaid/state.ts';

/** Plaid's reports of accounts that were linked, by messages and when it is asked. */

const lines: string[] = [];
const plaid = await openPlaid({ onLog: (line) => void lines.push(line) });
const { counterpart, server } = plaid;
const { api, engine } = server;
afterAll(() => counterpart.close());
afterEach(() => expect(counterpart.faults).toEqual([]));

const fault = (error_code: string) => ({
  error_type: 'ITEM_ERROR',
  error_code,
  error_message: 'said by the counterpart',
  display_message: null,
});
const ofItem = ({ item_id }: PlaidItem, webhook_code: string, more: object = {}) => ({
  webhook_type: 'ITEM',
  webhook_code,
  item_id,
  ...more,
});
const loginRequired = (item: PlaidItem) =>
  ofItem(item, 'ERROR', { error: fault('ITEM_LOGIN_REQUIRED') });
const repaired = (item: PlaidItem) => ofItem(item, 'LOGIN_REPAIRED');
/** Its consent ends in so many days. */
const ending = (item: PlaidItem, days: number) => {
  const disconnect_time = new Date(Date.now() + days * 86_400_000).toISOString();
  const more = { reason: 'INSTITUTION_MIGRATION', disconnect_time };
  return ofItem(item, 'PENDING_DISCONNECT', more);
};
const revoked = (item: PlaidItem) => ofItem(item, 'USER_PERMISSION_REVOKED');
const eventsOf = async ({ id }: { readonly id: string }) =>
  (await engine.events(uuid('linked_account', id))).slice(2);
const needsLogin = async ({ id }: { readonly id: string }) =>
  (await plaid.linkOf(id)).needs_login_at ?? null;

/** One turn of the poll after another, until all items were looked at. */
async function pollAll(): Promise<void> {
  await server.service.control.query(
    `update control.rail_polls set next_at = '2000-01-01', cursor = null where provider = 'plaid'
     and tenant_id = '00000000-0000-0000-0000-000000000000'`,
  );
  expect(await plaid.poll()).toBe('done');
}

test('a forged, old, altered or unsigned message is refused, and changes nothing', async () => {
  const { item, link } = await plaid.linked();
  item.error = 'ITEM_LOGIN_REQUIRED';
  const message = loginRequired(item);
  for (const forging of [
    { ageSeconds: 400 },
    { signedBody: '{}' },
    { kid: 'c0ffee00-0000-4000-8000-000000000000' },
    { jwt: 'eyJhbGciOiJub25lIn0.e30.' },
    { jwt: 'no token' },
    { jwt: '' },
  ])
    expect([forging, await plaid.tell(message, forging)]).toEqual([forging, 401]);
  expect(await needsLogin(link)).toBeNull();
  expect(await plaid.tell(message)).toBe(200);
  expect(await needsLogin(link)).not.toBeNull();
});

test('a key of Plaid is asked for once', async () => {
  counterpart.state.calls.length = 0;
  const { item } = await plaid.linked();
  for (let times = 0; times < 3; times += 1) expect(await plaid.tell(repaired(item))).toBe(200);
  expect(counterpart.calls('/webhook_verification_key/get').length).toBeLessThanOrEqual(1);
});

test('messages that repeat, and come out of order, move a link once to where it stands at Plaid', async () => {
  const { item, link } = await plaid.linked();
  item.error = 'ITEM_LOGIN_REQUIRED';
  // The repair was before; it comes afterwards.
  for (const message of [loginRequired(item), repaired(item), loginRequired(item)])
    expect(await plaid.tell(message)).toBe(200);
  expect(await needsLogin(link)).not.toBeNull();
  item.error = null;
  await Promise.all(
    [repaired(item), repaired(item), loginRequired(item)].map((one) => plaid.tell(one)),
  );
  expect(await needsLogin(link)).toBeNull();
  expect(await eventsOf(link)).toEqual(['linked_account.updated', 'linked_account.updated']);
});

test('a customer who must sign in again does so in Link, which makes no new item', async () => {
  const { item, link, customerId } = await plaid.linked();
  item.error = 'ITEM_LOGIN_REQUIRED';
  await plaid.tell(loginRequired(item));
  const { link_token } = await api.post(`/v1/customers/${customerId}/link-tokens`, {
    platform: 'web',
    redirect_uri: plaid.redirect,
    linked_account_id: link.id,
  });
  const [asked] = counterpart.calls('/link/token/create').slice(-1);
  expect(asked?.body).toMatchObject({ access_token: item.access_token });
  expect(asked?.body).not.toHaveProperty('products');
  item.error = null;
  const finished = { webhook_type: 'LINK', webhook_code: 'SESSION_FINISHED', status: 'SUCCESS' };
  await plaid.tell({ ...finished, link_session_id: 's', link_token });
  expect(await needsLogin(link)).toBeNull();
});

test('a bank that is about to end a consent asks the customer in time', async () => {
  const { item, link } = await plaid.linked();
  await plaid.tell(ending(item, 3));
  expect(await needsLogin(link)).not.toBeNull();
  await plaid.tell(repaired(item));
  expect(await needsLogin(link)).toBeNull();
});

test('a customer who leaves Link has not renewed a consent that is about to end, and one who ends it has', async () => {
  const { item, link, customerId } = await plaid.linked();
  await plaid.tell(ending(item, 3));
  const { link_token } = await api.post(`/v1/customers/${customerId}/link-tokens`, {
    platform: 'web',
    redirect_uri: plaid.redirect,
    linked_account_id: link.id,
  });
  const finished = { webhook_type: 'LINK', webhook_code: 'SESSION_FINISHED', link_session_id: 's' };
  await plaid.tell({ ...finished, status: 'EXITED', link_token });
  expect(await needsLogin(link)).not.toBeNull();
  await plaid.tell({ ...finished, status: 'SUCCESS', link_token });
  expect(await needsLogin(link)).toBeNull();
});

test('a consent whose end has passed while its bank gives on was renewed, though no message says so', async () => {
  const { item, link } = await plaid.linked();
  await plaid.tell(ending(item, 3));
  expect(await needsLogin(link)).not.toBeNull();
  await plaid.tell(ending(item, -2));
  expect(await needsLogin(link)).toBeNull();
});

test('a withdrawn consent ends the link once, and nothing that comes later brings it back', async () => {
  const { item, link } = await plaid.linked();
  const told = [revoked(item), revoked(item), repaired(item)];
  for (const message of told) expect(await plaid.tell(message)).toBe(200);
  await pollAll();
  expect(await plaid.linkOf(link.id)).toMatchObject({
    status: 'failed',
    failure_code: 'consent_revoked',
  });
  expect(await eventsOf(link)).toEqual(['linked_account.failed']);
});

test('of an item with two accounts the one is ended that its customer no longer shares', async () => {
  const accounts = [accountAt(), accountAt()];
  const chosen = accounts[0]?.account_id ?? '';
  const { item, link } = await plaid.linked({ accounts, chosen });
  const of = (account_id = '') => ofItem(item, 'USER_ACCOUNT_REVOKED', { account_id });
  await plaid.tell(of(accounts[1]?.account_id));
  expect((await plaid.linkOf(link.id)).status).toBe('verified');
  await plaid.tell(of(chosen));
  expect((await plaid.linkOf(link.id)).failure_code).toBe('consent_revoked');
});

test('numbers that a bank has replaced are asked for again', async () => {
  const account = accountAt();
  const { item, link } = await plaid.linked({ accounts: [account] });
  const sealedOf = async () => {
    const [row] = await engine.query<{ numbers_sealed: string | null }>(
      'select numbers_sealed from linked_accounts where tenant_id = $1 and id = $2',
      uuid('linked_account', link.id),
    );
    return row?.numbers_sealed;
  };
  const before = await sealedOf();
  account.numbers = {
    account: '7712345678',
    routing: '011401533',
    is_tokenized_account_number: false,
  };
  const { item_id } = item;
  const told = { webhook_type: 'AUTH', webhook_code: 'DEFAULT_UPDATE', item_id, error: null };
  await plaid.tell({
    ...told,
    account_ids_with_new_auth: [],
    account_ids_with_updated_auth: { [account.account_id]: ['ACCOUNT_NUMBER'] },
  });
  await server.runJobs();
  expect(await sealedOf()).not.toBe(before);
});

test('what no message has told is found when Plaid is asked, and said once', async () => {
  const [lost, fine] = [await plaid.linked(), await plaid.linked()];
  lost.item.error = 'ITEM_LOGIN_REQUIRED';
  await pollAll();
  await pollAll();
  expect(await needsLogin(lost.link)).not.toBeNull();
  expect(await needsLogin(fine.link)).toBeNull();
  expect(await eventsOf(lost.link)).toEqual(['linked_account.updated']);
});

test('a message of a link that is not checked yet does not decide the check', async () => {
  const customer = await plaid.opened();
  const { publicToken, item } = plaid.share(customer, [accountAt({ score: 10 })]);
  const { body } = await plaid.tryLink(customer, publicToken);
  expect(await plaid.tell(repaired(item))).toBe(200);
  await server.runJobs();
  expect(await plaid.linkOf(body.id)).toMatchObject({ failure_code: 'owner_mismatch' });
});

test('an item of another deployment, and what Plaid tells of other things, is left out', async () => {
  const { item } = await plaid.linked();
  expect(await plaid.tell(repaired({ ...item, item_id: 'of-somebody-else' }))).toBe(200);
  expect(await plaid.tell({ ...repaired(item), environment: 'production' })).toBe(200);
});

test('while Plaid is down a message comes again, and the alarm names the provider', async () => {
  const { item, link } = await plaid.linked();
  item.error = 'ITEM_LOGIN_REQUIRED';
  counterpart.misbehaviour.isDown = true;
  lines.length = 0;
  expect(await plaid.tell(loginRequired(item))).toBe(503);
  expect(lines.join()).toContain('"alarm":"rail_provider","provider":"plaid"');
  counterpart.misbehaviour.isDown = false;
  expect(await plaid.tell(loginRequired(item))).toBe(200);
  expect(await needsLogin(link)).not.toBeNull();
});

test('what was shared and not linked for 60 days is removed at Plaid, once, and what was linked stays', async () => {
  const { item: linked } = await plaid.linked();
  const customer = await plaid.opened();
  const { publicToken, item: idle } = plaid.share(customer);
  const { tenantId } = server.tenant;
  await plaid.aggregator.exchange({ tenantId, customerId: customer.customerId, publicToken });
  const objects = server.providers.objectsOf('plaid');
  const removals = () => counterpart.calls('/item/remove').length;
  const before = removals();
  await pollAll();
  const kept = await objects.get('item', idle.item_id);
  if (!kept) throw new Error('the adapter remembers the item');
  const value = kept.value as { readonly idleSinceMs: number };
  expect(value.idleSinceMs).toBeLessThanOrEqual(Date.now());
  expect(removals()).toBe(before);
  const idleSinceMs = value.idleSinceMs - 61 * 86_400_000;
  await objects.put({ ...kept, value: { ...value, idleSinceMs } });
  for (let times = 0; times < 2; times += 1) await pollAll();
  expect([idle.isRemoved, linked.isRemoved, removals()]).toEqual([true, false, before + 1]);
});
