import { everyUse, type RequestNetwork } from '@tenant-payments/contract/core/request_uses.ts';
import {
  defaultSettings,
  type FeeRule,
  type Settings,
} from '@tenant-payments/contract/core/settings.ts';
import type { Actor } from '@tenant-payments/engine/actor.ts';
import { afterAll, expect, test } from 'vitest';
import { openApprovals, type StaffCase, shortOf } from '../../test/kit/approvals.ts';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { type PortalPerson, portalPerson } from '../../test/kit/people.ts';
import { startTestServer, type TestServer } from '../../test/kit/server.ts';
import { putSettings } from '../settings/settings.ts';
import { openJudge } from './judge.ts';

/** A limit or a fee of the platform that one person does not change so far (rules/approvals#11). */

const { server, admins, openCase, pass } = await openApprovals();
const [maria, otto] = admins;
const stopping: TestServer[] = [];
afterAll(() => Promise.all(stopping.map((one) => one.stop())));

const settingsOf = async ({ api }: StaffCase) => api.get('/portal/api/settings');
const limits = defaultSettings('').limits;
const raised = (individual: number | null) => ({
  limits: { ...limits, load_daily: { ...limits.load_daily, individual } },
});
const oldLimit = limits.load_daily.individual ?? 0;

const requestOf = (settings: object) => ({
  resource: 'settings',
  id: 'settings',
  move: 'change',
  settings,
  note: 'they asked',
});

const rule = (type: FeeRule['type'], fixed: number, basis_points = 0): FeeRule => ({
  type,
  payment_type: 'consumer_to_merchant',
  source: 'balance',
  basis_points,
  fixed,
  paid_by: 'payee',
});
const uses = (networks: RequestNetwork[], agreement = 'a letter') => ({
  request_uses: {
    ...everyUse,
    purchase: { networks, agreement: networks.length > 0 ? agreement : null },
  },
});
const fees = (...rules: FeeRule[]) => ({ fees: rules });
const limit = 'limits.load_daily.individual';
const fee = 'fees.platform.consumer_to_merchant.balance';

test.each<[string, Partial<Settings>, Partial<Settings>, string | null]>([
  ['a limit to twice its value', {}, raised(2 * oldLimit), null],
  ['a limit above twice its value', {}, raised(2 * oldLimit + 1), limit],
  ['a limit to none', {}, raised(null), limit],
  ['a limit of nothing to a cent', raised(0), raised(1), limit],
  ['a limit where none was', raised(null), raised(1), null],
  ['a lower limit', {}, raised(1), null],
  ['a lower fee', fees(rule('platform', 10)), fees(rule('platform', 9)), `${fee}.fixed`],
  [
    'a lower rate',
    fees(rule('platform', 0, 9)),
    fees(rule('platform', 0, 8)),
    `${fee}.basis_points`,
  ],
  ['a fee to none', fees(rule('platform', 10)), fees(), `${fee}.fixed`],
  ['a higher fee', fees(rule('platform', 10)), fees(rule('platform', 100)), null],
  ["a Tenant's own fee to none", fees(rule('tenant', 10)), fees(), null],
  [
    'a use that becomes permitted',
    uses([]),
    uses(['fednow']),
    'request_uses.purchase.networks.fednow',
  ],
  [
    'a further network',
    uses(['rtp']),
    uses(['fednow', 'rtp']),
    'request_uses.purchase.networks.fednow',
  ],
  ['another letter', uses(['rtp']), uses(['rtp'], 'another'), 'request_uses.purchase.agreement'],
  ['the same networks in another order', uses(['rtp', 'fednow']), uses(['fednow', 'rtp']), null],
  ['a network less', uses(['rtp', 'fednow']), uses(['fednow']), null],
  ['a use less', uses(['rtp']), uses([]), null],
  ['a shorter hold', {}, { withdrawal_hold_hours: 71 }, 'withdrawal_hold_hours'],
  ['a longer hold', {}, { withdrawal_hold_hours: 73 }, null],
  ['another grace', {}, { confirmation_grace_seconds: 60 }, 'confirmation_grace_seconds'],
  ['another window of refunds', {}, { refund_window_days: 181 }, 'refund_window_days'],
  ['a first maximum of payouts', {}, { payout_daily_maximum: 100_00 }, null],
  [
    'a higher maximum of payouts',
    { payout_daily_maximum: 100_00 },
    { payout_daily_maximum: 100_01 },
    'payout_daily_maximum',
  ],
  [
    'no maximum of payouts any more',
    { payout_daily_maximum: 100_00 },
    { payout_daily_maximum: null },
    'payout_daily_maximum',
  ],
  [
    'a lower maximum of payouts',
    { payout_daily_maximum: 100_00 },
    { payout_daily_maximum: 99_00 },
    null,
  ],
  ['late money that waits for nobody', {}, { late_money: 'credit' }, 'late_money'],
  ['late money that waits again', { late_money: 'return' }, { late_money: 'hold' }, null],
  ['another structure', {}, { account_structure: 'tenant_scheme' }, 'account_structure'],
])(
  '%s: who needs a second person for it learns for which value',
  async (_, before, after, field) => {
    const of = await openCase();
    await of.engine.change(before);
    // Its client has every role in the sandbox, the Tenant's too.
    const { status, body } = await of.api.call('PUT', '/portal/api/settings', { body: after });
    if (field === null) return expect(status).toBe(200);
    const details = {
      reason: 'approval_required',
      changes: expect.arrayContaining([expect.objectContaining({ field })]),
    };
    expect([status, body.error]).toMatchObject([409, { code: 'invalid_state', details }]);
    expect(await settingsOf(of)).toMatchObject(before);
  },
);

