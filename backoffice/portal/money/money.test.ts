import { expect, test } from 'vitest';
import { heldLong, openApprovals } from '../../../test/kit/approvals.ts';
import { lateMoney } from '../../../test/kit/desk.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { type PortalPerson, portalPerson } from '../../../test/kit/people.ts';

/** Money that is no customer's, as the staff of the platform see it (rules/money-desk). */

const { server, admins, openCase, pass } = await openApprovals();
const [maria, otto] = admins;
const support = await portalPerson(server, 'platform', ['support']);

const read = async (path: string, by = maria): Promise<ReplyBody> =>
  (await by.ask('GET', path)).body;
const daySeconds = 86_400;

test('unmatched money of all Tenants is listed, what has waited longest first', async () => {
  const [one, other] = [await openCase(), await openCase()];
  const first = await lateMoney(one);
  const second = await lateMoney(other);
  const { data } = await read('/unmatched-money?limit=100');
  const ids = data.map(({ record }: ReplyBody) => record.id);
  expect(ids.indexOf(first)).toBeLessThan(ids.indexOf(second));
  expect(ids.indexOf(first)).toBeGreaterThanOrEqual(0);
  expect(data[ids.indexOf(first)]).toMatchObject({
    tenant_id: one.tenant.tenantId,
    record: { amount: 12_00, reason: 'late', status: 'held' },
    references: [],
  });
  const own = await read(`/unmatched-money?tenant_id=${other.tenant.tenantId}`);
  expect(own.data.map(({ record }: ReplyBody) => record.id)).toEqual([second]);
  expect((await read('/unmatched-money?tenant_id=nobody')).data).toEqual([]);
  const page = await read('/unmatched-money?limit=1');
  const next = await read(`/unmatched-money?limit=1&cursor=${page.next_cursor}`);
  expect([...page.data, ...next.data]).toHaveLength(2);
  expect(page.data[0].record.id).not.toBe(next.data[0].record.id);
});

test('a program sees the unmatched money of its own Tenant alone, and support sees none', async () => {
  const [one, other] = [await openCase(), await openCase()];
  const id = await lateMoney(one);
  expect((await other.api.get('/portal/api/unmatched-money')).data).toEqual([]);
  expect((await other.send(maria, 'GET', `/unmatched-money/${id}`)).status).toBe(404);
  expect((await support.ask('GET', '/unmatched-money')).status).toBe(403);
});

/** The proposals, in short: account and reasons. */
const proposalsOf = ({ proposals }: ReplyBody): [string, string[]][] =>
  proposals.map(({ account_id, reasons }: ReplyBody) => [
    account_id,
    reasons.map(({ reason }: ReplyBody) => reason),
  ]);

test('accounts are proposed by record, reference, amount and date, the strongest first', async () => {
  const { api, engine, send } = await openCase();
  const [ana, ben, cara] = [
    await api.banked('individual'),
    await api.banked('individual'),
    await api.banked('individual'),
  ];
  const shop = await api.banked('business', 'savings');
  const old = await api.confirmed(api.load(cara, 12_00));
  await api.simulate('load.failed', old.id);
  await api.advance(10 * daySeconds);
  const [load, alike, otherAmount] = [
    await api.confirmed(api.load(ana, 12_00)),
    await api.confirmed(api.load(ben, 12_00)),
    await api.confirmed(api.load(cara, 11_00)),
  ];
  for (const { id } of [load, alike, otherAmount]) await api.simulate('load.failed', id);
  await api.post('/v1/payment-requests', {
    type: 'dynamic',
    merchant_customer_id: shop.customerId,
    amount: 99_00,
    order_reference: 'INV-2041',
  });
  await api.simulate('load.paid_late', load.id);
  const { data } = await api.get('/portal/api/unmatched-money');
  const { id } = data[0].record;
  // The sandbox's bank gives no references.
  await engine.query(
    `update bank_messages set reference = 'Pay INV-2041 thanks' where tenant_id = $1`,
  );
  const { body } = await send(maria, 'GET', `/unmatched-money/${id}`);
  expect(proposalsOf(body)).toEqual([
    [ana.accountId, ['named_by_bank', 'same_bank_account']],
    [shop.accountId, ['same_reference']],
    [ben.accountId, ['same_amount', 'near_date']],
    [cara.accountId, ['same_amount']],
  ]);
  expect(body).toMatchObject({ references: ['Pay INV-2041 thanks'], credited_account_id: null });
  expect(body.proposals[1].reasons[0]).toMatchObject({ reference: 'INV-2041', amount: 99_00 });
  expect(body.proposals[3].reasons[0]).toMatchObject({ record_id: old.id, days_apart: 10 });
});

