import { defaultSettings } from '@tenant-payments/contract/core/settings.ts';
import { Withdrawal } from '@tenant-payments/contract/resources/withdrawals.ts';
import { Value } from 'typebox/value';
import { beforeEach, describe, expect, test } from 'vitest';
import { answer } from '../../../test/kit/engine.ts';
import { uuid } from '../../../test/kit/ids.ts';
import type { Person } from '../../../test/kit/person.ts';
import { openServer } from '../../../test/kit/server.ts';
import { makeDormant, suspendAccount } from '../accounts/moves.ts';
import { getBalance } from '../accounts/read.ts';
import { listTransactions } from '../accounts/transactions.ts';
import { failLink } from '../linked_accounts/moves.ts';
import { removeLinkedAccount } from '../linked_accounts/remove.ts';
import { createWithdrawal } from './create.ts';
import { failWithdrawal, settleWithdrawal } from './moves.ts';
import { getWithdrawal } from './read.ts';

let ana: Person;
const server = await openServer({ manual: true });
const { api, engine } = server;
beforeEach(async () => {
  ana = await api.banked('individual');
  await api.fund(ana, 500_00);
});

const idOf = (withdrawal: { id: string }) => ({ id: uuid('withdrawal', withdrawal.id) });
const create = (amount: number, person = ana) =>
  engine.run(createWithdrawal, { customer_id: person.customerId, amount });
const refused = (amount: number, person = ana) =>
  engine.refusal(createWithdrawal, { customer_id: person.customerId, amount });
const confirm = (withdrawal: { id: string }) =>
  engine.run(answer('confirm', 'withdrawal'), idOf(withdrawal));
const shown = (withdrawal: { id: string }) => getWithdrawal(engine.context(), withdrawal);
const account = () => ({ id: uuid('account', ana.accountId) });
const link = () => ({ id: uuid('linked_account', ana.linkedAccountId ?? '') });

async function confirmed(amount: number) {
  const withdrawal = await create(amount);
  await confirm(withdrawal);
  return withdrawal;
}

async function pockets() {
  const { available, pending_outgoing } = await getBalance(engine.context(), { id: ana.accountId });
  return { available, pending_outgoing };
}

async function transactions() {
  const { data } = await listTransactions(engine.context('/t', {}), { id: ana.accountId });
  return data.filter(({ type }) => type === 'withdrawal');
}

async function counted(): Promise<number> {
  const { rows } = await server.service.pool.query<{ used: number }>(
    "select used from limit_counters where customer_id = $1 and kind = 'withdrawal_daily'",
    [uuid('customer', ana.customerId)],
  );
  return rows[0]?.used ?? 0;
}

test('a withdrawal holds its amount from creation and has a confirmation session', async () => {
  const withdrawal = await create(120_00);
  expect(Value.Errors(Withdrawal, withdrawal)).toEqual([]);
  expect(withdrawal).toMatchObject({
    customer_id: ana.customerId,
    account_id: ana.accountId,
    linked_account_id: ana.linkedAccountId,
    status: 'requires_confirmation',
    confirmation_session: { flow: 'payment_confirm' },
  });
  expect(await shown(withdrawal)).toEqual({ ...withdrawal, confirmation_session: null });
  expect(await pockets()).toEqual({ available: 380_00, pending_outgoing: 120_00 });
  expect(await counted()).toBe(120_00);
  expect(await transactions()).toEqual([]);
});

test('its transaction is pending once confirmed, and the same one is posted once settled', async () => {
  const withdrawal = await confirmed(120_00);
  const [pending] = await transactions();
  expect(pending).toMatchObject({
    direction: 'debit',
    amount: 120_00,
    net_amount: 120_00,
    status: 'pending',
    source_id: withdrawal.id,
    posted_at: null,
    counterparty: { type: 'bank_account', display_name: 'Standard Bank 1234' },
  });
  await engine.moveClock(3600);
  const settled = await engine.run(settleWithdrawal, idOf(withdrawal));
  expect(settled).toMatchObject({ status: 'settled', failure_code: null, version: 3 });
  const posted_at = settled.settled_at;
  expect(await transactions()).toEqual([{ ...pending, status: 'posted', posted_at }]);
  expect(await pockets()).toEqual({ available: 380_00, pending_outgoing: 0 });
  expect(await engine.events(uuid('transaction', pending?.id ?? ''))).toEqual([
    'transaction.created',
    'transaction.posted',
  ]);
  expect(await engine.events(idOf(withdrawal).id)).toEqual([
    'withdrawal.created',
    'withdrawal.processing',
    'withdrawal.settled',
  ]);
  expect(await engine.refusal(settleWithdrawal, idOf(withdrawal))).toMatchObject({
    code: 'invalid_state',
  });
});

test('rejected by the bank, it releases its hold and gives its limit back', async () => {
  const withdrawal = await confirmed(120_00);
  const failure_code = 'account_blocked';
  const failed = await engine.run(failWithdrawal, { ...idOf(withdrawal), failure_code });
  expect(failed).toMatchObject({ status: 'failed', failure_code });
  expect(await transactions()).toMatchObject([{ status: 'reversed', posted_at: null }]);
  expect(await pockets()).toEqual({ available: 500_00, pending_outgoing: 0 });
  expect(await counted()).toBe(0);
});

test.each([
  ['decline', 'confirmation_declined'],
  ['leave', 'confirmation_expired'],
] as const)(
  'when its customer would %s, it fails and releases its hold',
  async (ending, failure_code) => {
    await engine.change({ confirmation_grace_seconds: 0 });
    const withdrawal = await create(120_00);
    await engine.run(answer(ending, 'withdrawal'), idOf(withdrawal));
    expect(await shown(withdrawal)).toMatchObject({ status: 'failed', failure_code });
    expect(await pockets()).toEqual({ available: 500_00, pending_outgoing: 0 });
    expect(await counted()).toBe(0);
  },
);

