import { beforeEach, describe, expect, test } from 'vitest';
import { openDisputes } from '../../test/kit/disputes.ts';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import type { Person } from '../../test/kit/person.ts';
import { refusalOf } from '../../test/kit/refusal.ts';

/** The tenant's time begins on 20 January 2026, at 10:00 in New York. */
const { api, balances, caseOf, transactions } = await openDisputes();
let ana: Person;
let cafe: Person;
beforeEach(async () => {
  ana = await api.funded('individual', 500_00);
  cafe = await api.banked('business');
});

const review = ({ id }: ReplyBody, move: string, body: object = {}): Promise<ReplyBody> =>
  api.post(`/portal/api/review/disputes/${id}/${move}`, body);

/** A notice of a payment of $100.00. */
async function disputed(more: object = {}): Promise<ReplyBody> {
  const payment = await api.confirmed(api.pay(ana, cafe, 100_00));
  return api.dispute(ana, { payment_id: payment.id, ...more });
}
/** A notice without a transaction: the reviewer sets the disputed amount. */
const unnamed = () => api.dispute(ana, {});

async function queued({ id }: ReplyBody): Promise<ReplyBody> {
  const { data } = await api.get('/portal/api/review?limit=100');
  return data.find((item: ReplyBody) => item.id === id);
}
/** The movement that the case page waits for. */
const awaits = async ({ id }: ReplyBody) =>
  (await api.get(`/portal/api/cases/disputes/${id}`)).awaits;
const refused = (reason: string) => ({ code: 'invalid_state', details: { reason } });
const invalid = (param: string, reason: string) => ({
  code: 'parameter_invalid',
  param,
  details: { reason },
});

describe('the queue shows of a notice', () => {
  test('the disputed amount, the earmark and the deadlines', async () => {
    const made = await disputed();
    const { record, waiting_since } = await queued(made);
    expect(record).toEqual(await caseOf(made));
    expect(waiting_since).toBe(made.created_at);
    expect(record).toMatchObject({
      disputed_amount: 100_00,
      earmarked_amount: 100_00,
      liability: 'platform',
      deadlines: {
        provisional_credit: '2026-02-18T14:00:00.000Z',
        result: '2026-03-07T05:00:00.000Z',
        credit_notice: null,
      },
    });
  });

  test('the next deadline, until the dispute is determined', async () => {
    const made = await disputed();
    await review(made, 'investigate');
    await review(made, 'credit');
    expect((await queued(made)).record).toMatchObject({
      status: 'provisional_credit',
      // Two business days: the 21st and the 22nd.
      deadlines: { provisional_credit: null, credit_notice: '2026-01-23T05:00:00.000Z' },
    });
    await review(made, 'resolve_denied', { finding: 'She made it' });
    expect(await queued(made)).toBeUndefined();
    // The list still shows the notices to send, and when the credit is taken back.
    expect((await caseOf(made)).deadlines).toMatchObject({
      result: null,
      result_notice: '2026-01-24T05:00:00.000Z',
      reversal: '2026-01-28T05:00:00.000Z',
    });
  });

  test('the moves that can be made now', async () => {
    const resolving = ['approved', 'partial', 'denied', 'withdrawn'].map((how) => `resolve_${how}`);
    const made = await disputed();
    const again = await api.dispute(ana, { payment_id: made.payment_id });
    expect((await queued(again)).moves).toEqual(['investigate']);
    expect((await queued(again)).record.linked_dispute_id).toBe(made.id);
    const nameless = await unnamed();
    expect((await queued(nameless)).moves).toEqual([
      'investigate',
      'classify',
      'extenuating',
      ...resolving,
      'liability_platform',
    ]);
    await review(made, 'investigate');
    expect((await queued(made)).moves).toEqual([
      'classify',
      'extenuating',
      'credit',
      ...resolving,
      'liability_merchant',
      'liability_platform',
    ]);
    for (const move of ['credit', ...resolving.slice(0, 1), 'liability_merchant'])
      expect(await refusalOf(review(again, move))).toMatchObject({ code: 'invalid_state' });
  });
});

