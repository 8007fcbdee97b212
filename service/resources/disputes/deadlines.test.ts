import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openDisputes } from '../../../test/kit/disputes.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { startTestReceiver } from '../../../test/kit/http/receiver.ts';
import { uuid } from '../../../test/kit/ids.ts';
import type { Person } from '../../../test/kit/person.ts';
import { resolveApproved } from './resolve.ts';

const day = 86_400;

let lines: string[] = [];
const { api, at, balances, caseOf, engine, server, shown } = await openDisputes({
  onLog: (line) => lines.push(line),
  // The bank answers nothing by itself.
  bank: { take: async () => {} },
});
let ana: Person;
let cafe: Person;
beforeEach(async () => {
  ana = await api.funded('individual', 500_00);
  cafe = await api.banked('business');
});

/** The alarms of a dispute since the last look; each leads to its case in the console. */
function alarms({ id }: ReplyBody): string[] {
  const { publicUrl } = server.service.config;
  const link = `${publicUrl}/console/case/${server.tenant.tenantId}/disputes/${id}`;
  const logged = lines.map((line) => JSON.parse(line));
  lines = [];
  const own = logged.filter((line) => line.dispute_id === uuid('dispute', id));
  for (const line of own) expect(line.link).toBe(link);
  return own.map(({ alarm }) => alarm);
}

/** The endpoints that the alarms of a dispute's notices name, read before them. */
const endpointsOf = ({ id }: ReplyBody): string[][] =>
  lines
    .map((line) => JSON.parse(line))
    .filter(({ dispute_id, endpoints }) => dispute_id === uuid('dispute', id) && endpoints)
    .map(({ endpoints }) => endpoints);

const timesOf = async (dispute: ReplyBody) => {
  const rows = await engine.query<{ type: string; at: string }>(
    `select type, created_at as at from events where tenant_id = $1 and object_id = $2
     order by version`,
    uuid('dispute', dispute.id),
  );
  return rows.map(({ type, at }) => `${type.slice('dispute.'.length)} ${at}`);
};

describe('Regulation E', () => {
  // The tests run in this order on one clock, from Tuesday, 20 January 2026, 10:00 in New York.
  test('begins the investigation on the next business day and credits on the twentieth, at 09:00', async () => {
    const payment = await api.confirmed(api.pay(ana, cafe, 100_00));
    const made = await api.dispute(ana, { payment_id: payment.id });
    expect((await caseOf(made)).deadlines).toEqual({
      // Within thirty days of the first deposit; 16 February is a holiday.
      provisional_credit: '2026-02-18T14:00:00.000Z',
      // 45 days on, at the end of 6 March.
      result: '2026-03-07T05:00:00.000Z',
      credit_notice: null,
      correction: null,
      result_notice: null,
      reversal: null,
    });
    await api.advance('2026-02-18T13:59:00.000Z');
    expect(await shown(made)).toMatchObject({ status: 'investigating' });
    await api.advance('2026-02-18T14:00:00.000Z');
    expect(await shown(made)).toMatchObject({
      status: 'provisional_credit',
      provisional_credit_amount: 100_00,
    });
    expect((await timesOf(made)).slice(1)).toEqual([
      'investigating 2026-01-21T14:00:00.000Z',
      'provisional_credit 2026-02-18T14:00:00.000Z',
    ]);
    expect(await balances(ana)).toEqual([{ available: 500_00, earmarked: 0 }]);
    expect(await caseOf(made)).toMatchObject({
      deadlines: { provisional_credit: null, credit_notice: '2026-02-21T05:00:00.000Z' },
    });
    // The Tenant has no endpoint, so nothing is reported.
    expect(alarms(made)).toEqual([]);
    await api.advance('2026-02-21T05:00:00.000Z');
    expect(alarms(made)).toEqual(['dispute_credit_notice']);
    await api.advance('2026-03-07T05:00:00.000Z');
    expect(alarms(made)).toEqual(['dispute_result']);
    // Again each business day until there is a result.
    await api.advance('2026-03-10T14:00:00.000Z');
    expect(alarms(made)).toEqual(['dispute_result', 'dispute_result']);
    await api.played(made, 'dispute.resolved_denied');
    // Tuesday, 10 March: report due on Friday, reversal once Tuesday the 17th is over.
    expect(await caseOf(made)).toMatchObject({
      deadlines: {
        result: null,
        correction: null,
        result_notice: '2026-03-14T04:00:00.000Z',
        reversal: '2026-03-18T04:00:00.000Z',
      },
    });
    await api.advance('2026-03-18T03:59:00.000Z');
    expect(await shown(made)).toMatchObject({ status: 'resolved' });
    expect(alarms(made)).toEqual(['dispute_result_notice']);
    await api.advance('2026-03-18T04:00:00.000Z');
    expect(await shown(made)).toMatchObject({ status: 'closed' });
    expect(await balances(ana)).toEqual([{ available: 400_00, earmarked: 0 }]);
  });

  test('gives ten business days for an older account, also where the notice was forwarded late', async () => {
    await api.advance(31 * day);
    const payment = await api.confirmed(api.pay(ana, cafe, 100_00));
    const late = await api.dispute(ana, {
      payment_id: payment.id,
      notice_received_at: await at(-15 * day),
    });
    expect(late.status).toBe('received');
    await server.runJobs();
    expect(await shown(late)).toMatchObject({ status: 'provisional_credit', version: 3 });
    expect(await engine.events(uuid('dispute', late.id))).toEqual([
      'dispute.created',
      'dispute.investigating',
      'dispute.provisional_credit',
    ]);
  });

  test('sets no deadline, credit or alarm for other notices', async () => {
    const payment = await api.confirmed(api.pay(ana, cafe, 100_00));
    const made = await api.dispute(ana, { payment_id: payment.id, type: 'purchase_dispute' });
    await api.advance(60 * day);
    expect(await caseOf(made)).toMatchObject({
      status: 'investigating',
      deadlines: { provisional_credit: null, result: null },
    });
    expect(alarms(made)).toEqual([]);
  });

  test('raises an alarm each business day while the amount of a due credit is not known', async () => {
    const made = await api.dispute(ana, {});
    const { deadlines } = await caseOf(made);
    await api.advance(deadlines.provisional_credit);
    expect(alarms(made)).toEqual(['dispute_credit']);
    await api.advance(7 * day);
    expect(alarms(made).length).toBeGreaterThanOrEqual(4);
    // The deadline is shown until it is met.
    expect((await caseOf(made)).deadlines.provisional_credit).toBe(deadlines.provisional_credit);
    await api.played(made, 'dispute.resolved_withdrawn');
    await api.advance(2 * day);
    expect(alarms(made)).toEqual([]);
  });

  test('raises an alarm when a credit takes the reserve below zero', async () => {
    const made = await api.dispute(ana, { type: 'error' });
    await engine.run(resolveApproved, {
      id: uuid('dispute', made.id),
      amount: 50_000_00,
    });
    await server.runJobs();
    expect(alarms(made)).toEqual(['dispute_reserve']);
    expect(await balances(ana)).toEqual([{ available: 50_500_00, earmarked: 0 }]);
  });

  test('raises an alarm when an award has not reached the customer a business day later', async () => {
    const payment = await api.confirmed(api.pay(ana, cafe, 500_00));
    await api.close(ana);
    await server.runJobs();
    const made = await api.dispute(ana, { payment_id: payment.id });
    await api.played(made, 'dispute.resolved_approved');
    const { deadlines } = await caseOf(made);
    alarms(made);
    await api.advance(deadlines.correction);
    // The bank has not confirmed the transfer.
    expect(alarms(made)).toEqual(['dispute_correction']);
  });
});

