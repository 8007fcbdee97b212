import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { openDisputes } from '../../../test/kit/disputes.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { uuid } from '../../../test/kit/ids.ts';
import type { Person } from '../../../test/kit/person.ts';
import { refusalOf } from '../../../test/kit/refusal.ts';
import { openInbound } from '../../inbound/inbound.ts';
import type { BankOutcome } from '../../rails/facts.ts';

let ana: Person;
let cafe: Person;
const { api, caseOf, engine, entries, server, shown, transactions } = await openDisputes({
  // The bank answers nothing by itself.
  bank: { take: async () => {} },
});
beforeEach(async () => {
  ana = await api.funded('individual', 500_00);
  cafe = await api.banked('business');
});

/** A dispute of a payment of $100.00, after these events. */
async function disputed(...events: string[]): Promise<ReplyBody> {
  const payment = await api.confirmed(api.pay(ana, cafe, 100_00));
  const made = await api.played(api.dispute(ana, { payment_id: payment.id }), ...events);
  return { ...made, payment };
}

/** The bank reports the result of a credit that was sent to it. */
async function reportFromBank({ id }: ReplyBody, outcome: BankOutcome): Promise<void> {
  const [order] = await engine.query(
    'select id from instructions where tenant_id = $1 and source_id = $2',
    uuid('dispute', id),
  );
  const fact = { id: `fact ${id}`, orderId: order.id, ...outcome };
  expect(await openInbound({ ...server.service, asks: false }).bank(engine.tenantId, fact)).toBe(
    'taken',
  );
}
/** The amounts of a dispute that are held in suspense. */
const suspended = ({ id }: ReplyBody) =>
  engine.query(
    `select amount from suspense where tenant_id = $1 and source_id = $2 and status = 'held'`,
    uuid('dispute', id),
  );

describe('accounts that close', () => {
  test('wait for the disputes of customer and merchant', async () => {
    const made = await disputed('dispute.investigating', 'dispute.provisional_credit');
    for (const { customerId } of [ana, cafe]) await api.close({ customerId });
    for (const { accountId } of [ana, cafe])
      expect(await refusalOf(api.simulate('account.closed', accountId))).toMatchObject({
        details: { reason: 'disputes' },
      });
    await api.played(made, 'dispute.resolved_denied');
    // The merchant can close; the customer's credit is not yet taken back.
    expect(await refusalOf(api.simulate('account.closed', ana.accountId))).toMatchObject({
      details: { reason: 'disputes' },
    });
    await api.played(made, 'dispute.closed');
    for (const { accountId } of [ana, cafe])
      expect(await api.simulate('account.closed', accountId)).toMatchObject({
        status: 'accepted',
      });
  });

  /** Closes Ana's account after the payout to her bank. */
  async function closed(): Promise<ReplyBody> {
    const payment = await api.confirmed(api.pay(ana, cafe, 100_00));
    await api.close(ana);
    await server.runJobs();
    await api.simulate('account.closed', ana.accountId);
    return payment;
  }

  test('are credited at their bank, and nothing is taken back', async () => {
    const payment = await closed();
    const made = await api.dispute(ana, { payment_id: payment.id });
    expect(made.regulation_e).toBe(true);
    await api.played(made, 'dispute.investigating', 'dispute.provisional_credit');
    expect(await shown(made)).toMatchObject({ provisional_credit_amount: 100_00 });
    await reportFromBank(made, { outcome: 'settled', amount: 100_00 });
    await api.played(made, 'dispute.resolved_denied');
    expect(await caseOf(made)).toMatchObject({ status: 'closed', taken_back_amount: 0 });
    expect((await entries(made)).slice(2)).toEqual([
      'dispute_credit_ordered reserve -10000',
      'dispute_credit_ordered return_in_transit 10000',
      'dispute_credit_settled return_in_transit -10000',
      'dispute_credit_settled cash 10000',
      'dispute_released earmarked -10000',
      'dispute_released available 10000',
    ]);
    expect(await transactions(ana, 'dispute_credit')).toEqual([]);
  });

  test('are credited at their bank only once no process of another release would book its answer', async () => {
    const made = await api.dispute(ana, { payment_id: (await closed()).id });
    const other = crypto.randomUUID();
    await server.owner.query(
      `insert into processes (process_id, roles, started_at, seen_at, version)
        values ($1, 'worker', now(), now() + interval '1 day', '0.9.0')`,
      [other],
    );
    await api.played(made, 'dispute.resolved_approved');
    const order = async () => {
      await api.advance(120);
      const [row] = await engine.query(
        `select i.status, j.name as job from instructions i
          left join jobs j on j.tenant_id = i.tenant_id and j.ref = i.id
          where i.tenant_id = $1 and i.source_id = $2`,
        uuid('dispute', made.id),
      );
      return row;
    };
    // 1.0 knows no job of this name.
    expect(await order()).toEqual({ status: 'waiting', job: 'order_hand_over' });
    await server.owner.query('delete from processes where process_id = $1', [other]);
    expect(await order()).toEqual({ status: 'sent', job: null });
    await reportFromBank(made, { outcome: 'settled', amount: 100_00 });
  });

  test('have the credit in suspense if the bank rejects it or no link is left', async () => {
    const payment = await closed();
    const made = await api.dispute(ana, { payment_id: payment.id });
    await api.played(made, 'dispute.resolved_approved');
    await reportFromBank(made, { outcome: 'failed', reason: 'AC04' });
    expect(await suspended(made)).toEqual([{ amount: 100_00 }]);

    cafe = await api.banked('business');
    ana = await api.funded('individual', 200_00);
    const other = await closed();
    await api.remove(`/v1/customers/${ana.customerId}/linked-accounts/${ana.linkedAccountId}`);
    const second = await api.dispute(ana, { payment_id: other.id });
    await api.played(second, 'dispute.resolved_approved');
    expect(await suspended(second)).toEqual([{ amount: 100_00 }]);
  });

  const rowOf = async (table: string, column: string, id: string) =>
    (await engine.query(`select * from ${table} where tenant_id = $1 and ${column} = $2`, id))[0];

  test.each([
    ['kept', { outcome: 'settled', amount: 400_00 }, 0],
    ['refused', { outcome: 'failed', reason: 'AC04' }, 400_00],
  ] as const)(
    'whose payout came back and was paid on to its bank account, which has %s it, are credited what is missing',
    async (_what, answer, missing) => {
      await closed();
      const { id } = await rowOf('withdrawals', 'account_id', uuid('account', ana.accountId));
      await api.simulate('withdrawal.returned', publicId('withdrawal', id));
      const item = await rowOf('suspense', 'source_id', id);
      await api.post(`/portal/api/review/suspense/${publicId('adjustment', item.id)}/return`, {});
      const back = await rowOf('instructions', 'source_id', item.id);
      expect(back.kind).toBe('credit_transfer');
      const fact = { id: `fact ${back.id}`, orderId: back.id, ...answer };
      const inbound = openInbound({ ...server.service, asks: false });
      expect(await inbound.bank(engine.tenantId, fact)).toBe('taken');
      const [payout] = await transactions(ana, 'withdrawal');
      const made = await api.dispute(ana, { transaction_id: payout?.id, type: 'error' });
      expect(await caseOf(made)).toMatchObject({ disputed_amount: missing });
      await api.played(made, 'dispute.resolved_approved');
      expect(await caseOf(made)).toMatchObject({ award_amount: missing, status: 'closed' });
      await server.prove();
    },
  );
});
