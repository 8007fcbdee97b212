import { afterAll, beforeAll, expect, test } from 'vitest';
import { type House, onboard, openHouse, uuid } from '../../../test/kit/people.ts';
import { reactivateAccount, suspendAccount } from '../accounts/moves.ts';
import { listAccounts } from '../accounts/read.ts';
import { lockPin } from './credentials/pin_lock.ts';
import { approveCustomer, holdCustomerForReview, rejectCustomer, requestMore } from './moves.ts';
import { approveOwner, rejectOwner } from './owners/moves.ts';
import { getCustomer, listDocuments, listOwners } from './read.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.test.stop());

const dayPlus = 24 * 3600 + 1;

async function submitted(type: 'individual' | 'business', more = {}) {
  const created = await house.customer(type, more);
  const id = uuid('customer', created.id);
  await house.run(onboard, { id });
  return { id, wire: { id: created.id as string } };
}

test('an individual who submits has accepted four documents, set a PIN and is pending', async () => {
  const { id, wire } = await submitted('individual');
  const { data } = await listDocuments(house.context(), wire);
  expect(data.map((row) => row.document_type).sort()).toEqual([
    'cip_notice',
    'digital_account_terms',
    'esign_consent',
    'privacy_notice',
  ]);
  expect(
    new Set(data.map(({ status, channel, version }) => `${status} ${channel} ${version}`)),
  ).toEqual(new Set(['accepted onboarding 2026-01']));
  expect(await getCustomer(house.context(), wire)).toMatchObject({
    verification: { status: 'pending' },
    version: 2,
  });
  const { rows } = await house.test.service.pool.query(
    'select attempts from pins where customer_id = $1',
    [id],
  );
  expect(rows).toEqual([{ attempts: 0 }]);
  expect(await house.events(id)).toEqual(['customer.created', 'customer.pending']);
});

test('approval opens the account once, with empty pockets and the name that others see', async () => {
  const { id, wire } = await submitted('individual');
  const approved = await house.run(approveCustomer, { id });
  expect(approved).toMatchObject({ verification: { status: 'approved' }, version: 3 });
  const { data } = await listAccounts(house.context(), { customer_id: wire.id });
  expect(data).toMatchObject([{ id: approved.account_id, type: 'consumer', status: 'active' }]);
  const { rows } = await house.test.service.pool.query(
    'select holder_name, available from accounts a join balances b on b.account_id = a.id where customer_id = $1',
    [id],
  );
  expect(rows).toEqual([{ holder_name: 'Ana R.', available: 0 }]);
  expect(await house.refusal(approveCustomer, { id })).toMatchObject({ code: 'invalid_state' });
});

test('a business is approved when its one control person and every large owner are', async () => {
  const { id, wire } = await submitted('business');
  expect(await house.refusal(approveCustomer, { id })).toEqual({
    code: 'invalid_state',
    param: null,
    details: { current_status: 'pending', allowed: [], reason: 'owners_incomplete' },
  });
  const { data } = await listOwners(house.context(), wire);
  expect(data).toMatchObject([
    { role: 'owner_and_control_person', ownership_percent: 100, verification_status: 'pending' },
  ]);
  await house.run(approveOwner, { id: uuid('owner', data[0]?.id ?? '') });
  const complete = await getCustomer(house.context(), wire);
  expect(complete.business?.owners_status).toBe('complete');
  const approved = await house.run(approveCustomer, { id });
  expect(approved.business).toEqual({
    legal_name: 'Corner Cafe LLC',
    trading_name: null,
    industry: null,
    owners_status: 'complete',
  });
  expect((await listDocuments(house.context(), wire)).data).toHaveLength(6);
  expect(await house.events(id)).toEqual([
    'customer.created',
    'customer.pending',
    'customer.updated',
    'customer.approved',
  ]);
});

test('a rejected owner keeps the business from being approved', async () => {
  const { id, wire } = await submitted('business');
  const { data } = await listOwners(house.context(), wire);
  const owner = { id: uuid('owner', data[0]?.id ?? '') };
  await house.run(rejectOwner, owner);
  expect(await house.refusal(approveCustomer, { id })).toMatchObject({ code: 'invalid_state' });
  expect(await house.refusal(approveOwner, owner)).toEqual({
    code: 'invalid_state',
    param: null,
    details: { current_status: 'rejected', allowed: ['pending', 'in_review'] },
  });
});

