import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { uuid } from '../../test/kit/ids.ts';
import type { Person } from '../../test/kit/person.ts';
import { openServer } from '../../test/kit/server.ts';
import type { LinkRequest, Offers } from '../rails/aggregator.ts';
import type { LinkOutcome } from '../rails/facts.ts';
import { openInbound } from './inbound.ts';

/** Changes to a bank account after its checks (rules/linking#32). */

let offers: Offers | null = null;
let refreshed: string[] = [];
const refreshes = (bank: string) =>
  refreshed.filter((reference) => reference.includes(bank)).length;
let numbers = 0;
const widgets: LinkRequest[] = [];
// Without its daily jobs a Tenant passes months at once.
const server = await openServer({
  own: true,
  manual: true,
  onLog: () => {},
  tenant: { calendar: false },
});
const { api, engine, rails, service } = server;
const { tenantId } = server.tenant;
const inbound = openInbound({ ...service, asks: false });
const { linkToken, numbers: sandboxNumbers } = rails.aggregator;
Object.assign(rails.aggregator, {
  refresh: async (reference: string) => {
    refreshed.push(reference);
    return offers;
  },
  numbers: async (reference: string) => {
    numbers += 1;
    return sandboxNumbers?.(reference) ?? null;
  },
  linkToken: (request: LinkRequest) => {
    widgets.push(request);
    return linkToken(request);
  },
});
beforeEach(() => {
  [offers, refreshed, numbers] = [null, [], 0];
  widgets.length = 0;
});

const day = 86_400;
const report = ({ linkedAccountId }: Person, outcome: LinkOutcome) =>
  inbound.aggregator(tenantId, {
    id: randomUUID(),
    linkId: uuid('linked_account', linkedAccountId ?? ''),
    ...outcome,
  });
const linkOf = ({ linkedAccountId }: Person) => api.get(`/v1/linked-accounts/${linkedAccountId}`);
const unlink = ({ customerId, linkedAccountId }: Person) =>
  server.call('DELETE', `/v1/customers/${customerId}/linked-accounts/${linkedAccountId}`);
const numbersOf = async ({ linkedAccountId }: Person) => {
  const [row] = await engine.query<{ numbers_sealed: string | null }>(
    'select numbers_sealed from linked_accounts where tenant_id = $1 and id = $2',
    uuid('linked_account', linkedAccountId ?? ''),
  );
  return row?.numbers_sealed ?? null;
};

test('a link that needs a login says since when, moves money all the same, and says so when it is done', async () => {
  const ana = await api.funded('individual', 50_00);
  expect(await linkOf(ana)).not.toHaveProperty('needs_login_at');
  expect(await report(ana, { outcome: 'needs_login' })).toBe('taken');
  expect(await report(ana, { outcome: 'needs_login' })).toBe('known');
  expect(await linkOf(ana)).toMatchObject({
    status: 'verified',
    capabilities: { withdrawal: true, load: true, pay_by_bank: true },
    needs_login_at: expect.any(String),
    version: 3,
  });
  const { id } = await api.confirmed(api.withdraw(ana, 5_00));
  expect((await api.get(`/v1/withdrawals/${id}`)).status).toBe('processing');
  expect(await report(ana, { outcome: 'verified' })).toBe('taken');
  expect(await report(ana, { outcome: 'verified' })).toBe('known');
  expect(await linkOf(ana)).toMatchObject({ needs_login_at: null, version: 4 });
  expect(await engine.events(uuid('linked_account', ana.linkedAccountId ?? ''))).toEqual([
    'linked_account.created',
    'linked_account.verified',
    'linked_account.updated',
    'linked_account.updated',
  ]);
});

test('the widget opens for a login alone, for a verified link of the customer and no other', async () => {
  const [ana, ben] = [await api.banked('individual'), await api.banked('individual')];
  const ask = (linked_account_id: string | null) =>
    server.call('POST', `/v1/customers/${ana.customerId}/link-tokens`, {
      key: randomUUID(),
      body: { platform: 'ios', linked_account_id },
    });
  expect((await ask(ana.linkedAccountId)).status).toBe(201);
  expect(widgets).toMatchObject([{ updateOf: 'public-sandbox-standard/' }]);
  for (const other of [ben.linkedAccountId, 'la_unknown']) {
    const { status, body } = await ask(other);
    expect([status, body.error.code, body.error.param]).toEqual([
      404,
      'not_found',
      'linked_account_id',
    ]);
  }
  await unlink(ana);
  expect((await ask(ana.linkedAccountId)).status).toBe(404);
  expect(widgets).toHaveLength(1);
});

