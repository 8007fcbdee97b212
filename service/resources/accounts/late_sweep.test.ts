import { expect, test } from 'vitest';
import { openServer } from '../../../test/kit/server.ts';
import { orderIdOfRecord } from '../../rails/order_id.ts';

/** Sweeps that run late, as after a restore (rules/restore#2). */

const hourMs = 3_600_000;
/** 22:00 in New York on 20 January. */
const evening = Date.parse('2026-01-21T03:00:00Z');
const begunMs = Date.now();
let skewMs = 0;
const server = await openServer({
  workers: false,
  realNow: () => evening + skewMs + Date.now() - begunMs,
  bank: { take: async () => {} },
});
const { api, engine } = server;
const { tenantId } = server.tenant;
await engine.change({
  fees: [
    {
      payment_type: 'consumer_to_merchant',
      source: 'balance',
      type: 'platform',
      fixed: 0,
      basis_points: 100,
      paid_by: 'payee',
    },
  ],
});
const ana = await api.funded('individual', 900_00);
const cafe = await api.banked('business');
const pay = (amount: number) => api.confirmed(api.pay(ana, cafe, amount));

const ordered = () =>
  engine.query<{ id: string; amount: number }>(
    `select id, amount from instructions where tenant_id = $1 and purpose = 'fee_sweep' order by created_at`,
  );
const orderOf = (day: string, amount: number) => ({
  id: orderIdOfRecord({ tenantId }, 'internal_transfer', 'fee_sweep', day),
  amount,
});

test('a sweep that runs on a later day is the order of the day that it was due on, and the later days have their own', async () => {
  await pay(100_00);
  // 02:00 on 21 January: the service was down at 23:30.
  skewMs = 4 * hourMs;
  await server.runJobs();
  expect(await ordered()).toEqual([orderOf('2026-01-20', 1_00)]);
  await pay(50_00);
  // 23:30 on 21 January.
  skewMs = 25.5 * hourMs;
  await server.runJobs();
  const known = [orderOf('2026-01-20', 1_00), orderOf('2026-01-21', 50)];
  expect(await ordered()).toEqual(known);
  await pay(30_00);
  // 02:00 on 25 January, after three sweeps that nobody ran.
  skewMs = 100 * hourMs;
  await server.runJobs();
  expect(await ordered()).toEqual([...known, orderOf('2026-01-22', 30)]);
  const [next] = await engine.query(
    `select due_at from jobs where tenant_id = $1 and name = 'fees_sweep'`,
  );
  expect(next.due_at).toBe('2026-01-26T04:30:00.000Z');
});
