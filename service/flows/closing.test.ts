import { beforeEach, describe, expect, test } from 'vitest';
import type { ReplyBody } from '../../test/kit/http.ts';
import { uuid } from '../../test/kit/ids.ts';
import type { Person } from '../../test/kit/person.ts';
import { openServer } from '../../test/kit/server.ts';
import { openWire } from '../../test/kit/wire.ts';
import { completePayment } from '../resources/payments/by_bank.ts';
import { closingJob } from './closing.ts';

let ana: Person;
let cafe: Person;
const server = await openServer({ manual: true });
const { api, engine } = server;
const wire = openWire(server);
await engine.change({ confirmation_grace_seconds: 0, withdrawal_hold_hours: 0 });
beforeEach(async () => {
  ana = await api.banked('individual');
  cafe = await api.banked('business');
  await api.fund(ana, 500_00);
});

const daySeconds = 86_400;
const close = ({ customerId }: Person): Promise<ReplyBody> =>
  wire.post(`/v1/customers/${customerId}/close`, { reason: 'customer_request' });
const accountOf = async ({ customerId }: Person): Promise<ReplyBody> =>
  (await wire.get(`/v1/accounts?customer_id=${customerId}`)).data[0];
/** Runs the due jobs, as simulate does before its reply. */
const settle = () => server.workers.jobs.runDueJobs(server.tenant.tenantId);

async function payoutOf(person: Person): Promise<ReplyBody> {
  const { rows } = await server.service.pool.query<{ id: string }>(
    'select id from withdrawals where account_id = $1 and is_payout order by id desc limit 1',
    [uuid('account', person.accountId)],
  );
  return rows[0] ? wire.get(`/v1/withdrawals/wd_${rows[0].id.replaceAll('-', '')}`) : null;
}

async function paid(amount: number): Promise<ReplyBody> {
  const payment = await wire.pay(ana, { payee_customer_id: cafe.customerId, amount });
  await wire.confirm(payment);
  return payment;
}

test('an empty account closes at once and stays closed', async () => {
  const reply = await close(cafe);
  expect(reply).toMatchObject({ object: 'customer', id: cafe.customerId });
  await settle();
  const account = await accountOf(cafe);
  expect(account).toMatchObject({ status: 'closed', version: 3 });
  expect(account.closed_at).not.toBeNull();
  expect(await close(cafe)).toMatchObject({
    code: 'invalid_state',
    details: { current_status: 'closed' },
  });
  expect(await engine.events(uuid('account', cafe.accountId))).toEqual([
    'account.created',
    'account.closing',
    'account.closed',
  ]);
});

test('the balance is paid out without a session, and the account closes when the payout settles', async () => {
  await close(ana);
  await settle();
  const payout = await payoutOf(ana);
  expect(payout).toMatchObject({ amount: 500_00, status: 'processing', confirmed_at: null });
  expect(await accountOf(ana)).toMatchObject({ status: 'closing' });
  await wire.simulate('withdrawal.settled', payout.id);
  expect(await accountOf(ana)).toMatchObject({ status: 'closed' });
  expect(await engine.events(uuid('withdrawal', payout.id))).toEqual([
    'withdrawal.created',
    'withdrawal.processing',
    'withdrawal.settled',
  ]);
});

test('a payout that the bank rejects is tried again each day', async () => {
  await close(ana);
  await settle();
  const first = await payoutOf(ana);
  await wire.simulate('withdrawal.failed', first.id);
  expect(await wire.balanceOf(ana)).toMatchObject({ available: 500_00 });
  expect(await payoutOf(ana)).toMatchObject({ id: first.id });
  await wire.advance(daySeconds);
  const second = await payoutOf(ana);
  expect(second.id).not.toBe(first.id);
  expect(await wire.simulate('account.closed', ana.accountId)).toMatchObject({
    status: 'accepted',
  });
  expect(await wire.get(`/v1/withdrawals/${second.id}`)).toMatchObject({ status: 'settled' });
});

test('an account without a linked account stays closing until one is linked, which then is paid', async () => {
  await server.call(
    'DELETE',
    `/v1/customers/${ana.customerId}/linked-accounts/${ana.linkedAccountId}`,
  );
  await close(ana);
  await settle();
  expect(await payoutOf(ana)).toBeNull();
  expect(await wire.simulate('account.closed', ana.accountId)).toMatchObject({
    code: 'invalid_state',
    details: { reason: 'linked_account' },
  });
  await api.link(ana, 'savings');
  await settle();
  expect(await payoutOf(ana)).toMatchObject({ amount: 500_00 });
});

