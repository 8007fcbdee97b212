import { expect, test } from 'vitest';
import { addDays, daysBetween } from '../../../service/resources/limits/days.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { openServer } from '../../../test/kit/server.ts';
import { openOverview } from './overview.ts';

/** The money of a Tenant on its home page (rules/operations#59). */

const server = await openServer({ manual: true });

/** Past what is kept for some seconds. */
const anew = async (tenantId: string): Promise<ReplyBody> => {
  const { clocks, db } = server.service;
  const now = async () => clocks.at(tenantId, await clockOf(tenantId)).now;
  const context = { tenantId, db, now } as unknown as Parameters<
    ReturnType<typeof openOverview>
  >[0];
  return openOverview(server.service)(context);
};
const clockOf = async (tenantId: string) => {
  const { rows } = await server.service.pool.query(
    'select clock_offset_ms, clock_at from tenants where tenant_id = $1',
    [tenantId],
  );
  return rows[0];
};

test('what is held is what all customers have, and each day has what was paid on it, reported or not', async () => {
  const tenant = await server.anotherTenant({ settings: { confirmation_grace_seconds: 0 } });
  const { tenantId } = tenant;
  const api = server.apiOf(tenant);
  const ana = await api.funded('individual', 100_00);
  const shop = await api.approved('business');
  await api.confirmed(api.pay(ana, shop, 25_00));
  const before = (await anew(tenantId)).money;
  expect(before.held).toBe(100_00);
  expect(before.days.at(-1)).toMatchObject({ payments: 25_00, refunds: 0, withdrawals: 0 });
  // Three days on the first one is reported, and says the same.
  await api.advance(3 * 86_400);
  await api.confirmed(api.pay(ana, shop, 5_00));
  const { rows } = await server.service.pool.query(
    'select count(*)::int as count from reconciliation_reports where tenant_id = $1',
    [tenantId],
  );
  expect(rows[0].count).toBeGreaterThan(0);
  const { days, held } = (await anew(tenantId)).money;
  expect(held).toBe(100_00);
  const sum = (name: string) =>
    days.reduce((total: number, day: ReplyBody) => total + day[name], 0);
  expect([sum('payments'), sum('loads')]).toEqual([30_00, 100_00]);
  expect(days.at(-1).payments).toBe(5_00);
  const [first] = days;
  expect(days.map(({ day }: ReplyBody) => day)).toEqual(
    days.map((_: unknown, after: number) => addDays(first.day, after)),
  );
  expect(daysBetween(before.days.at(-1).day, days.at(-1).day)).toBeGreaterThanOrEqual(3);
});

test('days behind that are still to be reported leave what is held unknown, and are not shown as nothing', async () => {
  const tenant = await server.anotherTenant({ calendar: false });
  const api = server.apiOf(tenant);
  await api.funded('individual', 100_00);
  await api.advance(20 * 86_400);
  const { days, held } = (await anew(tenant.tenantId)).money;
  expect([days.length, held]).toEqual([8, null]);
});
