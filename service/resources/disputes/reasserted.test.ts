import { beforeEach, describe, expect, test } from 'vitest';
import { openDisputes } from '../../../test/kit/disputes.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import type { Person } from '../../../test/kit/person.ts';
import { refusalOf } from '../../../test/kit/refusal.ts';

/** The same error filed again (12 CFR 1005.11(e)); the clock starts on 20 January 2026, 10:00 in New York. */
const { api, balances, caseOf, shown } = await openDisputes();
let ana: Person;
let cafe: Person;
beforeEach(async () => {
  ana = await api.funded('individual', 500_00);
  cafe = await api.banked('business');
});

const credited = ['dispute.investigating', 'dispute.provisional_credit'] as const;
const review = ({ id }: ReplyBody, move: string, body: object = {}): Promise<ReplyBody> =>
  api.post(`/portal/api/review/disputes/${id}/${move}`, body);
const refused = (reason: string) => ({ code: 'invalid_state', details: { reason } });
const available = async (person: Person) => (await balances(person))[0]?.available;

/** A payment of $40 whose notice was credited, denied and taken back. */
async function denied(what: object = {}): Promise<ReplyBody> {
  const { id: payment_id } = await api.confirmed(api.pay(ana, cafe, 40_00));
  return api.played(
    api.dispute(ana, { payment_id, ...what }),
    ...credited,
    'dispute.resolved_denied',
    'dispute.closed',
  );
}
const again = ({ payment_id }: ReplyBody, what: object = {}) =>
  api.dispute(ana, { payment_id, ...what });

