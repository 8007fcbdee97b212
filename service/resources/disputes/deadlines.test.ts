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

describe('Regulation E', () => {
  // The tests run in this order on one clock, from Tuesday, 20 January 2026, 10:00 in New York.
  test('begins the investigation on the next business day and credits on the twentieth, at 09:00', async () => {
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
    // The Tenant has no endpoint, so nothing is reported.
    expect(desk.alarms(made)).toEqual([]);
    await desk.until('2026-02-21T05:00:00.000Z');
    expect(desk.alarms(made)).toEqual(['dispute_credit_notice']);
    await desk.until('2026-03-07T05:00:00.000Z');
    expect(desk.alarms(made)).toEqual(['dispute_result']);
    // Again each business day until there is a result.
    await desk.until('2026-03-10T14:00:00.000Z');
    expect(desk.alarms(made)).toEqual(['dispute_result', 'dispute_result']);
    await desk.play(made, 'resolved_denied');
    // Tuesday, 10 March: report due on Friday, reversal once Tuesday the 17th is over.
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

  test('gives ten business days for an older account, also where the notice was forwarded late', async () => {
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

  test('sets no deadline, credit or alarm for other notices', async () => {
    const payment = await desk.paid(ana, cafe, 100_00);
    const made = await desk.notice(ana, { payment_id: payment.id, type: 'purchase_dispute' });
    await desk.wire.advance(60 * day);
    expect(await desk.case(made)).toMatchObject({
      status: 'investigating',
      deadlines: { provisional_credit: null, result: null },
    });
    expect(desk.alarms(made)).toEqual([]);
  });

  test('raises an alarm each business day while the amount of a due credit is not known', async () => {
    const made = await desk.notice(ana, {});
    const { deadlines } = await desk.case(made);
    await desk.until(deadlines.provisional_credit);
    expect(desk.alarms(made)).toEqual(['dispute_credit']);
    await desk.wire.advance(7 * day);
    expect(desk.alarms(made).length).toBeGreaterThanOrEqual(4);
    // The deadline is shown until it is met.
    expect((await desk.case(made)).deadlines.provisional_credit).toBe(deadlines.provisional_credit);
    await desk.play(made, 'resolved_withdrawn');
    await desk.wire.advance(2 * day);
    expect(desk.alarms(made)).toEqual([]);
  });

  test('raises an alarm when a credit takes the reserve below zero', async () => {
    const made = await desk.notice(ana, { type: 'error' });
    await desk.server.engine.run(resolveApproved, {
      id: uuid('dispute', made.id),
      amount: 50_000_00,
    });
    await desk.settle();
    expect(desk.alarms(made)).toEqual(['dispute_reserve']);
    expect(await desk.balances(ana)).toEqual([{ available: 50_500_00, earmarked: 0 }]);
  });

  test('raises an alarm when an award has not reached the customer a business day later', async () => {
    const payment = await desk.paid(ana, cafe, 500_00);
    await desk.wire.post(`/v1/customers/${ana.customerId}/close`, { reason: 'customer_request' });
    await desk.settle();
    const made = await desk.notice(ana, { payment_id: payment.id });
    await desk.play(made, 'resolved_approved');
    const { deadlines } = await desk.case(made);
    desk.alarms(made);
    await desk.until(deadlines.correction);
    // The bank has not confirmed the transfer.
    expect(desk.alarms(made)).toEqual(['dispute_correction']);
  });
});

describe('notices', () => {
  test('count as reported once the Tenant took the event', async () => {
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