describe('notices', () => {
  test('count as reported once the Tenant took the event', async () => {
    const payment = await api.confirmed(api.pay(ana, cafe, 100_00));
    const made = await api.dispute(ana, { payment_id: payment.id });
    await api.played(
      made,
      'dispute.investigating',
      'dispute.provisional_credit',
      'dispute.resolved_approved',
    );
    await server.service.pool.query(
      `insert into deliveries (tenant_id, event_id, status, attempts, created_at, first_attempt_at,
          last_attempt_at, last_response_status)
        select tenant_id, id, 'delivered', 1, created_at, created_at, created_at, 204
        from events where object_id = $1 and type in ('dispute.provisional_credit', 'dispute.resolved')`,
      [uuid('dispute', made.id)],
    );
    await server.service.pool.query(
      `insert into attempts (tenant_id, event_id, number, at, url, request_headers, response_status,
          duration_ms)
        select tenant_id, event_id, 1, created_at, 'https://shop.example/hook', '{}', 204, 5
        from deliveries where status = 'delivered'`,
    );
    await api.advance(10 * day);
    expect(alarms(made)).toEqual([]);
    expect((await caseOf(made)).deadlines).toMatchObject({
      credit_notice: null,
      correction: null,
      result_notice: null,
    });
  });

  test('count as reported once every endpoint took the event, and the alarm names the others', async () => {
    const [shop, books] = await Promise.all([startTestReceiver(), startTestReceiver()]);
    onTestFinished(() => Promise.all([shop.close(), books.close()]).then(() => {}));
    await api.put('/portal/api/webhook-endpoint', { url: shop.url });
    const types = ['dispute.resolved'];
    const further = { name: 'Books', url: books.url, types };
    const { id } = await api.post('/portal/api/webhook-endpoints', further);
    books.answer(500);
    const unreported = async () => {
      const made = await api.dispute(ana, { type: 'error' });
      await api.played(made, 'dispute.resolved_denied');
      await api.advance(10 * day);
      return { told: endpointsOf(made), raised: alarms(made) };
    };
    expect(await unreported()).toEqual({
      told: [[`Books (${id})`]],
      raised: ['dispute_result_notice'],
    });
    // One that gets no more events keeps nothing from being reported, also what it has not taken.
    await api.put(`/portal/api/webhook-endpoints/${id}`, { enabled: false });
    expect(await unreported()).toEqual({ told: [], raised: [] });
    await api.put('/portal/api/webhook-endpoint', { url: shop.url, enabled: false });
    expect(await unreported()).toEqual({ told: [[]], raised: ['dispute_result_notice'] });
    books.answer(200);
    await api.put(`/portal/api/webhook-endpoints/${id}`, { enabled: true });
    expect(await unreported()).toEqual({ told: [], raised: [] });
  });
});
