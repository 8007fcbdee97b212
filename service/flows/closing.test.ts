import { defaultSettings } from '@tenant-payments/contract/core/settings.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { uuid } from '../../test/kit/ids.ts';
import { openHostedPages, refusalLine } from '../../test/kit/pages/hosted.ts';
import type { Person } from '../../test/kit/person.ts';
import { refusalOf } from '../../test/kit/refusal.ts';
import { openServer } from '../../test/kit/server.ts';
import { completePayment } from '../resources/payments/by_bank.ts';
import { closingJob } from './closing.ts';

let ana: Person;
let cafe: Person;
const server = await openServer({ manual: true });
const { api, engine } = server;
await engine.change({ confirmation_grace_seconds: 0, withdrawal_hold_hours: 0 });
beforeEach(async () => {
  ana = await api.banked('individual');
  cafe = await api.banked('business');
  await api.fund(ana, 500_00);
});

const daySeconds = 86_400;
const close = ({ customerId }: Person): Promise<ReplyBody> => api.close({ customerId });
const accountOf = async ({ customerId }: Person): Promise<ReplyBody> =>
  (await api.get(`/v1/accounts?customer_id=${customerId}`)).data[0];

async function payoutOf(person: Person): Promise<ReplyBody> {
  const { rows } = await server.service.pool.query<{ id: string }>(
    'select id from withdrawals where account_id = $1 and is_payout order by id desc limit 1',
    [uuid('account', person.accountId)],
  );
  return rows[0] ? api.get(`/v1/withdrawals/wd_${rows[0].id.replaceAll('-', '')}`) : null;
}

const paid = (amount: number): Promise<ReplyBody> => api.confirmed(api.pay(ana, cafe, amount));

test('an empty account closes at once and stays closed', async () => {
  const reply = await close(cafe);
  expect(reply).toMatchObject({ object: 'customer', id: cafe.customerId });
  await server.runJobs();
  const account = await accountOf(cafe);
  expect(account).toMatchObject({ status: 'closed', version: 3 });
  expect(account.closed_at).not.toBeNull();
  expect(await refusalOf(close(cafe))).toMatchObject({
    code: 'invalid_state',
    details: { current_status: 'closed' },
  });
  expect(await engine.events(uuid('account', cafe.accountId))).toEqual([
    'account.created',
    'account.closing',
    'account.closed',
  ]);
});

test('the pages of a customer that are open end with the account', async () => {
  const pages = openHostedPages(server);
  const contact = await pages.flow('contact_change', cafe.customerId);
  const reset = await pages.flow('pin_reset', cafe.customerId);
  await close(cafe);
  for (const page of [contact, reset]) expect((await page.look()).status).toBe('created');
  await server.runJobs();
  expect(await accountOf(cafe)).toMatchObject({ status: 'closed' });
  const asked = [
    await contact.ask('/alive'),
    await contact.ask('/code', { email: 'new@example.com' }),
    await reset.ask('/alive'),
    await reset.ask('/code', {}),
  ];
  const ended = ['session_invalid ended', 'invalid_state'];
  expect(asked.map(refusalLine)).toEqual([...ended, ...ended]);
});

test('the balance is paid out without a session, and the account closes when the payout settles', async () => {
  await close(ana);
  await server.runJobs();
  const payout = await payoutOf(ana);
  expect(payout).toMatchObject({ amount: 500_00, status: 'processing', confirmed_at: null });
  expect(await accountOf(ana)).toMatchObject({ status: 'closing' });
  await api.simulate('withdrawal.settled', payout.id);
  expect(await accountOf(ana)).toMatchObject({ status: 'closed' });
  expect(await engine.events(uuid('withdrawal', payout.id))).toEqual([
    'withdrawal.created',
    'withdrawal.processing',
    'withdrawal.settled',
  ]);
});

test('a balance above what a network takes in one transfer is paid out in parts', async () => {
  const { limits } = defaultSettings('x');
  const none = { individual: null, business: null };
  const loading = ['load_per_transaction', 'load_daily', 'load_30_day', 'balance_maximum'] as const;
  const open = Object.fromEntries(loading.map((limit) => [limit, none]));
  await engine.change({ limits: { ...limits, ...open } });
  for (const part of [6_000_000_00, 5_000_000_00]) await api.fund(cafe, part);
  await engine.change({ limits });
  await close(cafe);
  await server.runJobs();
  const first = await payoutOf(cafe);
  expect(first).toMatchObject({ amount: 10_000_000_00, status: 'processing' });
  await api.simulate('withdrawal.settled', first.id);
  const rest = await payoutOf(cafe);
  expect(rest).toMatchObject({ amount: 1_000_000_00, status: 'processing' });
  await api.simulate('withdrawal.settled', rest.id);
  expect(await accountOf(cafe)).toMatchObject({ status: 'closed' });
});

test('a payout that the bank rejects is tried again each day', async () => {
  await close(ana);
  await server.runJobs();
  const first = await payoutOf(ana);
  await api.simulate('withdrawal.failed', first.id);
  expect(await api.balance(ana)).toMatchObject({ available: 500_00 });
  expect(await payoutOf(ana)).toMatchObject({ id: first.id });
  await api.advance(daySeconds);
  const second = await payoutOf(ana);
  expect(second.id).not.toBe(first.id);
  expect(await api.simulate('account.closed', ana.accountId)).toMatchObject({
    status: 'accepted',
  });
  expect(await api.get(`/v1/withdrawals/${second.id}`)).toMatchObject({ status: 'settled' });
});

