import { expect, test } from 'vitest';
import { onboard } from '../../../test/kit/engine.ts';
import { uuid } from '../../../test/kit/ids.ts';
import { openServer } from '../../../test/kit/server.ts';
import { reactivateAccount, suspendAccount } from '../accounts/moves.ts';
import { listAccounts } from '../accounts/read.ts';
import { lockPin } from './credentials/pin_lock.ts';
import { approveCustomer, holdCustomerForReview, rejectCustomer, requestMore } from './moves.ts';
import { approveOwner, rejectOwner } from './owners/moves.ts';
import { getCustomer, listDocuments, listOwners } from './read.ts';

const server = await openServer({ manual: true });
const { api, engine } = server;

const dayPlus = 24 * 3600 + 1;

async function submitted(type: 'individual' | 'business', more = {}) {
  const created = await api.customer(type, more);
  const id = uuid('customer', created.id);
  await engine.run(onboard, { id });
  return { id, wire: { id: created.id as string } };
}

test('an individual who submits has accepted four documents, set a PIN and is pending', async () => {
  const { id, wire } = await submitted('individual');
  const { data } = await listDocuments(engine.context(), wire);
  expect(data.map((row) => row.document_type).sort()).toEqual([
    'cip_notice',
    'digital_account_terms',
    'esign_consent',
    'privacy_notice',
  ]);
  expect(
    new Set(data.map(({ status, channel, version }) => `${status} ${channel} ${version}`)),
  ).toEqual(new Set(['accepted onboarding 2026-01']));
  expect(await getCustomer(engine.context(), wire)).toMatchObject({
    verification: { status: 'pending' },
    version: 2,
  });
  const { rows } = await server.service.pool.query(
    'select attempts from pins where customer_id = $1',
    [id],
  );
  expect(rows).toEqual([{ attempts: 0 }]);
  expect(await engine.events(id)).toEqual(['customer.created', 'customer.pending']);
});

test('the first approval opens the account, with empty pockets and the display name', async () => {
  const { id, wire } = await submitted('individual');
  const approved = await engine.run(approveCustomer, { id });
  expect(approved).toMatchObject({ verification: { status: 'approved' }, version: 3 });
  const { data } = await listAccounts(engine.context(), { customer_id: wire.id });
  expect(data).toMatchObject([{ id: approved.account_id, type: 'consumer', status: 'active' }]);
  const { rows } = await server.service.pool.query(
    'select holder_name, available from accounts a join balances b on b.account_id = a.id where customer_id = $1',
    [id],
  );
  expect(rows).toEqual([{ holder_name: 'Ana R.', available: 0 }]);
  expect(await engine.refusal(approveCustomer, { id })).toMatchObject({ code: 'invalid_state' });
});

test('a business is approved once its one control person and every owner of 25 % are', async () => {
  const { id, wire } = await submitted('business');
  expect(await engine.refusal(approveCustomer, { id })).toEqual({
    code: 'invalid_state',
    param: null,
    details: {
      current_status: 'pending',
      allowed: ['pending', 'in_review'],
      reason: 'owners_incomplete',
      missing: [
        { missing: 'approval', owner_id: expect.any(String), verification_status: 'pending' },
      ],
    },
  });
  const { data } = await listOwners(engine.context(), wire);
  expect(data).toMatchObject([
    { role: 'owner_and_control_person', ownership_percent: 100, verification_status: 'pending' },
  ]);
  await engine.run(approveOwner, { id: uuid('owner', data[0]?.id ?? '') });
  const complete = await getCustomer(engine.context(), wire);
  expect(complete.business?.owners_status).toBe('complete');
  const approved = await engine.run(approveCustomer, { id });
  expect(approved.business).toEqual({
    legal_name: 'Corner Cafe LLC',
    trading_name: null,
    industry: null,
    owners_status: 'complete',
  });
  expect((await listDocuments(engine.context(), wire)).data).toHaveLength(6);
  expect(await engine.events(id)).toEqual([
    'customer.created',
    'customer.pending',
    'customer.updated',
    'customer.approved',
  ]);
});

test('a rejected owner blocks the approval of the business', async () => {
  const { id, wire } = await submitted('business');
  const { data } = await listOwners(engine.context(), wire);
  const owner = { id: uuid('owner', data[0]?.id ?? '') };
  await engine.run(rejectOwner, owner);
  expect(await engine.refusal(approveCustomer, { id })).toMatchObject({ code: 'invalid_state' });
  expect(await engine.refusal(approveOwner, owner)).toEqual({
    code: 'invalid_state',
    param: null,
    details: { current_status: 'rejected', allowed: ['pending', 'in_review'] },
  });
});