describe('a closing account', () => {
  test('starts no withdrawal and receives no new payment', async () => {
    await close(ana);
    expect(await wire.withdraw(ana, 1_00)).toMatchObject({
      code: 'account_restricted',
      details: { reason: 'closing' },
    });
    await close(cafe);
    const ben = await api.banked('individual');
    await api.fund(ben, 10_00);
    expect(await wire.pay(ben, { payee_customer_id: cafe.customerId, amount: 1_00 })).toMatchObject(
      { code: 'payee_not_eligible', details: { reason: 'account_not_active' } },
    );
  });

  test('waits for payments by bank to it and is credited by them', async () => {
    const payment = await wire.payByBank(ana, { payee_customer_id: cafe.customerId, amount: 9_00 });
    await wire.confirm(payment);
    await close(cafe);
    await settle();
    expect(await accountOf(cafe)).toMatchObject({ status: 'closing' });
    await wire.simulate('payment.completed', payment.id);
    await settle();
    expect(await payoutOf(cafe)).toMatchObject({ amount: 9_00, status: 'processing' });
  });

  test('cancels its open requests, a claimed one once its payment has failed', async () => {
    const ask = (): Promise<ReplyBody> =>
      wire.post('/v1/payment-requests', {
        type: 'dynamic',
        merchant_customer_id: cafe.customerId,
        amount: 5_00,
      });
    const [free, claimed] = [await ask(), await ask()];
    const payment = await wire.payByBank(ana, { qr_payload: claimed.qr_payload });
    await wire.confirm(payment);
    await close(cafe);
    await settle();
    const statusOf = async ({ id }: ReplyBody) =>
      (await wire.get(`/v1/payment-requests/${id}`)).status;
    expect([await statusOf(free), await statusOf(claimed)]).toEqual(['canceled', 'open']);
    await wire.simulate('payment.failed', payment.id);
    expect(await statusOf(claimed)).toBe('canceled');
    expect(await accountOf(cafe)).toMatchObject({ status: 'closed' });
  });

  test('fails refunds that no money can fund any more', async () => {
    const payment = await paid(100_00);
    const drained = await wire.withdraw(cafe, 100_00);
    await wire.confirm(drained);
    const refund = await wire.refund(payment, 60_00);
    await wire.confirm(refund);
    await close(cafe);
    await settle();
    const shown = () => wire.get(`/v1/refund-requests/${refund.id}`);
    // The withdrawal may still be rejected and its money return.
    expect(await shown()).toMatchObject({ status: 'pending_funds' });
    await wire.simulate('withdrawal.settled', drained.id);
    expect(await shown()).toMatchObject({ failure_code: 'insufficient_funds' });
    expect(await accountOf(cafe)).toMatchObject({ status: 'closed' });
  });
});

describe('refunds of a closing merchant that wait when the last money arrives', () => {
  /** Refunds of these amounts wait at a closing merchant whose last credit is in progress. */
  async function waitingAt(amounts: readonly number[], lastCents: number) {
    const payments = [];
    for (const amount of amounts) payments.push(await paid(amount));
    const total = amounts.reduce((cents, amount) => cents + amount, 0);
    const drained = await wire.withdraw(cafe, total);
    await wire.confirm(drained);
    await wire.simulate('withdrawal.settled', drained.id);
    const last = await wire.payByBank(ana, {
      payee_customer_id: cafe.customerId,
      amount: lastCents,
    });
    await wire.confirm(last);
    const waiting = [];
    for (const [index, payment] of payments.entries())
      waiting.push(await wire.refund(payment, amounts[index] ?? 0));
    for (const refund of waiting) await wire.confirm(refund);
    await close(cafe);
    await settle();
    return { last, waiting };
  }
  const endOf = async ({ id }: ReplyBody) => {
    const { status, failure_code } = await wire.get(`/v1/refund-requests/${id}`);
    return failure_code ?? status;
  };
  /** The bank pays, and the closing step runs before the refund queue. */
  async function stepFirst(last: ReplyBody): Promise<void> {
    await engine.run(completePayment, { id: uuid('payment', last.id) });
    await engine.run(closingJob, { ref: uuid('account', cafe.accountId) });
    await settle();
  }

  test('are paid from it, whichever of the two jobs runs first', async () => {
    const { last, waiting } = await waitingAt([60_00], 80_00);
    await stepFirst(last);
    expect(await Promise.all(waiting.map(endOf))).toEqual(['completed']);
    expect(await payoutOf(cafe)).toMatchObject({ amount: 20_00, status: 'processing' });
  });

  test('fail in their order until the money covers the next', async () => {
    const { last, waiting } = await waitingAt([60_00, 10_00], 30_00);
    await stepFirst(last);
    expect(await Promise.all(waiting.map(endOf))).toEqual(['insufficient_funds', 'completed']);
    expect(await payoutOf(cafe)).toMatchObject({ amount: 20_00, status: 'processing' });
  });
});

test('a refund to a payer whose account has closed goes to its bank account, or fails', async () => {
  const payment = await paid(100_00);
  const early = await wire.refund(payment, 10_00);
  await close(ana);
  await settle();
  await wire.simulate('account.closed', ana.accountId);
  await wire.confirm(early);
  expect(await wire.get(`/v1/refund-requests/${early.id}`)).toMatchObject({
    failure_code: 'payer_account_closed',
  });
  const late = await wire.refund(payment, 10_00);
  expect(late).toMatchObject({ destination: 'bank_account' });
  await wire.confirm(late);
  await wire.simulate('refund.completed', late.id);
  expect(await wire.get(`/v1/payments/${payment.id}`)).toMatchObject({ refunded_amount: 10_00 });
});
