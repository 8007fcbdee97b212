import { beforeEach, expect, test } from 'vitest';
import { uuid } from '../../../test/kit/ids.ts';
import type { Person } from '../../../test/kit/person.ts';
import { refusalOf } from '../../../test/kit/refusal.ts';
import { openServer } from '../../../test/kit/server.ts';

/** When the consent to a bank account ends (rules/linking#29). */

const removed: string[] = [];
let fails = false;
// Without its daily jobs a Tenant passes years at once.
const server = await openServer({
  own: true,
  manual: true,
  onLog: () => {},
  tenant: { calendar: false },
});
const { api, engine, rails } = server;
const remove = async (reference: string) => {
  removed.push(reference);
  if (fails) throw new Error('away');
};
Object.assign(rails.aggregator, { remove });
beforeEach(() => {
  removed.length = 0;
  fails = false;
});

const day = 86_400;
const days = async (count: number) => void (await api.advance(count * day));
const unlink = ({ customerId, linkedAccountId }: Person) =>
  server.call('DELETE', `/v1/customers/${customerId}/linked-accounts/${linkedAccountId}`);

async function keptOf({ linkedAccountId }: Pick<Person, 'linkedAccountId'>) {
  const rows = await engine.query<Record<string, unknown>>(
    `select reference_sealed is not null as reference, numbers_sealed is not null as numbers,
      consent_ended_at is not null as ended from linked_accounts where tenant_id = $1 and id = $2`,
    uuid('linked_account', linkedAccountId ?? ''),
  );
  return rows[0];
}
const open = { reference: true, numbers: true, ended: false };
const ended = { reference: false, numbers: false, ended: true };

test('the consent of a removed link ends after the refund window, and the numbers with it', async () => {
  const ana = await api.banked('individual');
  await unlink(ana);
  await days(179);
  expect([removed, await keptOf(ana)]).toEqual([[], open]);
  await days(2);
  expect([removed, await keptOf(ana)]).toEqual([['public-sandbox-standard/'], ended]);
  await days(30);
  expect(removed).toHaveLength(1);
  const shown = await api.get(`/v1/linked-accounts/${ana.linkedAccountId}`);
  expect(shown).toMatchObject({ status: 'removed', version: 3 });
});

test('a link in use keeps its consent', async () => {
  const ana = await api.banked('individual');
  await days(400);
  expect([removed, await keptOf(ana)]).toEqual([[], open]);
});

test('a link that was never verified has nothing to wait for', async () => {
  const { customerId } = await api.approved('individual');
  const path = `/v1/customers/${customerId}/linked-accounts`;
  const { id } = await api.post(path, { public_token: 'public-sandbox-standard' });
  await api.simulate('linked_account.failed', id);
  expect([removed.length, await keptOf({ linkedAccountId: id })]).toEqual([1, ended]);
});

test('the consent to an account that was linked again ends with the last of its links', async () => {
  const ana = await api.banked('individual');
  await unlink(ana);
  const path = `/v1/customers/${ana.customerId}/linked-accounts`;
  const { id } = await api.post(path, { public_token: 'public-sandbox-standard' });
  await api.simulate('linked_account.verified', id);
  expect((await api.get(`/v1/linked-accounts/${id}`)).status).toBe('verified');
  await days(181);
  expect([removed, await keptOf(ana)]).toEqual([[], ended]);
  expect(await keptOf({ linkedAccountId: id })).toEqual(open);
  await unlink({ ...ana, linkedAccountId: id });
  await days(181);
  expect([removed.length, await keptOf({ linkedAccountId: id })]).toEqual([1, ended]);
});

test('a later link of the same account that never worked leaves the consent to the earlier one', async () => {
  const ana = await api.banked('individual');
  await unlink(ana);
  const path = `/v1/customers/${ana.customerId}/linked-accounts`;
  const { id } = await api.post(path, { public_token: 'public-sandbox-standard' });
  await api.simulate('linked_account.failed', id);
  await server.runJobs();
  expect([removed, await keptOf({ linkedAccountId: id })]).toEqual([[], ended]);
  expect(await keptOf(ana)).toEqual(open);
  await days(181);
  expect([removed.length, await keptOf(ana)]).toEqual([1, ended]);
});

test('what is open by an earlier link of an account holds the later ones open', async () => {
  const ana = await api.funded('individual', 50_00);
  const withdrawal = await api.confirmed(api.withdraw(ana, 5_00));
  await unlink(ana);
  const path = `/v1/customers/${ana.customerId}/linked-accounts`;
  const { id } = await api.post(path, { public_token: 'public-sandbox-standard' });
  await api.simulate('linked_account.failed', id);
  await days(200);
  expect([removed, await keptOf(ana)]).toEqual([[], open]);
  expect((await keptOf({ linkedAccountId: id }))?.reference).toBe(true);
  await api.simulate('withdrawal.settled', withdrawal.id);
  await days(2);
  expect([removed.length, await keptOf(ana)]).toEqual([1, ended]);
  expect(await keptOf({ linkedAccountId: id })).toEqual(ended);
});

