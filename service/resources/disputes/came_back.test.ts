import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { beforeEach, expect, test } from 'vitest';
import { openDisputes } from '../../../test/kit/disputes.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { uuid } from '../../../test/kit/ids.ts';
import type { Person } from '../../../test/kit/person.ts';
import { refusalOf } from '../../../test/kit/refusal.ts';
import { openInbound } from '../../inbound/inbound.ts';
import type { BankFact } from '../../rails/facts.ts';

/** Disputes of withdrawals and loads whose money came back (rules/disputes#7). */

// The bank says nothing by itself.
const { api, at, balances, caseOf, engine, server, shown, transactions } = await openDisputes({
  bank: { take: async () => {} },
});
const amount = 500_00;
let ana: Person;
beforeEach(async () => {
  ana = await api.funded('individual', amount);
});

const withdrawn = (...events: string[]) =>
  api.played(api.withdraw(ana, amount), 'session.completed', ...events);

/** A notice of the account's latest movement of this type. */
async function noticeOf(type: 'withdrawal' | 'load'): Promise<ReplyBody> {
  const [transaction] = await transactions(ana, type);
  return api.dispute(ana, { transaction_id: transaction?.id, type: 'error' });
}

/** The day has come on which the service credits by itself. */
async function toDeadline(made: ReplyBody): Promise<void> {
  const { deadlines } = await caseOf(made);
  await api.advance(deadlines.provisional_credit);
}

const available = async () => (await balances(ana))[0]?.available;
const refused = (reason: string) => ({ code: 'invalid_state', details: { reason } });
const review = ({ id }: ReplyBody, move: string, body: object): Promise<ReplyBody> =>
  api.post(`/portal/api/review/disputes/${id}/${move}`, body);

let alarms: string[] = [];
const error = ({ alarm }: { alarm: string }) => void alarms.push(alarm);
const log = Object.assign(Object.create(server.service.log), { error });
const inbound = openInbound({ ...server.service, log, asks: false });
const tell = (fact: BankFact) => inbound.bank(server.tenant.tenantId, fact);

/** Another bank asks for the money of the account's load. */
async function recalled() {
  const [order] = await engine.query(
    `select i.id from instructions i join loads l on l.tenant_id = i.tenant_id and l.id = i.source_id
     where i.tenant_id = $1 and l.account_id = $2`,
    uuid('account', ana.accountId),
  );
  const answerBy = await at(3 * 86_400);
  const returnRequest = { of: order.id, amount, reason: 'FRAD', text: null, answerBy };
  await tell({ id: crypto.randomUUID(), returnRequest });
  const [{ id } = {}] = await engine.query(
    'select id from return_requests where tenant_id = $1 and order_id = $2',
    order.id,
  );
  const path = `/portal/api/review/return-requests/${publicId('return_request', id)}`;
  return { id, accept: (body: object) => api.post(`${path}/accept`, body) };
}

/** A part of the account's load was given back. @returns the other bank refuses to take it */
async function givenBack(cents: number): Promise<() => Promise<unknown>> {
  const { id, accept } = await recalled();
  await accept({ amount: cents });
  const [order] = await engine.query(
    'select id from instructions where tenant_id = $1 and source_id = $2',
    id,
  );
  const orderId = order.id;
  return () => tell({ id: crypto.randomUUID(), orderId, outcome: 'failed', reason: 'AC04' });
}

test('a withdrawal that the bank had sent back is not credited once more', async () => {
  await withdrawn('withdrawal.settled', 'withdrawal.returned');
  const made = await noticeOf('withdrawal');
  expect(await caseOf(made)).toMatchObject({ disputed_amount: 0 });
  await toDeadline(made);
  await api.played(made, 'dispute.resolved_approved');
  expect(await caseOf(made)).toMatchObject({ award_amount: 0, status: 'closed' });
  expect(await available()).toBe(amount);
});