describe('an amount', () => {
  test('is required for a partial award, and limited by what remains', async () => {
    const made = await disputed();
    expect(await refusalOf(review(made, 'resolve_partial'))).toMatchObject({
      code: 'parameter_missing',
      param: 'amount',
    });
    for (const amount of [0, -1])
      expect(await refusalOf(review(made, 'resolve_partial', { amount }))).toMatchObject(
        invalid('amount', 'below_minimum'),
      );
    expect(await refusalOf(review(made, 'resolve_partial', { amount: 100_01 }))).toMatchObject(
      invalid('amount', 'above_maximum'),
    );
    const shown = await review(made, 'resolve_partial', {
      amount: 100_00,
      finding: 'All of it',
    });
    expect(shown).toMatchObject({ status: 'closed', outcome: 'partially_approved' });
    expect(await caseOf(made)).toMatchObject({ award_amount: 100_00 });
    expect(await balances(ana)).toMatchObject([{ available: 500_00 }]);
  });

  test.each(['credit', 'resolve_approved'])(
    'is for %s only where nobody knows it',
    async (move) => {
      const known = await disputed();
      await review(known, 'investigate');
      expect(await refusalOf(review(known, move, { amount: 100_00 }))).toMatchObject(
        invalid('amount', 'amount_known'),
      );
      const nameless = await unnamed();
      await review(nameless, 'investigate');
      expect(await refusalOf(review(nameless, move))).toMatchObject(refused('amount_unknown'));
      expect(await review(nameless, move, { amount: 30_00 })).toMatchObject({ id: nameless.id });
      expect(await caseOf(nameless)).toMatchObject({ disputed_amount: 30_00 });
      expect(await balances(ana)).toMatchObject([{ available: 430_00 }]);
    },
  );

  test.each(['investigate', 'resolve_denied', 'resolve_withdrawn', 'liability_merchant'])(
    'of %s is refused rather than overlooked',
    async (move) => {
      const made = await disputed();
      expect(await refusalOf(review(made, move, { amount: 1 }))).toMatchObject(
        invalid('amount', 'not_of_this_move'),
      );
      expect(await refusalOf(review(made, move, { failure_code: 'owner_mismatch' }))).toMatchObject(
        invalid('failure_code', 'not_of_this_move'),
      );
    },
  );
});

test('an award against the merchant takes the earmark, as the reviewer set the liability', async () => {
  const made = await disputed();
  await review(made, 'liability_merchant', { note: 'no proof of delivery' });
  await review(made, 'resolve_partial', { amount: 60_00, finding: 'A part of it' });
  expect(await balances(ana, cafe)).toEqual([
    { available: 460_00, earmarked: 0 },
    { available: 40_00, earmarked: 0 },
  ]);
  expect(await caseOf(made)).toMatchObject({ liability: 'merchant', award_amount: 60_00 });
});

test('a dispute is not determined while the bank is paying a refund of its payment', async () => {
  const payment = await api.confirmed(api.payByBank(ana, cafe, 50_00));
  await api.simulate('payment.completed', payment.id);
  const made = await api.dispute(ana, { payment_id: payment.id, type: 'purchase_dispute' });
  const refund = await api.confirmed(api.refund(payment, 20_00));
  expect(await refusalOf(review(made, 'resolve_approved'))).toMatchObject(
    refused('refund_in_processing'),
  );
  expect(await awaits(made)).toBe('refund');
  await api.simulate('refund.completed', refund.id);
  expect(await awaits(made)).toBeNull();
  expect(await review(made, 'resolve_approved')).toMatchObject({ outcome: 'approved' });
  expect(await caseOf(made)).toMatchObject({ award_amount: 30_00 });
});

test('the case of a withdrawal that the bank is executing says so until it has ended', async () => {
  const sent = await api.played(api.withdraw(ana, 500_00), 'session.completed');
  const [transaction] = await transactions(ana, 'withdrawal');
  const made = await api.dispute(ana, { transaction_id: transaction?.id, type: 'error' });
  expect(await awaits(made)).toBe('withdrawal');
  const refusal = await refusalOf(review(made, 'resolve_approved'));
  expect(refusal).toMatchObject(refused('withdrawal_in_processing'));
  await api.simulate('withdrawal.settled', sent.id);
  expect(await awaits(made)).toBeNull();
});
