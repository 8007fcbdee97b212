import { defaultSettings } from '@tenant-payments/contract/core/settings.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type House, openHouse, uuid } from '../../../test/kit/people.ts';
import { reactivateAccount, suspendAccount } from '../accounts/moves.ts';
import { createLinkedAccount } from './create.ts';
import { createLinkToken } from './link_token.ts';
import {
  failLink,
  holdLinkForReview,
  releaseLinkHold,
  verifyLink,
  withdrawalHoldJob,
} from './moves.ts';
import { listLinkedAccounts } from './read.ts';
import { removeLinkedAccount } from './remove.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse();
  await house.change({ link_redirect_uris: [registered] });
});
afterAll(() => house.test.stop());

const registered = 'https://shop.example/linked';
const create = () => createLinkedAccount(house.aggregator, house.test.service.vault);
const linkToken = () => createLinkToken(house.aggregator);

const web = { platform: 'web', redirect_uri: registered } as const;
const publicToken = (bank: string) => ({ public_token: `public-sandbox-${bank}` });
const linkId = (link: { id: string }) => ({ id: uuid('linked_account', link.id) });

/** What a link has that a customer sees. */
const linked = (id: string, bank: string, account?: string) =>
  house.run(create(), {
    id,
    ...publicToken(bank),
    ...(account ? { aggregator_account_id: account } : {}),
  });