test('a withdrawal that fails after its notice leaves nothing to credit, also on the deadline day', async () => {
  const withdrawal = await withdrawn();
  const made = await api.played(noticeOf('withdrawal'), 'dispute.investigating');
  expect(await caseOf(made)).toMatchObject({ disputed_amount: amount });
  await api.simulate('withdrawal.failed', withdrawal.id);
  expect(await refusalOf(api.simulate('dispute.provisional_credit', made.id))).toMatchObject({
    details: { reason: 'nothing_remains' },
  });
  await toDeadline(made);
  expect(await caseOf(made)).toMatchObject({ disputed_amount: 0, status: 'investigating' });
  await api.played(made, 'dispute.resolved_approved');
  expect(await caseOf(made)).toMatchObject({ award_amount: 0, status: 'closed' });
  expect(await available()).toBe(amount);
});

test('a provisional credit is taken back when its withdrawal came back since', async () => {
  const withdrawal = await withdrawn('withdrawal.settled');
  const steps = ['dispute.investigating', 'dispute.provisional_credit'];
  const made = await api.played(noticeOf('withdrawal'), ...steps);
  await api.simulate('withdrawal.returned', withdrawal.id);
  expect(await available()).toBe(2 * amount);
  await api.played(made, 'dispute.resolved_approved', 'dispute.closed');
  expect(await caseOf(made)).toMatchObject({ award_amount: 0, taken_back_amount: amount });
  expect(await available()).toBe(amount);
});

test('a withdrawal that comes back after its award waits for a reviewer', async () => {
  const withdrawal = await withdrawn('withdrawal.settled');
  await api.played(noticeOf('withdrawal'), 'dispute.resolved_approved');
  expect(await available()).toBe(amount);
  await api.simulate('withdrawal.returned', withdrawal.id);
  expect(await available()).toBe(amount);
  expect(
    await engine.query(
      'select status, amount from suspense where tenant_id = $1 and source_id = $2',
      uuid('withdrawal', withdrawal.id),
    ),
  ).toEqual([{ status: 'held', amount }]);
});

test.each(['this release', '1.0'])(
  'of a load that another bank recalled in part the rest alone is credited, of a notice of %s',
  async (release) => {
    const made = await noticeOf('load');
    expect(await caseOf(made)).toMatchObject({ disputed_amount: amount });
    if (release === '1.0')
      await engine.query(
        'update disputes set disputed_load_id = null where tenant_id = $1 and id = $2',
        uuid('dispute', made.id),
      );
    const { accept } = await recalled();
    await accept({ amount: 200_00 });
    await api.played(made, 'dispute.investigating', 'dispute.provisional_credit');
    expect(await shown(made)).toMatchObject({ provisional_credit_amount: 300_00 });
  },
);

test('a recall of a load that was awarded in part gives back the rest at most', async () => {
  const made = await noticeOf('load');
  await review(made, 'resolve_partial', { amount: 200_00, finding: 'A part of it' });
  const { accept } = await recalled();
  expect(await refusalOf(accept({}))).toMatchObject({
    details: { reason: 'above_received', maximum: 300_00 },
  });
  await accept({ amount: 300_00 });
  expect(await available()).toBe(400_00);
});

test('money of a load that no bank took back is credited', async () => {
  const made = await noticeOf('load');
  const refuse = await givenBack(200_00);
  await refuse();
  await api.played(made, 'dispute.investigating', 'dispute.provisional_credit');
  expect(await shown(made)).toMatchObject({ provisional_credit_amount: amount });
});

test('money that a bank refuses after the provisional credit waits for its holder, and the award is that credit', async () => {
  const made = await noticeOf('load');
  const refuse = await givenBack(200_00);
  await api.played(made, 'dispute.investigating', 'dispute.provisional_credit');
  await refuse();
  const [held] = await engine.query(
    `select id from suspense where tenant_id = $1 and account_id = $2 and status = 'held'`,
    uuid('account', ana.accountId),
  );
  await api.played(made, 'dispute.resolved_approved');
  expect(await caseOf(made)).toMatchObject({ award_amount: 300_00, status: 'closed' });
  await api.post(`/portal/api/review/suspense/${publicId('adjustment', held.id)}/match`, {});
  expect(await available()).toBe(amount + 300_00);
  await server.prove();
});

