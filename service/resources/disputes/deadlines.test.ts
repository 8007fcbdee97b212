import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DisputeDesk, openDisputeDesk } from '../../../test/kit/disputes.ts';
import type { ReplyBody } from '../../../test/kit/http.ts';
import { uuid } from '../../../test/kit/ids.ts';
import type { Person } from '../../../test/kit/person.ts';
import { resolveApproved } from './resolve.ts';

const day = 86_400;

let desk: DisputeDesk;
let ana: Person;
let cafe: Person;
beforeAll(async () => {
  desk = await openDisputeDesk();
});
beforeEach(async () => {
  ana = await desk.server.api.banked('individual');
  cafe = await desk.server.api.banked('business');
  await desk.server.api.fund(ana, 500_00);
});
afterAll(() => desk.server.stop());

const timesOf = async (dispute: ReplyBody) => {
  const { rows } = await desk.server.service.pool.query<{ type: string; at: string }>(
    `select type, created_at as at from events where object_id = $1 order by version`,
    [uuid('dispute', dispute.id)],
  );
  return rows.map(({ type, at }) => `${type.slice('dispute.'.length)} ${at}`);
};

describe('the clock of Regulation E', () => {
  // In the order of the tenant's time, which begins on Tuesday, 20 January 2026, at 10:00 in New York.
  test('takes a notice up on the next business day and credits on the twentieth, at nine', async () => {
    const payment = await desk.paid(ana, cafe, 100_00);
    const made = await desk.notice(ana, { payment_id: payment.id });
    expect((await desk.case(made)).deadlines).toEqual({
      // Within thirty days of the first deposit; 16 February is a holiday.
      provisional_credit: '2026-02-18T14:00:00.000Z',
      // 45 days on, at the end of 6 March.
      result: '2026-03-07T05:00:00.000Z',
      credit_notice: null,
      correction: null,
      result_notice: null,
      reversal: null,
    });
    await desk.until('2026-02-18T13:59:00.000Z');
    expect(await desk.shown(made)).toMatchObject({ status: 'investigating' });
    await desk.until('2026-02-18T14:00:00.000Z');
    expect(await desk.shown(made)).toMatchObject({
      status: 'provisional_credit',
      provisional_credit_amount: 100_00,
    });
    expect((await timesOf(made)).slice(1)).toEqual([
      'investigating 2026-01-21T14:00:00.000Z',
      'provisional_credit 2026-02-18T14:00:00.000Z',
    ]);
    expect(await desk.balances(ana)).toEqual([{ available: 500_00, earmarked: 0 }]);
    expect(await desk.case(made)).toMatchObject({
      deadlines: { provisional_credit: null, credit_notice: '2026-02-21T05:00:00.000Z' },
    });
    // Nobody can be told: the Tenant has no endpoint.
    expect(desk.alarms(made)).toEqual([]);
    await desk.until('2026-02-21T05:00:00.000Z');
    expect(desk.alarms(made)).toEqual(['dispute_credit_notice']);
    await desk.until('2026-03-07T05:00:00.000Z');
    expect(desk.alarms(made)).toEqual(['dispute_result']);
    // Each business day again, until there is a result.
    await desk.until('2026-03-10T14:00:00.000Z');
    expect(desk.alarms(made)).toEqual(['dispute_result', 'dispute_result']);
    await desk.play(made, 'resolved_denied');
    // Tuesday, 10 March: told by Friday, taken back once Tuesday, the 17th, is over.
    expect(await desk.case(made)).toMatchObject({
      deadlines: {
        result: null,
        correction: null,
        result_notice: '2026-03-14T04:00:00.000Z',
        reversal: '2026-03-18T04:00:00.000Z',
      },
    });
    await desk.until('2026-03-18T03:59:00.000Z');
    expect(await desk.shown(made)).toMatchObject({ status: 'resolved' });
    expect(desk.alarms(made)).toEqual(['dispute_result_notice']);
    await desk.until('2026-03-18T04:00:00.000Z');
    expect(await desk.shown(made)).toMatchObject({ status: 'closed' });
    expect(await desk.balances(ana)).toEqual([{ available: 400_00, earmarked: 0 }]);
  });

  test('has ten business days once the account is older, also where the notice came late', async () => {
    await desk.wire.advance(31 * day);
    const payment = await desk.paid(ana, cafe, 100_00);
    const late = await desk.notice(ana, {
      payment_id: payment.id,
      notice_received_at: desk.at(-15 * day),
    });
    expect(late.status).toBe('received');
    await desk.settle();
    expect(await desk.shown(late)).toMatchObject({ status: 'provisional_credit', version: 3 });
    expect(await desk.server.engine.events(uuid('dispute', late.id))).toEqual([
      'dispute.created',
      'dispute.investigating',
      'dispute.provisional_credit',
    ]);
  });

  test('does not run without it: nothing is credited, and nobody is called', async () => {
    const payment = await desk.paid(ana, cafe, 100_00);
    const made = await desk.notice(ana, { payment_id: payment.id, type: 'purchase_dispute' });
    await desk.wire.advance(60 * day);
    expect(await desk.case(made)).toMatchObject({
      status: 'investigating',
      deadlines: { provisional_credit: null, result: null },
    });
    expect(desk.alarms(made)).toEqual([]);
  });

  test('calls a reviewer where nobody knows the amount, each business day', async () => {
    const made = await desk.notice(ana, {});
    const { deadlines } = await desk.case(made);
    await desk.until(deadlines.provisional_credit);
    expect(desk.alarms(made)).toEqual(['dispute_credit']);
    await desk.wire.advance(7 * day);
    expect(desk.alarms(made).length).toBeGreaterThanOrEqual(4);
    // The deadline stays in sight until it is met.
    expect((await desk.case(made)).deadlines.provisional_credit).toBe(deadlines.provisional_credit);
    await desk.play(made, 'resolved_withdrawn');
    await desk.wire.advance(2 * day);
    expect(desk.alarms(made)).toEqual([]);
  });

  test('calls somebody when a credit takes the reserve below zero', async () => {
    const made = await desk.notice(ana, { type: 'error' });
    await desk.server.engine.run(resolveApproved, {
      id: uuid('dispute', made.id),
      amount: 50_000_00,
    });
    await desk.settle();
    expect(desk.alarms(made)).toEqual(['dispute_reserve']);
    expect(await desk.balances(ana)).toEqual([{ available: 50_500_00, earmarked: 0 }]);
  });

  test('calls somebody when an award has not come to the customer a business day later', async () => {
    const payment = await desk.paid(ana, cafe, 500_00);
    await desk.wire.post(`/v1/customers/${ana.customerId}/close`, { reason: 'customer_request' });
    await desk.settle();
    const made = await desk.notice(ana, { payment_id: payment.id });
    await desk.play(made, 'resolved_approved');
    const { deadlines } = await desk.case(made);
    desk.alarms(made);
    await desk.until(deadlines.correction);
    // The bank has not said that it has the money.
    expect(desk.alarms(made)).toEqual(['dispute_correction']);
  });
});

describe('notices', () => {
  test('are told once the Tenant has taken the event', async () => {
    const payment = await desk.paid(ana, cafe, 100_00);
    const made = await desk.notice(ana, { payment_id: payment.id });
    await desk.play(made, 'investigating', 'provisional_credit', 'resolved_approved');
    await desk.server.service.pool.query(
      `insert into deliveries (tenant_id, event_id, status, attempts, created_at, first_attempt_at,
          last_attempt_at, last_response_status)
        select tenant_id, id, 'delivered', 1, created_at, created_at, created_at, 204
        from events where object_id = $1 and type in ('dispute.provisional_credit', 'dispute.resolved')`,
      [uuid('dispute', made.id)],
    );
    await desk.server.service.pool.query(
      `insert into attempts (tenant_id, event_id, number, at, url, request_headers, response_status,
          duration_ms)
        select tenant_id, event_id, 1, created_at, 'https://shop.example/hook', '{}', 204, 5
        from deliveries where status = 'delivered'`,
    );
    await desk.wire.advance(10 * day);
    expect(desk.alarms(made)).toEqual([]);
    expect((await desk.case(made)).deadlines).toMatchObject({
      credit_notice: null,
      correction: null,
      result_notice: null,
    });
  });
});
