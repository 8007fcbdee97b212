import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { uuid } from '../../test/kit/ids.ts';
import { openPlaid } from '../../test/kit/plaid/service.ts';
import { accountAt } from '../../test/kit/plaid/state.ts';

/** Bank accounts that customers link through Plaid, end to end against a counterpart that speaks Plaid's published API. */

const plaid = await openPlaid();
const { api, engine, service } = plaid.server;
const { counterpart } = plaid;
afterAll(() => counterpart.close());
beforeEach(() => {
  counterpart.state.calls.length = 0;
});
afterEach(() => expect(counterpart.faults).toEqual([]));

test('a customer links an account: checked, with its numbers for orders, and by no more calls than needed', async () => {
  const { customerId, link } = await plaid.linked();
  expect(link).toMatchObject({
    status: 'verified',
    institution_name: 'Royal Bank of Plaid',
    account_type: 'checking',
    capabilities: { withdrawal: true, load: true, pay_by_bank: true },
  });
  expect(counterpart.calls('/link/token/create')[0]?.body).toMatchObject({
    client_name: 'Corner Bank',
    user: { client_user_id: customerId, legal_name: 'Ana Reyes' },
    products: ['auth'],
    required_if_supported_products: ['identity'],
    redirect_uri: plaid.redirect,
    webhook: 'https://pay.example.com/rails/plaid',
  });
  expect(counterpart.calls('/item/public_token/exchange')).toHaveLength(1);
  expect(counterpart.calls('/identity/match')).toHaveLength(1);
  const [row] = await engine.query<{ numbers_sealed: string | null }>(
    'select numbers_sealed from linked_accounts where tenant_id = $1 and id = $2',
    uuid('linked_account', link.id),
  );
  expect(row?.numbers_sealed).not.toBeNull();
});

test.each([
  [100, 'verified', null],
  [85, 'verified', null],
  [84, 'held_for_review', null],
  [70, 'held_for_review', null],
  [69, 'failed', 'owner_mismatch'],
  [null, 'held_for_review', null],
])(
  "a holder's name that Plaid scores %s makes the link %s",
  async (score, status, failure_code) => {
    const { link } = await plaid.linked({ accounts: [accountAt({ score })] });
    expect(link).toMatchObject({ status, failure_code });
  },
);

test('tokenized numbers are marked, and an account that lasts under other numbers is known by its lasting id', async () => {
  const numbers = {
    account: '7700009999',
    routing: '011401533',
    is_tokenized_account_number: true,
  };
  const lasting = { persistent_account_id: `tan-${randomUUID()}` };
  const first = await plaid.linked({ accounts: [accountAt({ numbers, ...lasting })] });
  const { reference } = await plaid.accountOf(first);
  expect(await plaid.aggregator.numbers?.(reference)).toEqual({
    routing: '011401533',
    account: '7700009999',
    type: 'checking',
    tokenized: true,
  });
  const again = { ...numbers, account: '7700008888' };
  const second = await plaid.linked({ accounts: [accountAt({ numbers: again, ...lasting })] });
  expect(second.link).toMatchObject({ status: 'failed', failure_code: 'duplicate_account' });
});

test('a bank that takes no requests can still be paid, and one that takes nothing fails', async () => {
  const rtp = await plaid.linked({ accounts: [accountAt({ rfp: false })] });
  expect(rtp.link.capabilities).toEqual({ withdrawal: true, load: false, pay_by_bank: false });
  const none = await plaid.linked({ accounts: [accountAt({ rtp: false, rfp: false })] });
  expect(none.link.failure_code).toBe('rtp_not_supported');
});

test('of several accounts the one that was chosen is linked, and accounts without numbers are not offered', async () => {
  const [one, other] = [accountAt(), accountAt({ subtype: 'savings' })];
  const accounts = [one, other, accountAt({ subtype: 'cd' }), accountAt({ numbers: null })];
  const { link } = await plaid.linked({ accounts, chosen: other.account_id });
  expect(link).toMatchObject({ status: 'verified', account_type: 'savings' });
});

test('a public token of another customer, an unknown one and a used one link nothing', async () => {
  const [ana, ben] = [await plaid.opened(), await plaid.opened()];
  const { publicToken } = plaid.share(ana);
  plaid.share(ben);
  expect(await plaid.tryLink(ben, publicToken)).toMatchObject({
    status: 422,
    body: { error: { code: 'link_token_mismatch', details: { reason: 'other_customer' } } },
  });
  expect((await plaid.tryLink(ana, publicToken)).status).toBe(201);
  const stranger = await api.approved('individual');
  const unknown = await plaid.tryLink(stranger, `public-sandbox-${randomUUID()}`);
  expect(unknown.body.error.details).toEqual({ reason: 'other_customer' });
});

test('an exchange whose answer was lost is not made twice: the account is linked all the same', async () => {
  const customer = await plaid.opened();
  const { publicToken } = plaid.share(customer);
  const { tenantId } = plaid.server.tenant;
  const request = { tenantId, customerId: customer.customerId, publicToken };
  const first = await plaid.aggregator.exchange(request);
  const second = await plaid.aggregator.exchange(request);
  expect(second).toEqual(first);
  expect(counterpart.calls('/item/public_token/exchange')).toHaveLength(1);
  const other = await plaid.opened();
  const stolen = { ...request, customerId: other.customerId };
  expect(await plaid.aggregator.exchange(stolen)).toMatchObject({ mismatch: 'other_customer' });
});

test('a public token of which an account was linked links nothing again, also after its link has ended', async () => {
  const customer = await plaid.opened();
  const { publicToken, item } = plaid.share(customer);
  const { body } = await plaid.tryLink(customer, publicToken);
  await plaid.server.runJobs();
  await api.remove(`/v1/customers/${customer.customerId}/linked-accounts/${body.id}`);
  expect(await plaid.tryLink(customer, publicToken)).toMatchObject({
    status: 422,
    body: { error: { code: 'link_token_mismatch', details: { reason: 'unknown_token' } } },
  });
  expect(item.isRemoved).toBe(false);
});

test('a consent is withdrawn with the last account of it that was in use, and once', async () => {
  const accounts = [accountAt(), accountAt()];
  const chosen = accounts[0]?.account_id ?? '';
  const linked = await plaid.linked({ accounts, chosen });
  const { reference } = await plaid.accountOf(linked);
  await plaid.aggregator.remove?.(reference);
  await plaid.aggregator.remove?.(reference);
  expect(counterpart.calls('/item/remove')).toHaveLength(1);
  expect(await plaid.aggregator.numbers?.(reference)).toBeNull();
  const [{ count } = { count: null }] = (
    await service.pool.query(
      'select count(*)::int as count from rail_objects where value_sealed like $1',
      ['%access-%'],
    )
  ).rows;
  expect(count).toBe(0);
});

test('Link opens on Android by the package, on a phone by an address, and in the language of the customer', async () => {
  const { customerId } = await api.approved('individual');
  const path = `/v1/customers/${customerId}/link-tokens`;
  await api.post(path, { platform: 'android', android_package: 'com.shop', locale: 'es' });
  await api.post(path, { platform: 'ios', redirect_uri: plaid.redirect });
  const [android, ios] = counterpart.calls('/link/token/create').map(({ body }) => body);
  expect(android).toMatchObject({ android_package_name: 'com.shop', language: 'es' });
  expect(android).not.toHaveProperty('redirect_uri');
  expect(ios).toMatchObject({ redirect_uri: plaid.redirect, language: 'en' });
});
