import { accountStructures } from '@tenant-payments/contract/resources/reports.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../../../test/kit/api.ts';
import { fileOf, readdedFrom } from '../../../test/kit/files/report_files.ts';
import { uuid } from '../../../test/kit/ids.ts';
import type { Person } from '../../../test/kit/person.ts';
import { startTestServer, type TestServer } from '../../../test/kit/server.ts';
import { adjustAccount } from '../accounts/adjust.ts';

const hourSeconds = 3_600;
const daySeconds = 24 * hourSeconds;
const fee = { payment_type: 'consumer_to_merchant', source: 'balance' } as const;

/** The clock of these tests starts on January 20th, at 10:00 in New York. */
const today = '2026-01-20';
const tomorrow = '2026-01-21';

describe.each(accountStructures)('under %s', (account_structure) => {
  let server: TestServer;
  let api: Api;
  let ana: Person;
  let cafe: Person;
  const reportOf = (date: string) => server.call('GET', `/v1/reports/reconciliation?date=${date}`);
  const at = (date: string) => api.advance(date);

  beforeAll(async () => {
    server = await startTestServer({ manual: true });
    api = server.api;
    await server.engine.change({
      account_structure,
      fees: [
        { ...fee, type: 'platform', basis_points: 50, fixed: 0, paid_by: 'payee' },
        { ...fee, type: 'tenant', basis_points: 0, fixed: 25, paid_by: 'payer' },
        {
          ...fee,
          type: 'tenant',
          source: 'bank_account',
          basis_points: 0,
          fixed: 30,
          paid_by: 'payee',
        },
      ],
    });
    ana = await api.banked('individual');
    cafe = await api.banked('business', 'savings');
  });
  afterAll(() => server.stop());

  /** One movement of every kind; the first test has the sums. */
  async function playTheDay() {
    await api.fund(ana, 1_000_00);
    const paid = await api.confirmed(api.pay(ana, cafe, 200_00));
    const byBank = await api.confirmed(api.payByBank(ana, cafe, 80_00));
    await api.simulate('payment.completed', byBank.id);
    // Posted on this day, and one begun now and posted on the next day.
    const sent = await api.confirmed(api.withdraw(ana, 50_00));
    await api.simulate('withdrawal.settled', sent.id);
    const late = await api.confirmed(api.withdraw(ana, 40_00));
    await api.confirmed(api.refund(paid, 20_00));
    const refund = await api.confirmed(api.refund(byBank, 30_00));
    await api.simulate('refund.completed', refund.id);
    await api.simulate('withdrawal.returned', sent.id);
    const id = uuid('account', ana.accountId);
    await server.engine.run(adjustAccount, { id, amount: -7_00 });
    return { late };
  }

  test('a day of every kind of movement is reported at 06:00 of the next day, not earlier', async () => {
    const { late } = await playTheDay();
    expect((await reportOf(today)).status).toBe(404);
    await at('2026-01-21T10:50:00.000Z');
    await api.simulate('withdrawal.settled', late.id);
    expect((await reportOf(today)).status).toBe(404);
    await at('2026-01-21T11:00:00.000Z');
    const { status, body } = await reportOf(today);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: 'reconciliation_report',
      date: today,
      account_structure,
      currency: 'USD',
      opening_balance: 0,
      totals: {
        loads: 1_000_00,
        payments: 280_00,
        withdrawals: 50_00,
        refunds: 50_00,
        fees: 1_00 + 25 + 30,
        adjustments: 50_00 - 7_00,
      },
      fee_clearing_swept: 1_55,
      generated_at: '2026-01-21T11:00:00.000Z',
    });
    // The money that a bank sent, less what it was sent, less the fees, and what was adjusted.
    const closing = 1_000_00 + 80_00 - 50_00 - 30_00 - 1_55 + 43_00;
    expect(body.closing_balance).toBe(closing);
  });

  test('its file adds up to the report and ends with a line of totals', async () => {
    const { body } = await reportOf(today);
    const { header, rows, trailer, text } = await fileOf(server, body.file.download_url);
    expect(header).toEqual(
      'posting_id,posted_at,business_date,account_id,customer_id,transaction_id,source_type,source_id,type,direction,amount,fee_amount,net_amount,balance_after'.split(
        ',',
      ),
    );
    expect(rows).toHaveLength(body.postings_count);
    expect(readdedFrom(rows)).toEqual({
      ...body.totals,
      fee_clearing_swept: body.fee_clearing_swept,
      change: body.closing_balance - body.opening_balance,
    });
    expect(trailer).toMatchObject({
      business_date: today,
      payments_balance: 200_00,
      payments_bank: 80_00,
      refunds_balance: 20_00,
      refunds_bank: 30_00,
      opening_balance: body.opening_balance,
      closing_balance: body.closing_balance,
      postings_count: body.postings_count,
    });
    expect(new Set(rows.map((row) => row.business_date))).toEqual(new Set([today]));
    expect(rows.map((row) => row.posted_at)).toEqual(rows.map((row) => row.posted_at).sort());
    const again = (await reportOf(today)).body;
    expect((await fileOf(server, again.file.download_url)).text).toBe(text);
  });

  test("each account's last row of the day shows its ledger, and a Transaction's row its fields", async () => {
    const { rows } = await fileOf(server, (await reportOf(today)).body.file.download_url);
    const own = rows.filter((row) => row.account_id === cafe.accountId);
    const { data } = await api.get(`/v1/accounts/${cafe.accountId}/transactions`);
    expect(own.map((row) => row.transaction_id).reverse()).toEqual(
      data.map(({ id }: { id: string }) => id),
    );
    for (const shown of data) {
      const row = own.find(({ transaction_id }) => transaction_id === shown.id);
      expect(row).toMatchObject({
        posted_at: shown.posted_at,
        customer_id: cafe.customerId,
        source_type: shown.source_type,
        source_id: shown.source_id,
        type: shown.type,
        direction: shown.direction,
        amount: String(shown.amount),
        fee_amount: String(shown.fee_amount),
        net_amount: String(shown.net_amount),
      });
    }
    const { ledger } = await api.balance(cafe);
    expect(own.at(-1)?.balance_after).toBe(String(ledger));
  });

  test('a posting is in the report of the day of posting, whenever it was begun', async () => {
    await at('2026-01-22T11:00:00.000Z');
    const before = (await reportOf(today)).body;
    const { body } = await reportOf(tomorrow);
    expect(body.opening_balance).toBe(before.closing_balance);
    expect(body.totals).toMatchObject({ withdrawals: 40_00, loads: 0, payments: 0, fees: 0 });
    expect(body.postings_count).toBe(1);
    const { rows } = await fileOf(server, body.file.download_url);
    expect(rows[0]).toMatchObject({ type: 'withdrawal', business_date: tomorrow });
    expect(rows[0]?.posted_at?.slice(0, 10)).toBe(tomorrow);
  });

  test('a report never changes', async () => {
    const shown = async (date: string) => ({ ...(await reportOf(date)).body, file: null });
    const before = [await shown(today), await shown(tomorrow)];
    await api.fund(ana, 10_00);
    await api.advance(3 * daySeconds);
    expect([await shown(today), await shown(tomorrow)]).toEqual(before);
  });

  test('there is none before the Tenant existed, none in the future, and none of an invalid day', async () => {
    for (const date of [
      '2026-01-19',
      '1999-01-01',
      '0000-01-01',
      '0001-01-01',
      '2027-01-01',
      '9999-12-31',
    ])
      expect((await reportOf(date)).status, date).toBe(404);
    for (const date of [
      '2026-02-30',
      '2026-1-2',
      'yesterday',
      '20260120',
      '2026-01-20T00:00:00Z',
    ]) {
      const { status, body } = await reportOf(date);
      expect([status, body.error.code, body.error.param], date).toEqual([
        400,
        'parameter_invalid',
        'date',
      ]);
    }
    const missing = await server.call('GET', '/v1/reports/reconciliation');
    expect(missing.body.error).toMatchObject({ code: 'parameter_missing', param: 'date' });
    const stranger = await server.anotherTenant();
    const token = stranger.token;
    const path = `/v1/reports/reconciliation?date=${today}`;
    expect((await server.call('GET', path, { token })).status).toBe(404);
  });

  test('each day has one event, with the report as it was made', async () => {
    const { data } = await api.get(
      '/v1/webhook-events?type=reconciliation_report.available&limit=100',
    );
    const days = data.map(
      ({ data: { object } }: { data: { object: { date: string } } }) => object.date,
    );
    expect(days).toEqual([...new Set(days)].sort().reverse());
    const event = data.at(-1);
    const { file: _, ...report } = (await reportOf(today)).body;
    expect(event.data.object).toMatchObject(report);
    expect(event.data.previous_attributes).toBeNull();
    expect(event.created_at).toBe(report.generated_at);
  });

  test('a sample event shows the report of a day, or is refused where there is none', async () => {
    const send = (object_id: string) =>
      server.call('POST', '/portal/api/sample-events', {
        body: { type: 'reconciliation_report.available', object_id },
      });
    const { status, body } = await send(today);
    expect(status).toBe(201);
    const { file: _, ...report } = (await reportOf(today)).body;
    expect(body.data.object).toMatchObject(report);
    for (const day of ['2026-01-19', '2026-02-30', 'never', '0000-01-01'])
      expect((await send(day)).status, day).toBe(404);
    expect((await send(ana.accountId)).body.error.code).toBe('parameter_invalid');
  });
});