test('a rejected customer waits a day, then a week, then for ever', async () => {
  const { id, wire } = await submitted('individual');
  await house.run(rejectCustomer, { id });
  expect(await house.refusal(onboard, { id })).toMatchObject({
    code: 'invalid_state',
    details: { current_status: 'rejected', reason: 'retry_available_at' },
  });
  await house.advance(dayPlus);
  await house.run(onboard, { id });
  await house.run(rejectCustomer, { id });
  await house.advance(dayPlus);
  expect(await house.refusal(onboard, { id })).toMatchObject({ code: 'invalid_state' });
  await house.advance(6 * dayPlus);
  await house.run(onboard, { id });
  await house.run(rejectCustomer, { id });
  expect((await getCustomer(house.context(), wire)).verification.retry_available_at).toBeNull();
  await house.advance(365 * dayPlus);
  expect(await house.refusal(onboard, { id })).toMatchObject({ details: { reason: 'final' } });
});

test('a second submission, which the reviewer asked for, changes nothing that is shown', async () => {
  const { id, wire } = await submitted('individual');
  expect(await house.refusal(onboard, { id })).toMatchObject({ code: 'invalid_state' });
  await house.run(holdCustomerForReview, { id });
  await house.run(requestMore, { id });
  const before = await getCustomer(house.context(), wire);
  await house.run(onboard, { id });
  expect(await getCustomer(house.context(), wire)).toEqual(before);
  expect(await house.refusal(onboard, { id })).toMatchObject({ code: 'invalid_state' });
});

test('doubt after approval suspends the account, a second approval makes it active again', async () => {
  const { customerId, accountId } = await house.approved('individual');
  const id = uuid('customer', customerId);
  await house.run(holdCustomerForReview, { id });
  expect(await house.events(uuid('account', accountId))).toEqual([
    'account.created',
    'account.suspended',
  ]);
  await house.run(approveCustomer, { id });
  const { data } = await listAccounts(house.context(), { customer_id: customerId });
  expect(data).toMatchObject([{ id: accountId, status: 'active', version: 3 }]);
});

const accountOf = async (customerId: string) =>
  (await listAccounts(house.context(), { customer_id: customerId })).data[0];

test('an approval leaves an account suspended that a reviewer has suspended besides', async () => {
  const { customerId, accountId } = await house.approved('individual');
  const id = uuid('customer', customerId);
  const account = { id: uuid('account', accountId) };
  await house.run(suspendAccount, account);
  await house.run(holdCustomerForReview, { id });
  await house.run(approveCustomer, { id });
  expect(await accountOf(customerId)).toMatchObject({ status: 'suspended', version: 2 });
  await house.run(reactivateAccount, account);
  expect(await accountOf(customerId)).toMatchObject({ status: 'active', version: 3 });
});

test('a reviewer does not reactivate what the verification suspends', async () => {
  const { customerId, accountId } = await house.approved('individual');
  await house.run(holdCustomerForReview, { id: uuid('customer', customerId) });
  expect(await house.refusal(reactivateAccount, { id: uuid('account', accountId) })).toMatchObject({
    code: 'invalid_state',
    details: { reason: 'verification' },
  });
});

test('who is rejected after approval keeps the account, suspended, and may apply again', async () => {
  const { customerId, accountId } = await house.approved('individual');
  const id = uuid('customer', customerId);
  await house.run(holdCustomerForReview, { id });
  const rejected = await house.run(rejectCustomer, { id });
  expect(rejected).toMatchObject({ account_id: accountId, verification: { status: 'rejected' } });
  expect(await accountOf(customerId)).toMatchObject({ status: 'suspended' });
  await house.advance(dayPlus);
  await house.run(onboard, { id });
  await house.run(approveCustomer, { id });
  expect(await accountOf(customerId)).toMatchObject({ id: accountId, status: 'active' });
  expect((await getCustomer(house.context(), { id: customerId })).account_id).toBe(accountId);
});

test('a PIN is locked once, and only where there is one', async () => {
  const { id: bare } = await house.customer('individual');
  expect(await house.refusal(lockPin, { id: uuid('customer', bare) })).toMatchObject({
    details: { reason: 'no_pin' },
  });
  const { id } = await submitted('individual');
  expect(await house.run(lockPin, { id })).toMatchObject({ pin_locked: true, version: 3 });
  expect(await house.refusal(lockPin, { id })).toMatchObject({ details: { reason: 'pin_locked' } });
});
