import { defaultSettings } from '@tenant-payments/contract/core/settings.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { uuid } from '../../../test/kit/ids.ts';
import { openServer } from '../../../test/kit/server.ts';
import { openSandboxAggregator } from '../../sandbox/rails/aggregator.ts';
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

const server = await openServer({ manual: true });
const { api, engine } = server;
beforeAll(async () => {
  await engine.change({ link_redirect_uris: [registered] });
});

const registered = 'https://shop.example/linked';
const aggregator = openSandboxAggregator(server.service.vault);
const create = () => createLinkedAccount(aggregator, server.service.vault);
const linkToken = () => createLinkToken(aggregator, server.service);

const web = { platform: 'web', redirect_uri: registered } as const;
const publicToken = (bank: string) => ({ public_token: `public-sandbox-${bank}` });
const linkId = (link: { id: string }) => ({ id: uuid('linked_account', link.id) });

/** The visible fields of a link. */
const linked = (id: string, bank: string, account?: string) =>
  engine.run(create(), {
    id,
    ...publicToken(bank),
    ...(account ? { aggregator_account_id: account } : {}),
  });

describe('link tokens', () => {
  test('one opens the widget for four hours and is stored only as a hash', async () => {
    const { customerId: id } = await api.approved('individual');
    const token = await engine.run(linkToken(), { id, ...web });
    expect(Object.keys(token)).toEqual(['object', 'link_token', 'expiration']);
    const inFourHours = Date.parse(await engine.context().now()) + 4 * 3600 * 1000;
    expect(Math.abs(Date.parse(token.expiration) - inFourHours)).toBeLessThan(10_000);
    const rows = await engine.query('select t::text from link_tokens t where tenant_id = $1');
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token.link_token);
  });

  test('a replay gives the same secret token', async () => {
    const { customerId } = await api.approved('individual');
    const ask = () =>
      server.call('POST', `/v1/customers/${customerId}/link-tokens`, { key: 'k-1', body: web });
    const [first, second] = [await ask(), await ask()];
    expect(first.status).toBe(201);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  test('refusals in the order of the checks', async () => {
    const { customerId: id, accountId } = await api.approved('individual');
    const unverified = await api.customer('individual');
    const account = { id: uuid('account', accountId) };
    await engine.run(suspendAccount, account);
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
      expect(await engine.refusal(linkToken(), input)).toMatchObject({ code, details });
    await engine.run(reactivateAccount, account);
    await engine.run(linkToken(), { id, platform: 'android' });
  });
});

describe('the banks of the sandbox', () => {
  test.each([
    ['standard', 'checking', '1234', { withdrawal: true, load: true, pay_by_bank: true }],
    ['savings-7', 'savings', '5678', { withdrawal: true, load: true, pay_by_bank: true }],
    ['rtp_only', 'checking', '2222', { withdrawal: true, load: false, pay_by_bank: false }],
  ])('%s is a %s account %s', async (bank, account_type, account_mask, capabilities) => {
    const { customerId } = await api.approved('individual');
    const link = await linked(customerId, bank);
    expect(link).toMatchObject({ status: 'pending', account_type, account_mask, version: 1 });
    expect(Object.values(link.capabilities)).toEqual([false, false, false]);
    const verified = await engine.run(verifyLink, linkId(link));
    expect(verified).toMatchObject({
      status: 'verified',
      capabilities,
      withdrawal_hold_until: null,
    });
  });

  test('no_rtp cannot be verified', async () => {
    const { customerId } = await api.approved('individual');
    const link = await linked(customerId, 'no_rtp');
    expect(await engine.refusal(verifyLink, linkId(link))).toMatchObject({
      details: { reason: 'rtp_not_supported' },
    });
  });

  test('two_accounts needs the chosen account', async () => {
    const { customerId } = await api.approved('individual');
    const link = await linked(customerId, 'two_accounts', 'acc_savings');
    expect(link).toMatchObject({ account_type: 'savings', account_mask: '7777' });
  });
});

describe('linking is refused', () => {
  test('before the token is checked: not_found, linked_account_exists, customer_not_verified', async () => {
    const { customerId, linkedAccountId } = await api.banked('individual');
    const unverified = await api.customer('individual');
    const bad = publicToken('foreign');
    expect(await engine.refusal(create(), { id: 'cus_nobody', ...bad })).toMatchObject({
      code: 'not_found',
    });
    expect(await engine.refusal(create(), { id: customerId, ...bad })).toMatchObject({
      code: 'linked_account_exists',
      details: { linked_account_id: linkedAccountId },
    });
    expect(await engine.refusal(create(), { id: unverified.id, ...bad })).toMatchObject({
      code: 'customer_not_verified',
    });
  });

  test('with link_token_mismatch and its reason', async () => {
    const { customerId, accountId } = await api.approved('individual');
    const other = await api.customer('individual');
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
        await engine.refusal(create(), { id: customerId, public_token, aggregator_account_id }),
      ).toEqual({ code: 'link_token_mismatch', param: 'public_token', details: { reason } });
    await engine.run(suspendAccount, { id: uuid('account', accountId) });
    expect(
      await engine.refusal(create(), { id: customerId, ...publicToken('standard') }),
    ).toMatchObject({ code: 'link_token_mismatch', details: { reason: 'account_suspended' } });
    await engine.run(reactivateAccount, { id: uuid('account', accountId) });
    await linked(customerId, `standard-${customerId}-1`);
  });
});