test('a confirmation with a suspended account or a failed link ends it', async () => {
  const first = await create(10_00);
  await engine.run(failLink, { ...link(), failure_code: 'account_closed' });
  await confirm(first);
  expect(await shown(first)).toMatchObject({ failure_code: 'linked_account_failed' });
  ana = await api.banked('individual');
  await api.fund(ana, 50_00);
  const second = await create(10_00);
  await engine.run(suspendAccount, account());
  await confirm(second);
  expect(await shown(second)).toMatchObject({ failure_code: 'account_restricted' });
});

test('a link that failed takes no withdrawal after it was removed either', async () => {
  const withdrawal = await create(10_00);
  await engine.run(failLink, { ...link(), failure_code: 'account_closed' });
  const linked_account_id = ana.linkedAccountId ?? '';
  await engine.run(removeLinkedAccount, { id: ana.customerId, linked_account_id });
  await confirm(withdrawal);
  expect(await shown(withdrawal)).toMatchObject({
    status: 'failed',
    failure_code: 'linked_account_failed',
  });
  expect(await pockets()).toEqual({ available: 500_00, pending_outgoing: 0 });
});

test('a removed link stops no withdrawal to it, confirmed or not', async () => {
  const [open, sent] = [await create(10_00), await confirmed(20_00)];
  await engine.run(removeLinkedAccount, {
    id: ana.customerId,
    linked_account_id: ana.linkedAccountId ?? '',
  });
  await confirm(open);
  for (const withdrawal of [open, sent]) {
    await engine.run(settleWithdrawal, idOf(withdrawal));
    expect(await shown(withdrawal)).toMatchObject({ status: 'settled' });
  }
});

test('all customers of a Tenant withdraw at most payout_daily_maximum on a day, and what fails is given back', async () => {
  const ben = await api.banked('individual');
  await api.fund(ben, 500_00);
  const set = (payout_daily_maximum: number | null) => engine.change({ payout_daily_maximum });
  const decline = (withdrawal: { id: string }) =>
    engine.run(answer('decline', 'withdrawal'), idOf(withdrawal));
  const uncounted = await create(90_00);
  await set(100_00);
  const first = await create(60_00);
  expect(await refused(40_01, ben)).toMatchObject({
    code: 'limit_exceeded',
    param: 'amount',
    details: { limit: 'payout_daily_maximum', maximum: 100_00, used: 60_00, requested: 40_01 },
  });
  await create(40_00, ben);
  await decline(first);
  await decline(uncounted);
  const second = await confirmed(60_00);
  expect((await refused(1_00, ben)).details).toMatchObject({ used: 100_00 });
  await engine.moveClock(24 * 3_600);
  await create(100_00, ben);
  await engine.run(failWithdrawal, { ...idOf(second), failure_code: 'account_blocked' });
  expect((await refused(1_00)).details).toMatchObject({ used: 100_00 });
  await set(null);
  await create(1_00);
});

test('of withdrawals that many customers make at once only those within payout_daily_maximum are made', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => api.banked('individual')));
  for (const person of people) await api.fund(person, 100_00);
  await engine.moveClock(24 * 3_600);
  await engine.change({ payout_daily_maximum: 50_00 });
  const made = await Promise.allSettled(people.map((person) => create(10_00, person)));
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  for (const one of made)
    if (one.status === 'rejected')
      expect(one.reason).toMatchObject({
        code: 'limit_exceeded',
        details: { limit: 'payout_daily_maximum', used: 50_00 },
      });
  await engine.change({ payout_daily_maximum: null });
});

describe('refusals in the order of the checks', () => {
  const { limits } = defaultSettings('x');
  const limited = { individual: 100_00, business: 100_00 };

  test('customer_not_verified, then account_restricted', async () => {
    const nobody = { ...ana, customerId: 'cus_nobody' };
    expect(await refused(100, nobody)).toMatchObject({ code: 'customer_not_verified' });
    await engine.run(makeDormant, account());
    expect(await refused(100)).toEqual({
      code: 'account_restricted',
      param: null,
      details: { reason: 'dormant' },
    });
  });

  test('linked_account_required, also for a bank without RTP transfers', async () => {
    const bare = await api.approved('individual');
    expect(await refused(100, bare)).toEqual({
      code: 'linked_account_required',
      param: null,
      details: { linked_account_status: null },
    });
  });

  test('withdrawal_hold on a link that replaced another, until it ends', async () => {
    const removed = { id: ana.customerId, linked_account_id: ana.linkedAccountId ?? '' };
    await engine.run(removeLinkedAccount, removed);
    await api.link(ana, 'savings');
    const refusal = await refused(100);
    expect(refusal.code).toBe('withdrawal_hold');
    expect(refusal.details).toHaveProperty('withdrawal_hold_until');
  });

  test('limit_exceeded per transaction and day, then insufficient_funds', async () => {
    await engine.change({ limits: { ...limits, withdrawal_per_transaction: limited } });
    expect(await refused(100_01)).toMatchObject({
      code: 'limit_exceeded',
      details: { limit: 'withdrawal_per_transaction', maximum: 100_00, requested: 100_01 },
    });
    await engine.change({ limits: { ...limits, withdrawal_daily: limited } });
    await create(60_00);
    expect(await refused(40_01)).toMatchObject({
      code: 'limit_exceeded',
      details: { limit: 'withdrawal_daily', used: 60_00, requested: 40_01 },
    });
    await engine.change({ limits });
    expect(await refused(440_01)).toEqual({
      code: 'insufficient_funds',
      param: null,
      details: { available: 440_00, required: 440_01 },
    });
  });
});
