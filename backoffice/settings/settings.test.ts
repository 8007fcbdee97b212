import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { expect, test } from 'vitest';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { refusalLine } from '../../test/kit/pages/hosted.ts';
import { portalPerson } from '../../test/kit/people.ts';
import { refusalOf } from '../../test/kit/refusal.ts';
import { openServer } from '../../test/kit/server.ts';

/** The settings of a Tenant, who sets them, and their history (rules/operations#28). */

const server = await openServer({ workers: false });
const { api, tenant } = server;
const now: Settings = await api.get('/portal/api/settings');

test('whoever is of both sides sets every key', async () => {
  expect(await api.settings(now)).toEqual(now);
});

test('one key of somebody else keeps the others from being set', async () => {
  const owner = await portalPerson(server, tenant.tenantId, ['owner']);
  const changes = { sandbox_mode: 'automatic', refund_window_days: 30 };
  const reply = await owner.ask('PUT', '/settings', changes);
  expect(refusalLine(reply)).toBe('forbidden refund_window_days');
  expect(reply.body.error.details).toMatchObject({ owner: 'platform' });
  expect(await api.get('/portal/api/settings')).toEqual(now);
});

test('the history has each changed key with who, before and after, page by page', async () => {
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
  expect(data[0].actor).toMatchObject({ kind: 'client', id: tenant.client_id, person_id: null });
  const first = await history('?limit=3');
  const second = await history(`?limit=3&cursor=${first.next_cursor}`);
  expect([...first.data, ...second.data]).toEqual(data);
  expect((await history('?key=withdrawal_hold_hours')).data).toHaveLength(1);
});

test('a use is permitted by a network and a letter together, or not at all', async () => {
  const use = (networks: string[], agreement: string | null) =>
    api.settings({ request_uses: { ...now.request_uses, purchase: { networks, agreement } } });
  const refused = async (reply: Promise<ReplyBody>) => (await refusalOf(reply)) as ReplyBody;
  const param = 'request_uses.purchase.agreement';
  expect(await refused(use(['fednow'], null))).toMatchObject({
    param,
    details: { reason: 'agreement_missing' },
  });
  expect(await refused(use([], 'a letter'))).toMatchObject({
    param,
    details: { reason: 'nothing_permitted' },
  });
  expect((await refused(use(['fednow', 'fednow'], 'a letter'))).code).toBe('parameter_invalid');
  expect((await use([], null)).request_uses.purchase).toEqual({ networks: [], agreement: null });
});