describe('a denied claim that is filed again', () => {
  test('has no clock and no automatic money, and no money of the merchant is set aside', async () => {
    const first = await denied();
    expect(await available(ana)).toBe(460_00);
    const second = await again(first);
    expect(second).toMatchObject({ status: 'received', regulation_e: false, reasserted: true });
    expect(await caseOf(second)).toMatchObject({
      reasserted_of: first.id,
      disputed_amount: 40_00,
      earmarked_amount: 0,
      finding_required: false,
      deadlines: { provisional_credit: null, result: null },
    });
    // Long after the ten business days and the 45 days.
    await api.advance(new Date(Date.parse(second.created_at) + 60 * 86_400_000).toISOString());
    expect(await shown(second)).toMatchObject({ status: 'received', reasserted: true });
    expect(await available(ana)).toBe(460_00);
  });

  test('says so no more once it is handled as a kind that was not answered, and its event says what it was', async () => {
    const second = await again(await denied());
    const other = { handled_as: 'error', note: 'The wrong amount' };
    const changed = await review(second, 'classify', other);
    expect(changed).toMatchObject({ handled_as: 'error', reasserted: false, regulation_e: true });
    const { data } = await api.get('/portal/api/events?limit=20');
    const told = data.find(({ type }: ReplyBody) => type === 'dispute.updated');
    expect(told.data).toMatchObject({
      object: { id: second.id, reasserted: false },
      previous_attributes: { reasserted: true, regulation_e: false, handled_as: null },
    });
  });

  test('is credited by nobody before it is opened again', async () => {
    const second = await again(await denied());
    for (const move of ['investigate', 'resolve_approved'])
      expect(await refusalOf(review(second, move))).toMatchObject(refused('reasserted'));
    expect(
      await refusalOf(review(second, 'resolve_partial', { amount: 1, finding: 'x' })),
    ).toMatchObject(refused('reasserted'));
    // The notice is answered as before, without findings.
    expect(await review(second, 'resolve_denied')).toMatchObject({ outcome: 'denied' });
    const third = await again(second);
    expect(await caseOf(third)).toMatchObject({ reasserted_of: second.id });
  });

  test('is opened again by a reviewer with new evidence, who says why', async () => {
    const second = await again(await denied());
    expect(await refusalOf(review(second, 'reopen'))).toMatchObject({
      code: 'parameter_missing',
      param: 'note',
    });
    const note = 'The police found the phone';
    expect(await review(second, 'reopen', { note })).toMatchObject({
      status: 'investigating',
      reasserted: false,
      regulation_e: false,
    });
    expect(await caseOf(second)).toMatchObject({
      earmarked_amount: 40_00,
      reasserted_of: expect.any(String),
    });
    await api.played(second, 'dispute.provisional_credit', 'dispute.resolved_approved');
    expect(await available(ana)).toBe(500_00);
    const other = await api.dispute(ana, {});
    expect(await refusalOf(review(other, 'reopen', { note }))).toMatchObject(
      refused('not_reasserted'),
    );
  });

  test('sets aside what refunds have left of it, when it is opened again', async () => {
    const second = await again(await denied());
    await api.confirmed(api.pay(ana, cafe, 15_00));
    await api.confirmed(api.refund({ id: second.payment_id }, 15_00));
    await review(second, 'reopen', { note: 'The police found the phone' });
    expect(await caseOf(second)).toMatchObject({ earmarked_amount: 25_00 });
    expect(await balances(cafe)).toEqual([{ available: 15_00, earmarked: 25_00 }]);
  });

  test.each([0, 15_00])(
    'is earmarked once: what another kind set aside stays, and nothing of the %s cents beside it is added',
    async (beside) => {
      const first = await denied();
      const second = await again(first, { type: 'purchase_dispute' });
      if (beside > 0) await api.confirmed(api.pay(ana, cafe, beside));
      const set = [{ available: beside, earmarked: 40_00 }];
      expect(await balances(cafe)).toEqual(set);
      await review(second, 'classify', { handled_as: 'unauthorized_transfer', note: 'her words' });
      expect(await caseOf(second)).toMatchObject({ reasserted: true, reasserted_of: first.id });
      await review(second, 'reopen', { note: 'The police found the phone' });
      expect(await caseOf(second)).toMatchObject({ reasserted: false, earmarked_amount: 40_00 });
      expect(await balances(cafe)).toEqual(set);
      await review(second, 'resolve_withdrawn');
      expect(await balances(cafe)).toEqual([{ available: 40_00 + beside, earmarked: 0 }]);
    },
  );

  test('has its full rights for 60 days after the documents relied on were given', async () => {
    const first = await denied();
    await review(first, 'give_papers');
    expect((await caseOf(first)).papers_given_at).not.toBeNull();
    const { now } = await api.get('/portal/api/clock');
    const second = await again(first, { notice_received_at: now });
    expect(second).toMatchObject({ regulation_e: true });
    expect(second).not.toHaveProperty('reasserted');
    await api.played(second, 'dispute.resolved_denied');
    // That answer was the last one: the documents were given for the one before.
    const third = await again(first, { notice_received_at: now });
    expect(third).toMatchObject({ regulation_e: false, reasserted: true });
    const fourth = await api.dispute(ana, {});
    expect(await refusalOf(review(fourth, 'give_papers'))).toMatchObject(refused('unresolved'));
  });

  test('is like new after a withdrawal, for another kind, and for another movement', async () => {
    const payment = await api.confirmed(api.pay(ana, cafe, 40_00));
    const withdrawn = await api.played(
      api.dispute(ana, { payment_id: payment.id }),
      'dispute.resolved_withdrawn',
    );
    const anew = await again(withdrawn);
    expect(anew).toMatchObject({ regulation_e: true });
    expect(anew).not.toHaveProperty('reasserted');
    await api.played(anew, 'dispute.resolved_denied');
    for (const type of ['error', 'purchase_dispute']) {
      const made = await again(anew, { type });
      expect(made).toMatchObject({ regulation_e: type === 'error' });
      expect(made).not.toHaveProperty('reasserted');
      await api.played(made, 'dispute.resolved_withdrawn');
    }
    expect(await denied()).not.toHaveProperty('reasserted');
  });

  test('is opened by a notice with a clock that is linked to it', async () => {
    const first = await denied();
    const second = await again(first);
    const other = await again(first, { type: 'error' });
    expect(other).toMatchObject({ regulation_e: true });
    expect(await caseOf(second)).toMatchObject({ reasserted: false, linked_dispute_id: null });
    expect((await caseOf(second)).deadlines.provisional_credit).not.toBeNull();
    await api.played(second, ...credited);
  });
});