test('money that was matched names the account, and an adjustment alone takes it back', async () => {
  const staff = await openCase();
  const id = await lateMoney(staff);
  const { body: held } = await staff.send(maria, 'GET', `/unmatched-money/${id}`);
  const [{ account_id }] = held.proposals;
  const move = { resource: 'suspense', id, move: 'match', account_id, note: 'of the load' };
  const { body: asked } = await staff.send(maria, 'POST', '/approvals', move);
  await staff.send(otto, 'POST', `/approvals/${asked.id}/approve`, {});
  const { body: matched } = await staff.send(maria, 'GET', `/unmatched-money/${id}`);
  expect(matched).toMatchObject({ credited_account_id: account_id, proposals: [] });
  expect(matched.record.status).toBe('matched');
  const again = await staff.send(maria, 'POST', '/approvals', { ...move, move: 'return' });
  expect(again.status).toBe(400);
  const { data } = await read(`/unmatched-money?status=matched&tenant_id=${staff.tenant.tenantId}`);
  expect(data).toHaveLength(1);
  const back = { move: 'adjust', amount: -12_00 };
  const { body } = await staff.send(maria, 'POST', `/cases/accounts/${account_id}/preview`, back);
  expect(body.effect.postings).toEqual([
    { from: `${account_id}.available`, to: 'tenant.reserve', amount: 12_00 },
  ]);
});

test('a reserve below what its open disputes may cost is short by the difference', async () => {
  const { api, engine, send, tenant } = await openCase();
  await engine.change({ confirmation_grace_seconds: 0 });
  const ana = await api.funded('individual', 80_00);
  const shop = await api.banked('business', 'savings');
  const paid = await api.confirmed(api.pay(ana, shop, 30_00));
  const path = `/v1/accounts/${ana.accountId}/transactions?type=payment_sent`;
  const [sent] = (await api.get(path)).data;
  await api.dispute(ana, { transaction_id: sent.id });
  // Linked to the first, which stands for both.
  await api.dispute(ana, { payment_id: paid.id });
  await api.dispute(ana, { type: 'error' });
  const reserve = async () =>
    (await read(`/reserves?tenant_id=${tenant.tenantId}`, support)).data[0];
  const before = await reserve();
  expect(before).toMatchObject({ floor: 30_00, open_disputes: 2, unknown_disputes: 1, short: 0 });
  const take = { resource: 'accounts', id: ana.accountId, move: 'adjust', note: 'drain' };
  const asked = await send(maria, 'POST', '/approvals', {
    ...take,
    amount: before.balance - 10_00,
  });
  const { status } = await send(otto, 'POST', `/approvals/${asked.body.id}/approve`, {});
  expect(status).toBe(200);
  expect(await reserve()).toMatchObject({ balance: 10_00, short: 20_00 });
  await api.confirmed(api.refund(paid, 25_00));
  expect(await reserve()).toMatchObject({ floor: 5_00, short: 0 });
});

test('funding the reserve can be previewed, and says that it needs two people', async () => {
  const { send } = await openCase();
  const body = { move: 'fund', amount: 5_00 };
  const { status, body: seen } = await send(maria, 'POST', '/cases/reserve/reserve/preview', body);
  expect(status).toBe(200);
  expect(seen).toMatchObject({
    needs_approval: true,
    obstacle: null,
    effect: {
      postings: [{ from: 'tenant.top_up_in_transit', to: 'tenant.reserve', amount: 5_00 }],
    },
  });
  const settings = await send(maria, 'POST', '/cases/settings/settings/preview', {
    move: 'change',
  });
  expect(settings.status).toBe(404);
});

const fee = {
  type: 'platform',
  payment_type: 'consumer_to_merchant',
  source: 'balance',
  paid_by: 'payee',
  basis_points: 50,
  fixed: 0,
} as const;