test('of twenty parallel requests of one customer exactly one makes a link', async () => {
  const { customerId } = await api.approved('individual');
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => linked(customerId, `standard-${index}`)),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('the first verified link has no hold, a later one has until its time', async () => {
  const hours = defaultSettings('x').withdrawal_hold_hours;
  const { customerId, linkedAccountId } = await api.banked('individual');
  const remove = (id: string) =>
    engine.run(removeLinkedAccount, { id: customerId, linked_account_id: id });
  expect(await remove(linkedAccountId ?? '')).toMatchObject({
    status: 'removed',
    capabilities: { withdrawal: false, load: false, pay_by_bank: false },
  });
  const link = await linked(customerId, 'savings');
  const verified = await engine.run(verifyLink, linkId(link));
  const holds = async () =>
    (await engine.jobs(linkId(link).id)).filter(({ name }) => name === 'withdrawal_hold');
  expect(await holds()).toEqual([
    { name: 'withdrawal_hold', due_at: verified.withdrawal_hold_until },
  ]);
  await engine.run(withdrawalHoldJob, { ref: linkId(link).id });
  expect(await holds()).toHaveLength(1);
  await engine.moveClock(hours * 3600 + 1);
  await engine.run(withdrawalHoldJob, { ref: linkId(link).id });
  expect(await holds()).toEqual([]);
  const { data } = await listLinkedAccounts(engine.context(), { id: customerId });
  expect(data).toMatchObject([
    { id: link.id, status: 'verified', withdrawal_hold_until: null, version: 3 },
    { id: linkedAccountId, status: 'removed' },
  ]);
  expect(await engine.refusal(releaseLinkHold, linkId(link))).toMatchObject({
    code: 'invalid_state',
  });
});

test('a link after a failed one has no hold; a failed one can be removed', async () => {
  const { customerId } = await api.approved('individual');
  const failed = await linked(customerId, 'owner_mismatch');
  await engine.run(failLink, { ...linkId(failed), failure_code: 'owner_mismatch' });
  const next = await linked(customerId, 'review');
  await engine.run(holdLinkForReview, linkId(next));
  expect(await engine.run(verifyLink, linkId(next))).toMatchObject({ withdrawal_hold_until: null });
  const closed = await engine.run(failLink, { ...linkId(next), failure_code: 'account_closed' });
  expect(closed).toMatchObject({ status: 'failed', failure_code: 'account_closed' });
  expect(await engine.events(linkId(next).id)).toEqual([
    'linked_account.created',
    'linked_account.held_for_review',
    'linked_account.verified',
    'linked_account.failed',
  ]);
  await engine.run(removeLinkedAccount, { id: customerId, linked_account_id: next.id });
});

test("removal is refused for a pending or removed link, and for another customer's", async () => {
  const { customerId } = await api.approved('individual');
  const other = await api.customer('individual');
  const link = await linked(customerId, 'standard');
  const input = { id: customerId, linked_account_id: link.id };
  expect(await engine.refusal(removeLinkedAccount, input)).toMatchObject({
    code: 'invalid_state',
    details: { current_status: 'pending', allowed: ['verified', 'failed', 'held_for_review'] },
  });
  expect(await engine.refusal(removeLinkedAccount, { ...input, id: other.id })).toMatchObject({
    code: 'not_found',
  });
  await expect(listLinkedAccounts(engine.context(), { id: 'cus_x' })).rejects.toMatchObject({
    code: 'not_found',
  });
  expect((await listLinkedAccounts(engine.context(), { id: other.id })).data).toEqual([]);
});

test('a reviewer ends a link whose check nobody answers, and another one takes its place', async () => {
  const { customerId: id } = await api.approved('individual');
  const lost = await linked(id, 'standard');
  const other = { id, ...publicToken('savings') };
  expect(await engine.refusal(create(), other)).toMatchObject({ code: 'linked_account_exists' });
  await api.post(`/portal/api/review/linked-accounts/${lost.id}/reject`, {});
  const next = await engine.run(create(), other);
  expect((await listLinkedAccounts(engine.context(), { id })).data).toMatchObject([
    { id: next.id, status: 'pending' },
    { id: lost.id, status: 'failed', failure_code: 'review_rejected' },
  ]);
});
