import { defaultSettings } from '@tenant-payments/contract/core/settings.ts';
import {
  addSeconds,
  epochMs,
  type Instant,
  instantOf,
} from '@tenant-payments/engine/time/instant.ts';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { uuid } from '../../test/kit/ids.ts';
import type { Person } from '../../test/kit/person.ts';
import { refusalOf } from '../../test/kit/refusal.ts';
import { openServer } from '../../test/kit/server.ts';
import { removeLinkedAccount } from '../resources/linked_accounts/remove.ts';
import { openFlow } from '../resources/sessions/open_flow.ts';

let ana: Person;
let cafe: Person;
const morning = '2026-02-03T15:00:00.000Z';

async function stand(at: Instant): Promise<void> {
  await engine.query(
    'update tenants set clock_at = $2, revision = revision + 1 where tenant_id = $1',
    at,
  );
}
const before = (at: Instant): Instant => instantOf(epochMs(at) - 1);
const after = (at: Instant): Instant => instantOf(epochMs(at) + 1);

const server = await openServer({ manual: true });
const { api, engine } = server;
/** Each test has its own day: a clock never goes back. */
let day = 0;
beforeEach(async () => {
  day += 1;
  await stand(addSeconds(morning, day * 400 * 86_400));
  ana = await api.banked('individual');
  cafe = await api.banked('business', 'savings');
  await api.fund(ana, 500_00);
});
afterAll(async () => {
  await engine.query('update tenants set clock_at = null where tenant_id = $1');
});

test('a payment request can be paid until the last millisecond before its expiry', async () => {
  const request = await api.request(cafe, 10_00);
  await stand(before(request.expires_at));
  expect(await api.payRequest(ana, request)).toMatchObject({ status: 'requires_confirmation' });
  await stand(request.expires_at);
  expect(await refusalOf(api.payRequest(ana, request))).toMatchObject({
    code: 'payment_request_expired',
  });
});

test('a session can be opened until the last millisecond before its expiry', async () => {
  const first = await api.pay(ana, cafe, 10_00);
  const second = await api.pay(ana, cafe, 10_00);
  const { token, expires_at } = first.confirmation_session;
  await stand(before(expires_at));
  await engine.run(openFlow, { token });
  await stand(expires_at);
  const late = { token: second.confirmation_session.token };
  expect(await engine.refusal(openFlow, late)).toMatchObject({ details: { reason: 'expired' } });
});

test('a later linked account holds withdrawals for exactly the hours of the settings', async () => {
  const { withdrawal_hold_hours: hours } = defaultSettings('x');
  await engine.run(removeLinkedAccount, {
    id: ana.customerId,
    linked_account_id: ana.linkedAccountId ?? '',
  });
  const id = await api.link(ana, 'savings');
  const { rows } = await server.service.pool.query(
    'select verified_at, withdrawal_hold_until from linked_accounts where id = $1',
    [uuid('linked_account', id)],
  );
  expect(rows[0]?.withdrawal_hold_until).toBe(addSeconds(rows[0]?.verified_at, hours * 3_600));
});

test('a refund is accepted until the close of its window, to the millisecond', async () => {
  const payment = await api.confirmed(api.pay(ana, cafe, 10_00));
  const { completed_at } = await api.get(`/v1/payments/${payment.id}`);
  const closed_at = addSeconds(completed_at, 180 * 86_400);
  await stand(closed_at);
  expect(await api.refund(payment, 1)).toMatchObject({ status: 'requested' });
  await stand(after(closed_at));
  expect(await refusalOf(api.refund(payment, 1))).toMatchObject({
    code: 'refund_window_closed',
    details: { closed_at },
  });
});

test('an amount of exactly the limit is accepted, alone and with the use of the day', async () => {
  const { limits } = defaultSettings('x');
  const limited = { individual: 100_00, business: 100_00 };
  await engine.change({
    limits: { ...limits, payment_per_transaction: limited, payment_daily: limited },
  });
  const pay = (amount: number) => api.pay(ana, cafe, amount);
  const exceeded = (limit: string) => ({ code: 'limit_exceeded', details: { limit } });
  expect(await refusalOf(pay(100_01))).toMatchObject(exceeded('payment_per_transaction'));
  const whole = await pay(100_00);
  expect(whole).toMatchObject({ status: 'requires_confirmation' });
  await api.post(`/v1/payments/${whole.id}/cancel`);
  expect(await pay(99_99)).toMatchObject({ status: 'requires_confirmation' });
  expect(await refusalOf(pay(2))).toMatchObject(exceeded('payment_daily'));
  expect(await pay(1)).toMatchObject({ status: 'requires_confirmation' });
  await engine.change({ limits });
});