describe('link tokens', () => {
  test('one opens the widget for four hours and is kept as its hash alone', async () => {
    const { customerId: id } = await house.approved('individual');
    const token = await house.run(linkToken(), { id, ...web });
    expect(Object.keys(token)).toEqual(['object', 'link_token', 'expiration']);
    const inFourHours = Date.parse(await house.context().now()) + 4 * 3600 * 1000;
    expect(Math.abs(Date.parse(token.expiration) - inFourHours)).toBeLessThan(10_000);
    const { rows } = await house.test.service.pool.query('select t::text from link_tokens t');
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token.link_token);
  });

  test('the reply is replayed as it was, though it is a secret', async () => {
    const { customerId } = await house.approved('individual');
    const ask = () =>
      house.test.call('POST', `/v1/customers/${customerId}/link-tokens`, { key: 'k-1', body: web });
    const [first, second] = [await ask(), await ask()];
    expect(first.status).toBe(201);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  test('refusals, in the order of precedence', async () => {
    const { customerId: id, accountId } = await house.approved('individual');
    const unverified = await house.customer('individual');
    const account = { id: uuid('account', accountId) };
    await house.run(suspendAccount, account);
    const cases = [
      [{ id, platform: 'web' }, 'parameter_missing', null],
      [
        { id: 'cus_nobody', platform: 'ios', redirect_uri: 'https://other.example' },
        'parameter_invalid',
        { reason: 'not_registered', allowed: [registered] },
      ],
      [{ id: 'cus_nobody', ...web }, 'not_found', null],
      [{ id: unverified.id, ...web }, 'customer_not_verified', { verification_status: 'created' }],
      [{ id, ...web }, 'account_restricted', { reason: 'suspended' }],
    ] as const;
    for (const [input, code, details] of cases)
      expect(await house.refusal(linkToken(), input)).toMatchObject({ code, details });
    await house.run(reactivateAccount, account);
    await house.run(linkToken(), { id, platform: 'android' });
  });
});

describe('the banks of the sandbox', () => {
  test.each([
    ['standard', 'checking', '1234', { withdrawal: true, load: true, pay_by_bank: true }],
    ['savings-7', 'savings', '5678', { withdrawal: true, load: true, pay_by_bank: true }],
    ['rtp_only', 'checking', '2222', { withdrawal: true, load: false, pay_by_bank: false }],
  ])('%s is a %s account %s', async (bank, account_type, account_mask, capabilities) => {
    const { customerId } = await house.approved('individual');
    const link = await linked(customerId, bank);
    expect(link).toMatchObject({ status: 'pending', account_type, account_mask, version: 1 });
    expect(Object.values(link.capabilities)).toEqual([false, false, false]);
    const verified = await house.run(verifyLink, linkId(link));
    expect(verified).toMatchObject({
      status: 'verified',
      capabilities,
      withdrawal_hold_until: null,
    });
  });

  test('no_rtp cannot be verified', async () => {
    const { customerId } = await house.approved('individual');
    const link = await linked(customerId, 'no_rtp');
    expect(await house.refusal(verifyLink, linkId(link))).toMatchObject({
      details: { reason: 'rtp_not_supported' },
    });
  });

  test('two_accounts needs the account that was chosen', async () => {
    const { customerId } = await house.approved('individual');
    const link = await linked(customerId, 'two_accounts', 'acc_savings');
    expect(link).toMatchObject({ account_type: 'savings', account_mask: '7777' });
  });
});

describe('linking is refused', () => {
  test('before the token is looked at: not_found, linked_account_exists, customer_not_verified', async () => {
    const { customerId, linkedAccountId } = await house.approved('individual', 'standard');
    const unverified = await house.customer('individual');
    const bad = publicToken('foreign');
    expect(await house.refusal(create(), { id: 'cus_nobody', ...bad })).toMatchObject({
      code: 'not_found',
    });
    expect(await house.refusal(create(), { id: customerId, ...bad })).toMatchObject({
      code: 'linked_account_exists',
      details: { linked_account_id: linkedAccountId },
    });
    expect(await house.refusal(create(), { id: unverified.id, ...bad })).toMatchObject({
      code: 'customer_not_verified',
    });
  });

  test('link_token_mismatch says why', async () => {
    const { customerId, accountId } = await house.approved('individual');
    const other = await house.customer('individual');
    const cases = [
      ['public-sandbox-foreign', undefined, 'unknown_token'],
      ['public-sandbox-constructor', undefined, 'unknown_token'],
      ['something else', undefined, 'unknown_token'],
      [`public-sandbox-standard-${other.id}-1`, undefined, 'other_customer'],
      ['public-sandbox-two_accounts', undefined, 'account_required'],
      ['public-sandbox-two_accounts', 'acc_other', 'account_unknown'],
    ] as const;
    for (const [public_token, aggregator_account_id, reason] of cases)
      expect(
        await house.refusal(create(), { id: customerId, public_token, aggregator_account_id }),
      ).toEqual({ code: 'link_token_mismatch', param: 'public_token', details: { reason } });
    await house.run(suspendAccount, { id: uuid('account', accountId) });
    expect(
      await house.refusal(create(), { id: customerId, ...publicToken('standard') }),
    ).toMatchObject({ code: 'link_token_mismatch', details: { reason: 'account_suspended' } });
    await house.run(reactivateAccount, { id: uuid('account', accountId) });
    await linked(customerId, `standard-${customerId}-1`);
  });
});

test('twenty parallel links of one customer make exactly one', async () => {
  const { customerId } = await house.approved('individual');
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => linked(customerId, `standard-${index}`)),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('the first link is free, a later one is held until its time', async () => {
  const hours = defaultSettings('x').withdrawal_hold_hours;
  const { customerId, linkedAccountId } = await house.approved('individual', 'standard');
  const remove = (id: string) =>
    house.run(removeLinkedAccount, { id: customerId, linked_account_id: id });
  expect(await remove(linkedAccountId ?? '')).toMatchObject({
    status: 'removed',
    capabilities: { withdrawal: false, load: false, pay_by_bank: false },
  });
  const link = await linked(customerId, 'savings');
  const verified = await house.run(verifyLink, linkId(link));
  const holds = async () =>
    (await house.jobs(linkId(link).id)).filter(({ name }) => name === 'withdrawal_hold');
  expect(await holds()).toEqual([
    { name: 'withdrawal_hold', due_at: verified.withdrawal_hold_until },
  ]);
  await house.run(withdrawalHoldJob, { ref: linkId(link).id });
  expect(await holds()).toHaveLength(1);
  await house.advance(hours * 3600 + 1);
  await house.run(withdrawalHoldJob, { ref: linkId(link).id });
  expect(await holds()).toEqual([]);
  const { data } = await listLinkedAccounts(house.context(), { id: customerId });
  expect(data).toMatchObject([
    { id: link.id, status: 'verified', withdrawal_hold_until: null, version: 3 },
    { id: linkedAccountId, status: 'removed' },
  ]);
  expect(await house.refusal(releaseLinkHold, linkId(link))).toMatchObject({
    code: 'invalid_state',
  });
});

test('a failed first link leaves the next one free; a failed one can be removed', async () => {
  const { customerId } = await house.approved('individual');
  const failed = await linked(customerId, 'owner_mismatch');
  await house.run(failLink, { ...linkId(failed), failure_code: 'owner_mismatch' });
  const next = await linked(customerId, 'review');
  await house.run(holdLinkForReview, linkId(next));
  expect(await house.run(verifyLink, linkId(next))).toMatchObject({ withdrawal_hold_until: null });
  const closed = await house.run(failLink, { ...linkId(next), failure_code: 'account_closed' });
  expect(closed).toMatchObject({ status: 'failed', failure_code: 'account_closed' });
  expect(await house.events(linkId(next).id)).toEqual([
    'linked_account.created',
    'linked_account.held_for_review',
    'linked_account.verified',
    'linked_account.failed',
  ]);
  await house.run(removeLinkedAccount, { id: customerId, linked_account_id: next.id });
});

test("removal is refused for a pending or removed link, and for another customer's", async () => {
  const { customerId } = await house.approved('individual');
  const other = await house.customer('individual');
  const link = await linked(customerId, 'standard');
  const input = { id: customerId, linked_account_id: link.id };
  expect(await house.refusal(removeLinkedAccount, input)).toMatchObject({
    code: 'invalid_state',
    details: { current_status: 'pending', allowed: ['verified', 'failed', 'held_for_review'] },
  });
  expect(await house.refusal(removeLinkedAccount, { ...input, id: other.id })).toMatchObject({
    code: 'not_found',
  });
  await expect(listLinkedAccounts(house.context(), { id: 'cus_x' })).rejects.toMatchObject({
    code: 'not_found',
  });
  expect((await listLinkedAccounts(house.context(), { id: other.id })).data).toEqual([]);
});