test('a rejected customer can retry after a day, then after a week, then never', async () => {
  const { id, wire } = await submitted('individual');
  await engine.run(rejectCustomer, { id });
  expect(await engine.refusal(onboard, { id })).toMatchObject({
    code: 'invalid_state',
    details: { current_status: 'rejected', reason: 'retry_available_at' },
  });
  await engine.moveClock(dayPlus);
  await engine.run(onboard, { id });
  await engine.run(rejectCustomer, { id });
  await engine.moveClock(dayPlus);
  expect(await engine.refusal(onboard, { id })).toMatchObject({ code: 'invalid_state' });
  await engine.moveClock(6 * dayPlus);
  await engine.run(onboard, { id });
  await engine.run(rejectCustomer, { id });
  expect((await getCustomer(engine.context(), wire)).verification.retry_available_at).toBeNull();
  await engine.moveClock(365 * dayPlus);
  expect(await engine.refusal(onboard, { id })).toMatchObject({ details: { reason: 'final' } });
});

test('a second submission that the reviewer requested changes nothing visible', async () => {
  const { id, wire } = await submitted('individual');
  expect(await engine.refusal(onboard, { id })).toMatchObject({ code: 'invalid_state' });
  await engine.run(holdCustomerForReview, { id });
  await engine.run(requestMore, { id });
  const before = await getCustomer(engine.context(), wire);
  await engine.run(onboard, { id });
  expect(await getCustomer(engine.context(), wire)).toEqual(before);
  expect(await engine.refusal(onboard, { id })).toMatchObject({ code: 'invalid_state' });
});

test('a doubt after approval suspends the account, a second approval reactivates it', async () => {
  const { customerId, accountId } = await api.approved('individual');
  const id = uuid('customer', customerId);
  await engine.run(holdCustomerForReview, { id });
  expect(await engine.events(uuid('account', accountId))).toEqual([
    'account.created',
    'account.suspended',
  ]);
  await engine.run(approveCustomer, { id });
  const { data } = await listAccounts(engine.context(), { customer_id: customerId });
  expect(data).toMatchObject([{ id: accountId, status: 'active', version: 3 }]);
});

const accountOf = async (customerId: string) =>
  (await listAccounts(engine.context(), { customer_id: customerId })).data[0];

test('an approval leaves an account suspended that a reviewer suspended too', async () => {
  const { customerId, accountId } = await api.approved('individual');
  const id = uuid('customer', customerId);
  const account = { id: uuid('account', accountId) };
  await engine.run(suspendAccount, account);
  await engine.run(holdCustomerForReview, { id });
  await engine.run(approveCustomer, { id });
  expect(await accountOf(customerId)).toMatchObject({ status: 'suspended', version: 2 });
  await engine.run(reactivateAccount, account);
  expect(await accountOf(customerId)).toMatchObject({ status: 'active', version: 3 });
});

test('a reviewer cannot reactivate an account that the verification suspends', async () => {
  const { customerId, accountId } = await api.approved('individual');
  await engine.run(holdCustomerForReview, { id: uuid('customer', customerId) });
  expect(await engine.refusal(reactivateAccount, { id: uuid('account', accountId) })).toMatchObject(
    {
      code: 'invalid_state',
      details: { reason: 'verification' },
    },
  );
});

test('a customer rejected after approval keeps the suspended account and can apply again', async () => {
  const { customerId, accountId } = await api.approved('individual');
  const id = uuid('customer', customerId);
  await engine.run(holdCustomerForReview, { id });
  const rejected = await engine.run(rejectCustomer, { id });
  expect(rejected).toMatchObject({ account_id: accountId, verification: { status: 'rejected' } });
  expect(await accountOf(customerId)).toMatchObject({ status: 'suspended' });
  await engine.moveClock(dayPlus);
  await engine.run(onboard, { id });
  await engine.run(approveCustomer, { id });
  expect(await accountOf(customerId)).toMatchObject({ id: accountId, status: 'active' });
  expect((await getCustomer(engine.context(), { id: customerId })).account_id).toBe(accountId);
});

test('a PIN is locked once, and only if one is set', async () => {
  const { id: bare } = await api.customer('individual');
  expect(await engine.refusal(lockPin, { id: uuid('customer', bare) })).toMatchObject({
    details: { reason: 'no_pin' },
  });
  const { id } = await submitted('individual');
  expect(await engine.run(lockPin, { id })).toMatchObject({ pin_locked: true, version: 3 });
  expect(await engine.refusal(lockPin, { id })).toMatchObject({
    details: { reason: 'pin_locked' },
  });
});
