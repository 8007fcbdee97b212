import { expect, test } from 'vitest';
import { lateMoney } from '../../test/kit/desk.ts';
import { openServer } from '../../test/kit/server.ts';
import { openNightly } from './nightly.ts';

const logged: Record<string, unknown>[] = [];
const server = await openServer({
  workers: false,
  onLog: (line) => logged.push(JSON.parse(line)),
});

async function ofNight(name: 'suspense' | 'reserve') {
  logged.splice(0);
  await openNightly(server.service, { rests: 0 }).verifyNow();
  return logged.filter(({ alarm }) => alarm === name);
}
const tenant_id = server.tenant.tenantId;

test('each night an alarm says how much stands in suspense, until each sum is matched or returned', async () => {
  const { api, engine } = server;
  expect(await ofNight('suspense')).toEqual([]);
  const ids = [await lateMoney(server), await lateMoney(server)];
  const [oldest] = await engine.query(
    'select created_at from suspense where tenant_id = $1 order by created_at limit 1',
  );
  const since = oldest?.created_at;
  expect(await ofNight('suspense')).toMatchObject([{ tenant_id, items: 2, amount: 24_00, since }]);
  const [first, second] = ids;
  await api.post(`/portal/api/review/suspense/${first}/match`, {});
  expect(await ofNight('suspense')).toMatchObject([{ items: 1, amount: 12_00 }]);
  await api.post(`/portal/api/review/suspense/${second}/return`, {});
  expect(await ofNight('suspense')).toEqual([]);
});

test('each night an alarm says by how much the reserve is below zero, whatever took it there', async () => {
  const { api } = server;
  const { accountId } = await api.approved('individual');
  const reserve = async () =>
    (await api.get('/portal/api/reserves')).data.find(
      (one: { tenant_id: string }) => one.tenant_id === tenant_id,
    ).balance;
  const before = await reserve();
  const adjust = (amount: number) =>
    api.post(`/portal/api/review/accounts/${accountId}/adjust`, { amount });
  await adjust(before + 5_00);
  expect(await reserve()).toBe(-5_00);
  expect(await ofNight('reserve')).toMatchObject([{ tenant_id, balance: -5_00 }]);
  await adjust(-5_00);
  expect(await ofNight('reserve')).toEqual([]);
});