test('fees wait until their sweep, and are then listed as swept', async () => {
  const tenant = await server.anotherTenant({ settings: { fees: [fee] } });
  const api = server.apiOf(tenant);
  const headers = { 'tenant-id': tenant.tenantId };
  const waiting = async () =>
    (await support.ask('GET', '/waiting-fees', undefined, { headers })).body;
  // The sweep of the day must not come between the payment and the look.
  const { now, next_sweep_at } = await waiting();
  if (Date.parse(next_sweep_at) - Date.parse(now) < 900_000) await api.advance(900);
  const ana = await api.funded('individual', 200_00);
  const shop = await api.banked('business', 'savings');
  await api.confirmed(api.pay(ana, shop, 100_00));
  await api.advance(300);
  const before = await waiting();
  expect(before.platform_fees).toBeGreaterThan(0);
  expect(Date.parse(before.next_sweep_at)).toBeGreaterThan(Date.parse(before.now));
  await api.advance(daySeconds);
  expect(await waiting()).toMatchObject({ platform_fees: 0, tenant_fees: 0 });
  const { data } = await read(`/fee-sweeps?tenant_id=${tenant.tenantId}`, support);
  expect(data).toHaveLength(1);
  expect(data[0]).toMatchObject({
    status: 'swept',
    platform_fees: before.platform_fees,
    created_at: before.next_sweep_at,
  });
  const entries = await api.get(`/portal/api/ledger/entries?source_id=${data[0].id}`);
  expect(entries.data.map(({ pocket }: ReplyBody) => pocket).sort()).toEqual([
    'cash',
    'fees_platform',
    'sweep_in_transit',
    'sweep_in_transit',
  ]);
});

const nameOf = async (person: PortalPerson): Promise<string> =>
  (await person.ask('GET', '/session')).body.person.name;

test('adjustments are listed with who asked, who decided and their entries, whatever became of them', async () => {
  const { api, send, tenant } = await openCase();
  const ana = await api.funded('individual', 50_00);
  const ask = async (amount: number, note: string, by = maria): Promise<string> => {
    const asked = { resource: 'accounts', id: ana.accountId, move: 'adjust', amount, note };
    return (await send(by, 'POST', '/approvals', asked)).body.id;
  };
  const lapsed = await ask(1_00, 'forgotten');
  pass(8 * daySeconds * 1_000);
  const [mia, tom] = [
    await portalPerson(server, 'platform', ['reviewer']),
    await portalPerson(server, 'platform', ['reviewer']),
  ];
  await heldLong(server, mia, tom);
  const approved = await ask(-7_00, 'credited twice', mia);
  await send(tom, 'POST', `/approvals/${approved}/approve`, { note: 'seen' });
  const refused = await ask(2_00, 'kindness', mia);
  await send(tom, 'POST', `/approvals/${refused}/refuse`, { note: 'no reason' });
  const waiting = await ask(3_00, 'to see', mia);
  const { data } = await read(`/adjustments?tenant_id=${tenant.tenantId}`, tom);
  const byRequest = (id: string) => data.find((row: ReplyBody) => row.approval_id === id);
  expect(data).toHaveLength(4);
  expect(byRequest(approved)).toMatchObject({
    status: 'made',
    amount: -7_00,
    reason: 'credited twice',
    decision_note: 'seen',
    account_id: ana.accountId,
  });
  const { asked_by, decided_by } = byRequest(approved);
  expect([asked_by, decided_by]).toEqual([await nameOf(mia), await nameOf(tom)]);
  expect(byRequest(refused)).toMatchObject({ status: 'refused', amount: 2_00, source_id: null });
  expect(byRequest(waiting)).toMatchObject({ status: 'waiting', decided_by: null });
  expect(byRequest(lapsed)).toMatchObject({ status: 'lapsed', decided_by: null });
  const { source_id } = byRequest(approved);
  const entries = await api.get(`/portal/api/ledger/entries?source_id=${source_id}`);
  expect(entries.data.map(({ delta }: ReplyBody) => delta).sort()).toEqual([-7_00, 7_00]);
  const ofStatus = await read(`/adjustments?status=made&tenant_id=${tenant.tenantId}`, tom);
  expect(ofStatus.data.map((row: ReplyBody) => row.approval_id)).toEqual([approved]);
});
