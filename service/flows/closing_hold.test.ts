import { beforeEach, expect, test } from 'vitest';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { uuid } from '../../test/kit/ids.ts';
import type { Person } from '../../test/kit/person.ts';
import { refusalOf } from '../../test/kit/refusal.ts';
import { openServer } from '../../test/kit/server.ts';

/** Payouts by closing to a bank account that was linked lately. */

const server = await openServer({ manual: true });
const { api, engine, sent } = server;
let ana: Person;
beforeEach(async () => {
  ana = await api.funded('individual', 500_00);
  sent.length = 0;
});

/** The change that a Tenant's access token can make alone: another bank account takes the place of Ana's. */
async function relink(): Promise<ReplyBody> {
  const links = `/v1/customers/${ana.customerId}/linked-accounts`;
  const { data } = await api.get(links);
  await api.remove(`${links}/${data[0].id}`);
  const id = await api.link(ana, 'savings');
  return (await api.get(links)).data.find((link: ReplyBody) => link.id === id);
}

const payouts = () =>
  engine.query(
    'select status, amount from withdrawals where tenant_id = $1 and account_id = $2',
    uuid('account', ana.accountId),
  );
const ordered = [{ status: 'processing', amount: 500_00 }];

const queued = async (): Promise<ReplyBody> =>
  (await api.get('/portal/api/review?limit=100')).data.find(
    ({ id }: ReplyBody) => id === ana.accountId,
  )?.record;

/** The templates sent to Ana's address, in order. */
const told = (): string[] =>
  sent.flatMap(({ to, template }) => (template !== 'code' && 'email' in to ? [template] : []));

const secondsUntil = async (instant: string): Promise<number> =>
  (Date.parse(instant) - Date.parse((await api.get('/portal/api/clock')).now)) / 1_000;

/** Closing in which the hold of the new bank account holds the money back. */
async function closeAfterRelink(): Promise<string> {
  const { withdrawal_hold_until } = await relink();
  await api.close(ana);
  await server.runJobs();
  return withdrawal_hold_until;
}

test('unlink, link another bank and close pays nothing before its hold has passed', async () => {
  const until = await closeAfterRelink();
  const seconds = await secondsUntil(until);
  expect(seconds).toBeGreaterThan(71 * 3_600);
  await api.advance(Math.floor(seconds) - 60);
  expect(await payouts()).toEqual([]);
  expect(await refusalOf(api.simulate('account.closed', ana.accountId))).toMatchObject({
    code: 'invalid_state',
    details: { reason: 'withdrawal_hold', until },
  });
  expect(await queued()).toMatchObject({ waits_for: 'withdrawal_hold', waits_until: until });
  await api.advance(61);
  expect(await payouts()).toEqual(ordered);
  expect(await queued()).toMatchObject({ waits_for: 'withdrawals', waits_until: null });
});

test('a bank account that is linked while the account closes is held all the same', async () => {
  await api.close(ana);
  await relink();
  await server.runJobs();
  expect(await payouts()).toEqual([]);
});

test('the reviewer who releases the hold lets the payout go', async () => {
  await closeAfterRelink();
  const { data } = await api.get(`/v1/customers/${ana.customerId}/linked-accounts`);
  await api.post(`/portal/api/review/linked-accounts/${data[0].id}/release_hold`, {});
  expect(await payouts()).toEqual(ordered);
});

test('the customer is told of the closing, of the wait, and of the payout before the bank is', async () => {
  const until = await closeAfterRelink();
  expect(told()).toEqual(['closing_begun', 'payout_held']);
  const [held] = sent.filter(({ template }) => template === 'payout_held');
  const day = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'long',
    timeZone: 'America/New_York',
  }).format(Date.parse(until));
  expect(held?.rendered.text).toContain(day);
  const { data } = await api.get(`/v1/customers/${ana.customerId}/linked-accounts`);
  await api.post(`/portal/api/review/linked-accounts/${data[0].id}/release_hold`, {});
  expect(told()).toEqual(['closing_begun', 'payout_held', 'payout_ordered']);
});

test('the money of a customer who was rejected is paid out once a reviewer lifts the suspension of the closing account', async () => {
  const account = uuid('account', ana.accountId);
  const lift = () => api.post(`/portal/api/review/accounts/${ana.accountId}/reactivate`, {});
  await api.simulate('customer.in_review', ana.customerId);
  await api.close(ana);
  await server.runJobs();
  expect(await queued()).toMatchObject({ waits_for: 'suspension' });
  expect(await refusalOf(lift())).toMatchObject({
    code: 'invalid_state',
    details: { current_status: 'closing', reason: 'verification' },
  });
  await api.simulate('customer.rejected', ana.customerId);
  expect(await payouts()).toEqual([]);
  await lift();
  expect(await payouts()).toEqual(ordered);
  expect(await refusalOf(lift())).toMatchObject({
    code: 'invalid_state',
    details: { allowed: ['suspended'] },
  });
  await api.simulate('account.closed', ana.accountId);
  expect(await engine.events(account)).toEqual([
    'account.created',
    'account.suspended',
    'account.closing',
    'account.closed',
  ]);
});
