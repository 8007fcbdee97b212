import { expect, test } from 'vitest';
import { endCalendar } from '../../../test/kit/calendar.ts';
import { uuid } from '../../../test/kit/ids.ts';
import type { Person } from '../../../test/kit/person.ts';
import { openServer } from '../../../test/kit/server.ts';

const server = await openServer({ manual: true });
const { api, engine } = server;
const fee = { payment_type: 'consumer_to_merchant', source: 'balance', fixed: 0 } as const;
await engine.change({
  fees: [
    { ...fee, type: 'platform', basis_points: 100, paid_by: 'payee' },
    { ...fee, type: 'tenant', basis_points: 50, paid_by: 'payer' },
  ],
});
const ana = await api.banked('individual');
const cafe = await api.banked('business');
await api.fund(ana, 500_00);

const daySeconds = 86_400;

async function sweeps() {
  const rows = await engine.query<{ step: string; pocket: string; delta: number }>(
    `select step, pocket, delta from entries
     where tenant_id = $1 and step in ('fee_sweep_ordered', 'fee_sweep_settled', 'fee_sweep_failed')
     order by id`,
  );
  return rows.map(({ step, pocket, delta }) => [step, pocket, delta]);
}

async function pay(amount: number): Promise<void> {
  await api.confirmed(api.pay(ana, cafe, amount));
}

test('the fees of a day are swept from the clearing position once, at 23:30 Eastern Time', async () => {
  await pay(100_00);
  await api.advance(daySeconds);
  const once = [
    ['fee_sweep_ordered', 'fees_platform', -1_00],
    ['fee_sweep_ordered', 'sweep_in_transit', 1_50],
    ['fee_sweep_ordered', 'fees_tenant', -50],
    ['fee_sweep_settled', 'sweep_in_transit', -1_50],
    ['fee_sweep_settled', 'cash', 1_50],
  ];
  expect(await sweeps()).toEqual(once);
  await api.advance(3 * daySeconds);
  expect(await sweeps()).toEqual(once);
  await pay(10_00);
  await api.advance(daySeconds);
  expect(await sweeps()).toHaveLength(10);
});

test("an account is dormant 365 days after its customer's last movement; movements of others do not count", async () => {
  const statusOf = async ({ customerId }: Person) =>
    (await api.get(`/v1/accounts?customer_id=${customerId}`)).data[0].status;
  await endCalendar(server);
  await api.advance(200 * daySeconds);
  await pay(1_00);
  await api.advance(166 * daySeconds);
  expect([await statusOf(ana), await statusOf(cafe)]).toEqual(['active', 'dormant']);
  // The account can still be paid, and a confirmed load makes it active.
  await pay(1_00);
  await api.fund(cafe, 5_00);
  expect(await statusOf(cafe)).toBe('active');
  await api.advance(364 * daySeconds);
  expect([await statusOf(ana), await statusOf(cafe)]).toEqual(['active', 'active']);
  await api.advance(daySeconds + 60);
  expect([await statusOf(ana), await statusOf(cafe)]).toEqual(['dormant', 'dormant']);
  expect(await engine.events(uuid('account', cafe.accountId))).toEqual([
    'account.created',
    'account.dormant',
    'account.reactivated',
    'account.dormant',
  ]);
});