test('a smaller change is made by an admin alone, or by two', async () => {
  const of = await openCase();
  const settings = raised(2 * oldLimit);
  expect((await of.send(maria, 'POST', '/approvals', requestOf(settings))).status).toBe(201);
  expect((await of.send(maria, 'PUT', '/settings', settings)).status).toBe(200);
});

test('changes of one person within seven days count together, until two people make one', async () => {
  const of = await openCase();
  const put = (to: number) => of.send(maria, 'PUT', '/settings', raised(to));
  expect((await put(2 * oldLimit)).status).toBe(200);
  const again = await put(4 * oldLimit);
  const changes = [{ field: limit, before: oldLimit, after: 4 * oldLimit }];
  expect([again.status, again.body.error.details]).toMatchObject([409, { changes }]);
  expect((await put(oldLimit / 2)).status).toBe(200);
  expect((await put(2 * oldLimit)).status).toBe(200);
  const made = await of.send(maria, 'POST', '/approvals', requestOf(raised(4 * oldLimit)));
  expect((await approve(of, otto, made.body)).status).toBe(200);
  expect((await put(8 * oldLimit)).status).toBe(200);
  expect((await put(9 * oldLimit)).status).toBe(409);
});

test('two people who change one limit let nobody raise another further alone', async () => {
  const of = await openCase();
  const oldOther = limits.load_daily.business ?? 0;
  const both = (individual: number, times: number) => ({
    limits: { ...limits, load_daily: { individual, business: times * oldOther } },
  });
  const put = (settings: object) => of.send(maria, 'PUT', '/settings', settings);
  expect((await put(both(oldLimit, 2))).status).toBe(200);
  const made = await of.send(maria, 'POST', '/approvals', requestOf(both(3 * oldLimit, 2)));
  expect((await approve(of, otto, made.body)).status).toBe(200);
  expect(shortOf(await put(both(3 * oldLimit, 4)))).toEqual([409, 'approval_required']);
  expect((await put(both(6 * oldLimit, 2))).status).toBe(200);
});

test('changes that one person has under way at once count together', async () => {
  const of = await openCase();
  const { service } = server;
  const { tenantId } = of.tenant;
  const actor: Actor = {
    kind: 'person',
    id: maria.id,
    personId: maria.id,
    roles: ['admin'],
    address: null,
    requestId: null,
  };
  const input = raised(4 * oldLimit);
  const judged = openJudge(service)(putSettings(service));
  // Before the other change, and decided after it.
  const ready = await judged.prepare?.(input, { tenantId, actor });
  expect((await of.send(maria, 'PUT', '/settings', raised(2 * oldLimit))).status).toBe(200);
  const late = { ...judged, judgesItself: true as const, prepare: async () => ready };
  const act = { act: 'putSettings', record: null, scope: tenantId };
  const changes = [{ field: limit, before: oldLimit, after: 4 * oldLimit }];
  await expect(service.engine.submit(late, { tenantId, actor, act, input })).rejects.toMatchObject({
    details: { reason: 'approval_required', changes },
  });
});

