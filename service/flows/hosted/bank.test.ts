import { expect, test } from 'vitest';
import { openHostedPages, refusalLine } from '../../../test/kit/pages/hosted.ts';
import type { Person } from '../../../test/kit/person.ts';
import { refusalOf } from '../../../test/kit/refusal.ts';
import { openServer } from '../../../test/kit/server.ts';

const server = await openServer({ manual: true });
const { api, engine } = server;
const pages = openHostedPages(server);
const ana = await api.approved('individual');

const linkToken = async ({ customerId }: Person): Promise<string> =>
  (await api.post(`/v1/customers/${customerId}/link-tokens`, { platform: 'ios' })).link_token;

/** Every bank of rules/sandbox#26: its mask, and the account to choose where it has several. */
const banks = [
  ['standard', 'checking', '1234', null],
  ['savings', 'savings', '5678', null],
  ['rtp_only', 'checking', '2222', null],
  ['no_rtp', 'checking', '3333', null],
  ['owner_mismatch', 'checking', '4444', null],
  ['review', 'checking', '5555', null],
  ['two_accounts', 'checking', '6666', 'acc_checking'],
  ['two_accounts', 'savings', '7777', 'acc_savings'],
  ['similar_name', 'checking', '8888', null],
  ['shared_account', 'checking', '9999', null],
  ['needs_login', 'checking', '1111', null],
] as const;

test('Sandbox Bank offers every bank with its accounts', async () => {
  const { body } = await pages.ask('/bank/open', { link_token: await linkToken(ana) });
  const offered = body.banks.flatMap(
    (bank: {
      bank: string;
      accounts: { account_type: string; account_mask: string; id: string }[];
    }) =>
      bank.accounts.map(({ account_type, account_mask, id }) => [
        bank.bank,
        account_type,
        account_mask,
        id,
      ]),
  );
  expect(offered).toEqual(banks);
  expect(body.customer_name).toBe('Ana R.');
});

test.each(banks)('%s, %s: the public token links its account', async (bank, type, mask, id) => {
  const person = await api.approved('individual');
  const link_token = await linkToken(person);
  const { body } = await pages.ask('/bank', { link_token, bank, account_id: id });
  const path = `/v1/customers/${person.customerId}/linked-accounts`;
  expect(await api.post(path, body)).toMatchObject({ account_type: type, account_mask: mask });
});

test('a public token made for another customer is a link_token_mismatch', async () => {
  const bo = await api.approved('individual');
  const { body } = await pages.ask('/bank', { link_token: await linkToken(bo), bank: 'standard' });
  const path = `/v1/customers/${ana.customerId}/linked-accounts`;
  expect(await refusalOf(api.post(path, body))).toMatchObject({ code: 'link_token_mismatch' });
});

test('an unknown bank or account is refused', async () => {
  const link_token = await linkToken(ana);
  const choose = async (choice: object) =>
    refusalLine(await pages.ask('/bank', { link_token, ...choice }));
  expect(await choose({ bank: 'foreign' })).toBe('parameter_invalid unknown');
  expect(await choose({ bank: 'constructor' })).toBe('parameter_invalid unknown');
  expect(await choose({ bank: 'two_accounts' })).toBe('parameter_invalid unknown');
  expect(await choose({ bank: 'standard', account_id: 'acc_checking' })).toBe(
    'parameter_invalid unknown',
  );
});

test('a link token expires, and is unknown to other tenants', async () => {
  const link_token = await linkToken(ana);
  const other = await server.anotherTenant();
  const bytes = Buffer.from(link_token.slice('link-sandbox_'.length), 'base64url');
  Buffer.from(other.tenantId.replaceAll('-', ''), 'hex').copy(bytes);
  const moved = `link-sandbox_${bytes.toString('base64url')}`;
  expect(refusalLine(await pages.ask('/bank/open', { link_token: moved }))).toBe(
    'session_invalid unknown',
  );
  await engine.moveClock(24 * 3600);
  for (const path of ['/bank/open', '/bank'])
    expect(
      refusalLine(
        await pages.ask(path, { link_token, ...(path === '/bank' ? { bank: 'savings' } : {}) }),
      ),
    ).toBe('session_invalid expired');
});