test('a withdrawal that the bank is executing is credited provisionally, and awarded after its end', async () => {
  const withdrawal = await withdrawn();
  const made = await api.played(noticeOf('withdrawal'), 'dispute.investigating');
  const approve = () => refusalOf(api.simulate('dispute.resolved_approved', made.id));
  const award = () => refusalOf(api.simulate('dispute.resolved_partial', made.id));
  expect(await approve()).toMatchObject(refused('withdrawal_in_processing'));
  expect(await award()).toMatchObject(refused('withdrawal_in_processing'));
  await api.simulate('dispute.provisional_credit', made.id);
  expect(await approve()).toMatchObject(refused('withdrawal_in_processing'));
  await api.simulate('withdrawal.failed', withdrawal.id);
  expect(await available()).toBe(2 * amount);
  await api.played(made, 'dispute.resolved_approved', 'dispute.closed');
  expect(await caseOf(made)).toMatchObject({ award_amount: 0, taken_back_amount: amount });
  expect(await available()).toBe(amount);
});

test('a withdrawal that the bank is executing is denied without waiting', async () => {
  await withdrawn();
  const made = await api.played(noticeOf('withdrawal'), 'dispute.resolved_denied');
  expect(await caseOf(made)).toMatchObject({ award_amount: 0, status: 'closed' });
});

test('a payment by bank that the bank is executing is awarded after its end', async () => {
  const cafe = await api.banked('business');
  const payment = await api.confirmed(api.payByBank(ana, cafe, 90_00));
  const made = await api.dispute(ana, { payment_id: payment.id });
  const approve = () => review(made, 'resolve_approved', { amount: 90_00 });
  expect(await refusalOf(approve())).toMatchObject(refused('payment_in_processing'));
  await api.simulate('payment.completed', payment.id);
  await approve();
  expect(await caseOf(made)).toMatchObject({ award_amount: 90_00, status: 'closed' });
});

test('a withdrawal that 1.0 awarded while the bank was executing it raises an alarm when the bank refuses it, and no other does', async () => {
  const refuse = async ({ id }: ReplyBody) => {
    const [order] = await engine.query(
      'select id from instructions where tenant_id = $1 and source_id = $2',
      uuid('withdrawal', id),
    );
    const failed = { outcome: 'failed', reason: 'AC04' } as const;
    await tell({ id: crypto.randomUUID(), orderId: order.id, ...failed });
  };
  const withdrawal = await withdrawn();
  const steps = ['dispute.investigating', 'dispute.provisional_credit'];
  const made = await api.played(noticeOf('withdrawal'), ...steps);
  const award = (cents: 'credited_cents' | 'null') =>
    engine.query(
      `update disputes set award_cents = ${cents} where tenant_id = $1 and id = $2`,
      uuid('dispute', made.id),
    );
  await award('credited_cents');
  alarms = [];
  await refuse(withdrawal);
  expect(alarms).toEqual(['awarded_twice']);
  await award('null');
  const ben = await api.funded('individual', amount);
  await refuse(await api.confirmed(api.withdraw(ben, amount)));
  expect(alarms).toEqual(['awarded_twice']);
});

test('an amount that a reviewer of 1.0 credited for a withdrawal that had failed is awarded whole', async () => {
  const withdrawal = await withdrawn();
  const [transaction] = await transactions(ana, 'withdrawal');
  await api.simulate('withdrawal.failed', withdrawal.id);
  const notice = api.dispute(ana, { transaction_id: transaction?.id, type: 'error' });
  const made = await api.played(notice, 'dispute.investigating');
  await api.post(`/portal/api/review/disputes/${made.id}/credit`, { amount: 40_00 });
  // 1.0 knew neither column.
  await engine.query(
    `update disputes set amount_by_staff = false, refunded_before = 0, revision = revision + 1
     where tenant_id = $1 and id = $2`,
    uuid('dispute', made.id),
  );
  await server.prove();
  await api.played(made, 'dispute.resolved_approved');
  expect(await caseOf(made)).toMatchObject({
    award_amount: 40_00,
    taken_back_amount: 0,
    status: 'closed',
  });
  expect(await available()).toBe(amount + 40_00);
  await server.prove();
});