const ask = async (of: StaffCase) => {
  const made = await of.send(maria, 'POST', '/approvals', requestOf(raised(3 * oldLimit)));
  return made.body;
};
const approve = (of: StaffCase, by: PortalPerson, { id }: ReplyBody) =>
  of.send(by, 'POST', `/approvals/${id}/approve`);

test('a request shows each value before and after, and the history the change once it is approved', async () => {
  const of = await openCase();
  const made = await ask(of);
  const change = { object: 'settings', id: of.tenant.tenantId, field: limit };
  const values = { before: oldLimit, after: 3 * oldLimit };
  expect(made.effect).toEqual({ postings: [], changes: [{ ...change, ...values }] });
  expect((await approve(of, otto, made)).status).toBe(200);
  const { data } = await of.api.get('/portal/api/settings/history');
  expect(data).toMatchObject([
    {
      actor: { person_id: otto.id },
      key: 'limits',
      before: { load_daily: { individual: oldLimit } },
      after: { load_daily: { individual: 3 * oldLimit } },
    },
  ]);
});

test('a setting that was changed since the request is not overwritten', async () => {
  const of = await openCase();
  const made = await ask(of);
  await of.engine.change({ limits: { ...limits, withdrawal_daily: limits.load_daily } });
  const { body } = await of.send(otto, 'GET', '/approvals');
  expect(body.data).toMatchObject([{ id: made.id, changed: true, obstacle: null }]);
  expect(shortOf(await approve(of, otto, made))).toEqual([409, 'changed_since']);
});

test('another setting that was changed since does not hold a request up', async () => {
  const of = await openCase();
  const made = await ask(of);
  await of.engine.change({ refund_window_days: 30 });
  expect((await approve(of, otto, made)).status).toBe(200);
  const left = { refund_window_days: 30, ...raised(3 * oldLimit) };
  expect(await settingsOf(of)).toMatchObject(left);
});

test('a request whose fields a later release does not take cannot be approved, and says why', async () => {
  const of = await openCase();
  const made = await ask(of);
  await server.owner.query('update approvals set body = $2 where tenant_id = $1', [
    of.tenant.tenantId,
    JSON.stringify({ settings: { sandbox_mode: 'removed' } }),
  ]);
  const { body } = await of.send(otto, 'GET', '/approvals');
  const obstacle = { code: 'invalid_state', reason: 'changed_since' };
  expect(body.data).toMatchObject([{ id: made.id, body: {}, effect: null, obstacle }]);
  expect(shortOf(await approve(of, otto, made))).toEqual([409, 'changed_since']);
  const refused = await of.send(otto, 'POST', `/approvals/${made.id}/refuse`);
  expect(shortOf(refused)).toEqual([200, 'refused']);
});

test('a change is asked for and approved by admins alone', async () => {
  const of = await openCase();
  const ruth = await portalPerson(server, 'platform', ['reviewer']);
  const refusals = [
    await of.send(ruth, 'POST', '/approvals', requestOf(raised(3 * oldLimit))),
    await approve(of, ruth, await ask(of)),
  ];
  for (const { body } of refusals)
    expect(body.error).toMatchObject({ code: 'forbidden', details: { roles: ['admin'] } });
});

test('a sandbox without the rule lets one person do it, production never does', async () => {
  const off = await startTestServer({ beside: server, workers: false });
  stopping.push(off);
  const body = raised(null);
  expect((await off.call('PUT', '/portal/api/settings', { body })).status).toBe(200);
  const production = await startTestServer({ environment: 'production', workers: false });
  stopping.push(production);
  const admin = await portalPerson(production, 'platform', ['admin']);
  const headers = { 'tenant-id': production.tenant.tenantId };
  const put = await admin.ask('PUT', '/settings', body, { headers });
  expect(shortOf(put)).toEqual([409, 'approval_required']);
});

test('a request lapses after seven days', async () => {
  const of = await openCase();
  const made = await ask(of);
  pass(7 * 86_400_000);
  await otto.signIn();
  expect(shortOf(await approve(of, otto, made))).toEqual([409, 'lapsed']);
  expect(await settingsOf(of)).toMatchObject({ limits });
});
