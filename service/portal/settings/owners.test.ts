import { settingOwners } from '@tenant-payments/contract/core/setting_facts.ts';
import { Settings } from '@tenant-payments/contract/core/settings.ts';
import type { Role } from '@tenant-payments/contract/portal/roles.ts';
import { beforeEach, expect, test } from 'vitest';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { refusalOf } from '../../../test/kit/refusal.ts';
import { openServer, type TestTenant } from '../../../test/kit/server.ts';
import { getSettings, putSettings } from './settings.ts';

/** Whose each setting is, and who has changed it (rules/operations#49). */

const server = await openServer({ workers: false });
const { service } = server;
let tenant: TestTenant;
let now: Settings;
beforeEach(async () => {
  tenant = await server.anotherTenant();
  now = (await getSettings({ db: service.db, tenantId: tenant.tenantId })) as Settings;
});

function put(roles: readonly Role[], changes: object) {
  const actor = { kind: 'person', id: 'prs_1', personId: 'prs_1', roles } as const;
  const context = { tenantId: tenant.tenantId, db: service.db };
  const who = { ...actor, address: null, requestId: null };
  return putSettings(service, { approvals: false })({ ...context, actor: who }, changes);
}

const keys = Object.keys(Settings.properties) as (keyof Settings)[];
const owned = keys.filter((key) => settingOwners[key] !== 'by_type');

test.each(owned)('%s is set by its owner and refused to the other', async (key) => {
  const owner = settingOwners[key];
  const mine = owner === 'platform' ? (['admin'] as const) : (['owner', 'developer'] as const);
  const others = owner === 'platform' ? (['owner', 'developer'] as const) : (['admin'] as const);
  for (const role of mine) expect(await put([role], { [key]: now[key] })).toHaveProperty(key);
  for (const role of others)
    await expect(put([role], { [key]: now[key] })).rejects.toMatchObject({
      code: 'forbidden',
      param: key,
      details: { owner },
    });
  expect(await put(['admin', 'owner'], { [key]: now[key] })).toHaveProperty(key);
});

const rule = (type: 'platform' | 'tenant', fixed: number) => ({
  type,
  payment_type: 'consumer_to_merchant',
  source: 'balance',
  basis_points: 0,
  fixed,
  paid_by: 'payee',
});

test('of fees each side changes its own rules and gives the others unchanged', async () => {
  const fees = [rule('platform', 5), rule('tenant', 7)];
  await put(['admin', 'owner'], { fees });
  expect(await put(['owner'], { fees: [rule('tenant', 8), rule('platform', 5)] })).toBeDefined();
  expect(await put(['admin'], { fees: [rule('tenant', 8), rule('platform', 6)] })).toBeDefined();
  for (const [role, other] of [
    ['owner', 'platform'],
    ['admin', 'tenant'],
  ] as const)
    for (const changed of [[], [rule('platform', 1), rule('tenant', 1)]])
      await expect(put([role], { fees: changed })).rejects.toMatchObject({
        code: 'forbidden',
        param: 'fees',
        details: { owner: other },
      });
});

test('one key of somebody else keeps the others from being set', async () => {
  await expect(
    put(['owner'], { sandbox_mode: 'automatic', refund_window_days: 30 }),
  ).rejects.toMatchObject({ code: 'forbidden', param: 'refund_window_days' });
  expect(await getSettings({ db: service.db, tenantId: tenant.tenantId })).toEqual(now);
});

test('the history has each changed key with who, before and after, page by page', async () => {
  const api = server.apiOf(tenant);
  await api.settings({
    refund_window_days: 30,
    branding: { ...now.branding, name: 'Café +1 Ltd' },
  });
  await api.settings({ refund_window_days: 30, withdrawal_hold_hours: 0 });
  expect(await refusalOf(api.settings({ refund_window_days: 0 }))).toMatchObject({
    code: 'parameter_invalid',
  });
  await api.settings({ refund_window_days: 60 });
  const history = async (query = '') => api.get(`/portal/api/settings/history${query}`);
  const { data } = await history();
  expect(data.map(({ key, before, after }: ReplyBody) => [key, before, after])).toEqual([
    ['refund_window_days', 30, 60],
    ['withdrawal_hold_hours', 72, 0],
    ['refund_window_days', 180, 30],
    ['branding', now.branding, { ...now.branding, name: 'Café +1 Ltd' }],
  ]);
  expect(data[0].actor).toEqual({ kind: 'client', id: tenant.client_id, person_id: null });
  const first = await history('?limit=3');
  const second = await history(`?limit=3&cursor=${first.next_cursor}`);
  expect([...first.data, ...second.data]).toEqual(data);
  expect((await history('?key=withdrawal_hold_hours')).data).toHaveLength(1);
});