test('a consent that the customer has withdrawn fails the link', async () => {
  const ana = await api.banked('individual');
  expect(await report(ana, { outcome: 'revoked' })).toBe('taken');
  expect(await linkOf(ana)).toMatchObject({ status: 'failed', failure_code: 'consent_revoked' });
  expect(await report(ana, { outcome: 'revoked' })).toBe('known');
});

test('numbers that the bank has replaced are asked for again, also of a link that was removed', async () => {
  const ana = await api.banked('individual');
  const before = await numbersOf(ana);
  await unlink(ana);
  expect(await report(ana, { outcome: 'numbers_changed' })).toBe('taken');
  expect(await numbersOf(ana)).toBeNull();
  await server.runJobs();
  expect(await numbersOf(ana)).not.toBe(before);
  expect(await numbersOf(ana)).not.toBeNull();
  expect([numbers, (await linkOf(ana)).version]).toEqual([2, 3]);
});

test('a bank that joins a network gives its links the capability within a day', async () => {
  const ana = await api.banked('individual', 'rtp_only');
  await api.advance(day + 60);
  expect(refreshes('rtp_only')).toBe(1);
  expect((await linkOf(ana)).version).toBe(2);
  offers = { withdrawal: true, load: true };
  await api.advance(day);
  expect(await linkOf(ana)).toMatchObject({
    capabilities: { withdrawal: true, load: true, pay_by_bank: true },
    version: 3,
  });
  await unlink(ana);
  await api.advance(40 * day);
  expect(refreshes('rtp_only')).toBe(2);
});

test('a bank that begins to take transfers gets the payout of a closing account that waits for it', async () => {
  const ana = await api.funded('individual', 40_00);
  offers = { withdrawal: false, load: true };
  await api.advance(31 * day);
  expect((await linkOf(ana)).capabilities.withdrawal).toBe(false);
  await api.close(ana);
  await server.runJobs();
  const payouts = () =>
    engine.query(
      'select amount from withdrawals where tenant_id = $1 and account_id = $2',
      uuid('account', ana.accountId),
    );
  expect(await payouts()).toEqual([]);
  offers = { withdrawal: true, load: true };
  await api.advance(day);
  expect(await payouts()).toEqual([{ amount: 40_00 }]);
});

test('a refund of a payment by bank goes to the balance while the bank takes no transfers', async () => {
  const [ana, cafe] = [await api.banked('individual'), await api.banked('business')];
  const payment = await api.confirmed(api.payByBank(ana, cafe, 40_00));
  await api.simulate('payment.completed', payment.id);
  expect(await api.refund(payment, 10_00)).toMatchObject({ destination: 'bank_account' });
  offers = { withdrawal: false, load: true };
  await api.advance(31 * day);
  const refund = await api.refund(payment, 10_00);
  expect(refund).toMatchObject({ destination: 'balance' });
  await api.confirmed(refund);
  expect(await api.balance(ana)).toMatchObject({ available: 10_00 });
});

test('a bank that offers all is asked each 30 days, and leaves its links without capabilities', async () => {
  const ana = await api.banked('individual', 'savings');
  offers = { withdrawal: false, load: false };
  await api.advance(29 * day);
  expect(refreshes('savings')).toBe(0);
  await api.advance(2 * day);
  expect(await linkOf(ana)).toMatchObject({
    status: 'verified',
    capabilities: { withdrawal: false, load: false, pay_by_bank: false },
  });
  offers = { withdrawal: true, load: true };
  await api.advance(day);
  expect((await linkOf(ana)).capabilities.withdrawal).toBe(true);
});

test('simulate plays both sides of a login, and refuses what is so already', async () => {
  const { linkedAccountId: id } = await api.banked('individual');
  const simulate = async (event: string) => {
    const body = { object_id: id };
    const path = `/v1/sandbox/simulate/linked_account.${event}`;
    const { status, body: reply } = await server.call('POST', path, { body });
    return reply.error?.details?.reason ?? status;
  };
  expect(await simulate('login_restored')).toBe('no_login_needed');
  expect(await simulate('needs_login')).toBe(202);
  expect(await simulate('needs_login')).toBe('needs_login');
  expect(await simulate('login_restored')).toBe(202);
});