test('an account without a linked account stays closing until one is linked, which then is paid', async () => {
  await server.call(
    'DELETE',
    `/v1/customers/${ana.customerId}/linked-accounts/${ana.linkedAccountId}`,
  );
  await close(ana);
  await server.runJobs();
  expect(await payoutOf(ana)).toBeNull();
  expect(await refusalOf(api.simulate('account.closed', ana.accountId))).toMatchObject({
    code: 'invalid_state',
    details: { reason: 'linked_account' },
  });
  await api.link(ana, 'savings');
  await server.runJobs();
  expect(await payoutOf(ana)).toMatchObject({ amount: 500_00 });
});

describe('a closing account', () => {
  test('starts no withdrawal and receives no new payment', async () => {
    await close(ana);
    expect(await refusalOf(api.withdraw(ana, 1_00))).toMatchObject({
      code: 'account_restricted',
      details: { reason: 'closing' },
    });
    await close(cafe);
    const ben = await api.banked('individual');
    await api.fund(ben, 10_00);
    expect(await refusalOf(api.pay(ben, cafe, 1_00))).toMatchObject({
      code: 'payee_not_eligible',
      details: { reason: 'account_not_active' },
    });
  });

  test('waits for payments by bank to it and is credited by them', async () => {
    const payment = await api.confirmed(api.payByBank(ana, cafe, 9_00));
    await close(cafe);
    await server.runJobs();
    expect(await accountOf(cafe)).toMatchObject({ status: 'closing' });
    await api.simulate('payment.completed', payment.id);
    await server.runJobs();
    expect(await payoutOf(cafe)).toMatchObject({ amount: 9_00, status: 'processing' });
  });

  test('cancels its open requests, a claimed one once its payment has failed', async () => {
    const ask = (): Promise<ReplyBody> => api.request(cafe, 5_00);
    const [free, claimed] = [await ask(), await ask()];
    const payment = await api.confirmed(api.payRequest(ana, claimed, 'bank_account'));
    await close(cafe);
    await server.runJobs();
    const statusOf = async ({ id }: ReplyBody) =>
      (await api.get(`/v1/payment-requests/${id}`)).status;
    expect([await statusOf(free), await statusOf(claimed)]).toEqual(['canceled', 'open']);
    await api.simulate('payment.failed', payment.id);
    expect(await statusOf(claimed)).toBe('canceled');
    expect(await accountOf(cafe)).toMatchObject({ status: 'closed' });
  });

  test('fails refunds that no money can fund any more', async () => {
    const payment = await paid(100_00);
    const drained = await api.confirmed(api.withdraw(cafe, 100_00));
    const refund = await api.confirmed(api.refund(payment, 60_00));
    await close(cafe);
    await server.runJobs();
    const shown = () => api.get(`/v1/refund-requests/${refund.id}`);
    // The withdrawal may still be rejected and its money return.
    expect(await shown()).toMatchObject({ status: 'pending_funds' });
    await api.simulate('withdrawal.settled', drained.id);
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
    const drained = await api.confirmed(api.withdraw(cafe, total));
    await api.simulate('withdrawal.settled', drained.id);
    const last = await api.confirmed(api.payByBank(ana, cafe, lastCents));
    const waiting = [];
    for (const [index, payment] of payments.entries())
      waiting.push(await api.refund(payment, amounts[index] ?? 0));
    for (const refund of waiting) await api.confirmed(refund);
    await close(cafe);
    await server.runJobs();
    return { last, waiting };
  }
  const endOf = async ({ id }: ReplyBody) => {
    const { status, failure_code } = await api.get(`/v1/refund-requests/${id}`);
    return failure_code ?? status;
  };
  /** The bank pays, and the closing step runs before the refund queue. */
  async function stepFirst(last: ReplyBody): Promise<void> {
    await engine.run(completePayment, { id: uuid('payment', last.id) });
    await engine.run(closingJob(server.service), { ref: uuid('account', cafe.accountId) });
    await server.runJobs();
  }

  test('are paid from it, whichever of the two jobs runs first', async () => {
    const { last, waiting } = await waitingAt([60_00], 80_00);
    await stepFirst(last);
    expect(await Promise.all(waiting.map(endOf))).toEqual(['completed']);
    expect(await payoutOf(cafe)).toMatchObject({ amount: 20_00, status: 'processing' });
  });

  test('go on waiting while a reason to suspend the merchant stands, and are paid when it is lifted', async () => {
    const payment = await paid(60_00);
    const drained = await api.confirmed(api.withdraw(cafe, 60_00));
    await api.simulate('withdrawal.settled', drained.id);
    const last = await api.confirmed(api.payByBank(ana, cafe, 80_00));
    const waiting = await api.confirmed(api.refund(payment, 60_00));
    await api.simulate('account.suspended', cafe.accountId);
    await close(cafe);
    await server.runJobs();
    await stepFirst(last);
    expect(await endOf(waiting)).toBe('pending_funds');
    await api.post(`/portal/api/review/accounts/${cafe.accountId}/reactivate`, {});
    expect(await endOf(waiting)).toBe('completed');
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
  const early = await api.refund(payment, 10_00);
  await close(ana);
  await server.runJobs();
  await api.simulate('account.closed', ana.accountId);
  await api.confirmed(early);
  expect(await api.get(`/v1/refund-requests/${early.id}`)).toMatchObject({
    failure_code: 'payer_account_closed',
  });
  const late = await api.refund(payment, 10_00);
  expect(late).toMatchObject({ destination: 'bank_account' });
  await api.confirmed(late);
  await api.simulate('refund.completed', late.id);
  expect(await api.get(`/v1/payments/${payment.id}`)).toMatchObject({ refunded_amount: 10_00 });
});
