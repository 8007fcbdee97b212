import { beforeAll, describe, expect, test } from 'vitest';
import { defaultSettings } from '../../../contract/core/settings.ts';
import { endCalendar } from '../../../test/kit/calendar.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import type { Person } from '../../../test/kit/person.ts';
import { openServer } from '../../../test/kit/server.ts';

/** Terms that get worse for consumers wait for 21 days after their notice [12 CFR 1005.8(a)]. */

const server = await openServer({ manual: true });
const { api, engine, sent, token } = server;
await endCalendar(server, 'statements', 'reserve_top_up');
let ana: Person;
let cafe: Person;
beforeAll(async () => {
  ana = await api.banked('individual');
  cafe = await api.banked('business', 'savings');
  await api.fund(ana, 2_000_00);
});

const { limits } = defaultSettings('');
const put = (body: object) => server.call('PUT', '/portal/api/settings', { token, body });
const payDaily = (individual: number) => ({
  limits: { ...limits, payment_daily: { ...limits.payment_daily, individual } },
});
const dailyNow = async () =>
  (await api.get('/portal/api/settings')).limits.payment_daily.individual;
const terms = (): Promise<ReplyBody> => api.get('/portal/api/consumer-terms');
const days = (count: number) => api.advance(count * 86_400);
const fee = (fixed: number, basis_points = 0) => ({
  fees: [
    {
      type: 'platform',
      payment_type: 'consumer_to_merchant',
      source: 'balance',
      basis_points,
      fixed,
      paid_by: 'payer',
    },
  ],
});
const feeOf = async () => (await api.pay(ana, cafe, 10_00)).fees ?? [];
const told = () => sent.filter(({ template }) => template === 'terms_change');

test('a lower limit holds from the 22nd day after its notice on, and a higher one at once', async () => {
  const before = await terms();
  expect(before).toMatchObject({ consumers: 1, changes: [] });
  expect((await put(payDaily(6_000_00))).body.limits.payment_daily.individual).toBe(10_000_00);
  const [change] = (await terms()).changes;
  expect(change).toMatchObject({
    status: 'waiting',
    security_reason: null,
    consumers: 1,
    effective_at: before.effective_at,
    terms: [
      {
        field: 'limits.payment_daily.individual',
        waits: true,
        words: {
          en: 'The most you can pay in a day: $10,000.00 until then, $6,000.00 from then on.',
          es: 'Lo máximo que puede pagar en un día: $10,000.00 hasta entonces, $6,000.00 desde entonces.',
        },
      },
    ],
  });
  await days(21);
  expect(await dailyNow()).toBe(10_000_00);
  await days(1);
  expect(await dailyNow()).toBe(6_000_00);
  expect((await terms()).changes[0]).toMatchObject({ status: 'in_force' });
  await put(payDaily(10_000_00));
  expect(await dailyNow()).toBe(10_000_00);
});

test('each consumer is told once of what changes and when, and a business is not', async () => {
  sent.length = 0;
  await put(payDaily(5_000_00));
  await server.runJobs();
  const notices = told();
  expect(notices.length).toBeGreaterThan(0);
  const customers = await engine.query<{ count: number }>(
    `select count(distinct customer_id)::integer as count from customer_messages
      where tenant_id = $1 and kind = 'terms_change'`,
  );
  expect(customers).toEqual([{ count: 1 }]);
  expect(JSON.stringify(notices)).toContain('$5,000.00 from then on');
  expect(JSON.stringify(notices)).toContain('$5,000.00 desde entonces');
  expect((await terms()).changes[0].told_at).not.toBeNull();
});

test('what is set anew meanwhile holds, and what waited for it does not', async () => {
  expect((await put(payDaily(12_000_00))).body.limits.payment_daily.individual).toBe(12_000_00);
  expect((await terms()).changes[0].terms[0].waits).toBe(false);
  await days(23);
  expect(await dailyNow()).toBe(12_000_00);
});

test('a reason of security lets it hold at once, is kept, and the consumers are told', async () => {
  sent.length = 0;
  const security_reason = 'Stolen phones were used to pay on 3 March.';
  expect(
    (await put({ ...payDaily(2_000_00), security_reason })).body.limits.payment_daily.individual,
  ).toBe(2_000_00);
  await server.runJobs();
  expect((await terms()).changes[0]).toMatchObject({ status: 'in_force', security_reason });
  expect(told().length).toBeGreaterThan(0);
});

describe('a fee', () => {
  test('that rises waits, and one that falls does not', async () => {
    await put(fee(30));
    expect(await feeOf()).toEqual([]);
    await days(22);
    expect(await feeOf()).toMatchObject([{ amount: 30 }]);
    await put(fee(10));
    expect(await feeOf()).toMatchObject([{ amount: 10 }]);
  });

  test('of which one part falls and another rises: the one at once, the other on its day', async () => {
    await put(fee(5, 100));
    expect((await api.get('/portal/api/settings')).fees).toMatchObject([
      { fixed: 5, basis_points: 0 },
    ]);
    await days(22);
    expect((await api.get('/portal/api/settings')).fees).toMatchObject([
      { fixed: 5, basis_points: 100 },
    ]);
  });
});

test('transfers that are switched off for consumers stay until their day; a business is asked nothing', async () => {
  const { flows } = defaultSettings('');
  const reply = await put({ flows: { ...flows, loads: false, merchant_to_merchant: false } });
  expect(reply.body.flows).toMatchObject({ loads: true, merchant_to_merchant: false });
  await days(22);
  expect((await api.get('/portal/api/settings')).flows.loads).toBe(false);
  await put({ flows });
});

test('the day moves on while not everybody has been told', async () => {
  const other = await api.banked('individual');
  expect(other.accountId).not.toBe(ana.accountId);
  await put(payDaily(1_000_00));
  const [row] = await engine.query<{ id: string }>(
    'select id from term_changes where tenant_id = $1 order by created_at desc limit 1',
  );
  const ref = row?.id ?? '';
  await engine.query(
    `update jobs set due_at = due_at + interval '30 days', wake_at = wake_at + interval '30 days'
      where tenant_id = $1 and name = 'term_notice' and ref = $2`,
    ref,
  );
  await days(25);
  expect(await dailyNow()).toBe(2_000_00);
  await days(6);
  expect((await terms()).changes[0].told_at).not.toBeNull();
  await days(20);
  expect(await dailyNow()).toBe(2_000_00);
  await days(20);
  expect(await dailyNow()).toBe(1_000_00);
});

test('a Tenant without consumers has nobody to tell, and its terms hold at once', async () => {
  const alone = server.apiOf(await server.anotherTenant());
  await alone.put('/portal/api/settings', payDaily(1_00));
  expect((await alone.get('/portal/api/settings')).limits.payment_daily.individual).toBe(1_00);
  expect(await alone.get('/portal/api/consumer-terms')).toMatchObject({
    consumers: 0,
    changes: [],
  });
});