test('a short refund window does not end a consent before disputes can have come', async () => {
  await engine.change({ refund_window_days: 1 });
  const ana = await api.banked('individual');
  await unlink(ana);
  await days(119);
  expect(removed).toEqual([]);
  await days(2);
  expect(removed).toHaveLength(1);
  await engine.change({ refund_window_days: 180 });
});

test.each([
  [
    'a withdrawal that the bank has not answered',
    async (ana: Person) => {
      const withdrawal = await api.confirmed(api.withdraw(ana, 5_00));
      return () => api.simulate('withdrawal.settled', withdrawal.id);
    },
  ],
  [
    'a payment by bank that the bank has not answered',
    async (ana: Person) => {
      const cafe = await api.banked('business');
      const payment = await api.confirmed(api.payByBank(ana, cafe, 5_00));
      await api.simulate('payment.completed', payment.id);
      const refund = await api.confirmed(api.refund(payment, 5_00));
      return () => api.simulate('refund.completed', refund.id);
    },
  ],
  [
    'money of a load that is on its way back',
    async ({ linkedAccountId }: Person) => {
      const of = uuid('linked_account', linkedAccountId ?? '');
      await engine.query(
        `insert into instructions (tenant_id, id, kind, purpose, source_type, source_id, linked_account_id, amount,
           status, created_at)
         values ($1, gen_random_uuid(), 'credit_transfer', 'return_of_funds', 'adjustment', gen_random_uuid(), $2, 500,
           'sent', now())`,
        of,
      );
      return () =>
        engine.query(
          `delete from instructions where tenant_id = $1 and linked_account_id = $2 and purpose = 'return_of_funds'`,
          of,
        );
    },
  ],
])('%s holds the consent open until it has ended', async (_what, begin) => {
  const ana = await api.funded('individual', 50_00);
  const end = await begin(ana);
  await unlink(ana);
  await days(200);
  expect([removed, await keptOf(ana)]).toEqual([[], open]);
  await end();
  await days(2);
  expect([removed.length, await keptOf(ana)]).toEqual([1, ended]);
});

test('an open dispute holds the consent of a closed account open', async () => {
  const ana = await api.funded('individual', 50_00);
  const cafe = await api.banked('business');
  const payment = await api.confirmed(api.pay(ana, cafe, 50_00));
  await api.close(ana);
  await server.runJobs();
  expect((await api.get(`/v1/accounts/${ana.accountId}`)).status).toBe('closed');
  const dispute = await api.dispute(ana, {
    type: 'purchase_dispute',
    payment_id: payment.id,
    description: 'it never came',
  });
  await days(200);
  expect([removed, await keptOf(ana)]).toEqual([[], open]);
  await api.simulate('dispute.resolved_denied', dispute.id);
  await days(2);
  expect([removed.length, await keptOf(ana)]).toEqual([1, ended]);
});

test('a refund goes to no bank account whose number is forgotten, also where the refund window grew since', async () => {
  const ana = await api.funded('individual', 50_00);
  const cafe = await api.banked('business');
  const payment = await api.confirmed(api.pay(ana, cafe, 50_00));
  await api.close(ana);
  await server.runJobs();
  expect(await api.refund(payment, 10_00)).toMatchObject({ destination: 'bank_account' });
  await days(181);
  expect(await keptOf(ana)).toEqual(ended);
  await engine.change({ refund_window_days: 365 });
  expect(await refusalOf(api.refund(payment, 50_00))).toMatchObject({
    code: 'invalid_state',
    details: { reason: 'no_destination' },
  });
  await engine.change({ refund_window_days: 180 });
});

test('an aggregator that does not answer is asked again, and nothing is erased before', async () => {
  const ana = await api.banked('individual');
  await unlink(ana);
  fails = true;
  await days(181);
  expect(removed.length).toBeGreaterThan(0);
  expect(await keptOf(ana)).toEqual(open);
  fails = false;
  await days(1);
  expect(await keptOf(ana)).toEqual(ended);
});

test('without the method the numbers are erased, and the reference stays', async () => {
  Object.assign(rails.aggregator, { remove: undefined });
  const ana = await api.banked('individual');
  await unlink(ana);
  await days(181);
  Object.assign(rails.aggregator, { remove });
  expect(await keptOf(ana)).toEqual({ reference: true, numbers: false, ended: false });
  expect(await engine.jobs(uuid('linked_account', ana.linkedAccountId ?? ''))).toEqual([]);
});
