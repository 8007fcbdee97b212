import type { Institution } from '@tenant-payments/contract/core/institutions.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { openDisputes } from '../../test/kit/disputes.ts';
import { readPdf } from '../../test/kit/files/pdf.ts';
import { reachable } from '../../test/kit/files/report_files.ts';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import type { Person } from '../../test/kit/person.ts';
import { refusalOf } from '../../test/kit/refusal.ts';

/** The letters of late and repeated notices, and findings in words. The clock starts on 20 January 2026. */
const { api, at, caseOf, engine, server } = await openDisputes();
const institution: Institution = {
  name: 'Maple Financial',
  bank: 'First Maple Bank',
  address: '9 Elm Road, Springfield, IL 62701',
  phone: '+13125550177',
  hours: 'Weekdays, 8 to 6',
};
await engine.change({ institution });
let ana: Person;
const cafe = await api.banked('business');
beforeEach(async () => {
  ana = await api.funded('individual', 500_00);
});

const pathOf = ({ id }: ReplyBody, kind = '') => `/portal/api/disputes/${id}/letters${kind}`;
const review = ({ id }: ReplyBody, move: string, body: object = {}): Promise<ReplyBody> =>
  api.post(`/portal/api/review/disputes/${id}/${move}`, body);
const preview = ({ id }: ReplyBody, move: string, body: object = {}): Promise<ReplyBody> =>
  api.post(`/portal/api/cases/disputes/${id}/preview`, { move, ...body });

async function textOf(made: ReplyBody, kind: string): Promise<string> {
  const { download_url } = await api.get(pathOf(made, `/${kind}`));
  const reply = await fetch(reachable(server, download_url));
  const { pages } = await readPdf(new Uint8Array(await reply.arrayBuffer()));
  return pages.flat().join(' ');
}
const available = async (made: ReplyBody): Promise<string[]> =>
  (await api.get(pathOf(made))).data
    .filter((one: ReplyBody) => one.available)
    .map(({ kind }: ReplyBody) => kind);
const disputed = async (what: object = {}): Promise<ReplyBody> => {
  const payment = await api.confirmed(api.pay(ana, cafe, 100_00));
  return api.dispute(ana, { payment_id: payment.id, ...what });
};
/** The words of a previewed letter, as the PDF does. */
const wordsOf = ({ sender, lead, sections, closing }: ReplyBody): string[] => [
  ...sender,
  lead,
  ...sections.flatMap(({ heading, paragraphs }: ReplyBody) => [heading, ...paragraphs]),
  ...closing,
];

const finding = 'The code was confirmed from her own phone.';

describe('a denial or a lesser award under Regulation E', () => {
  test('needs what was found in words; outside it none is needed', async () => {
    const made = await disputed();
    expect(await caseOf(made)).toMatchObject({ finding_required: true });
    for (const [move, body] of [
      ['resolve_denied', {}],
      ['resolve_partial', { amount: 30_00 }],
    ] as const)
      expect(await refusalOf(review(made, move, body))).toMatchObject({
        code: 'parameter_missing',
        param: 'finding',
      });
    expect(await review(made, 'resolve_denied', { finding })).toMatchObject({ outcome: 'denied' });
    const purchase = await disputed({ type: 'purchase_dispute' });
    expect(await caseOf(purchase)).toMatchObject({ finding_required: false });
    expect(await review(purchase, 'resolve_denied')).toMatchObject({ outcome: 'denied' });
    expect(await textOf(purchase, 'denial')).toContain('We compared your notice with our records');
  });

  test('has a letter with address and phone, what was found, the way to the documents, and date and amount of the debit', async () => {
    const made = await api.played(
      disputed(),
      'dispute.investigating',
      'dispute.provisional_credit',
    );
    await review(made, 'resolve_denied', { finding });
    const text = await textOf(made, 'denial');
    for (const part of [
      'Maple Financial 9 Elm Road, Springfield, IL 62701 (312) 555-0177',
      finding,
      'You may ask us for copies of the documents on which we relied in this decision: call (312) 555-0177 (Weekdays, 8 to 6) or write to Maple Financial, 9 Elm Road, Springfield, IL 62701, and give the dispute ID above.',
      'On January 28, 2026 we will debit this credit of $100.00 from your account.',
    ])
      expect(text).toContain(part);
  });

  test('is shown as the letter it will be, before it is decided', async () => {
    const made = await api.played(
      disputed(),
      'dispute.investigating',
      'dispute.provisional_credit',
    );
    expect(await preview(made, 'resolve_denied')).toMatchObject({
      obstacle: { code: 'parameter_missing' },
      letter: null,
    });
    const { letter } = await preview(made, 'resolve_denied', { finding });
    expect(letter).toMatchObject({ kind: 'denial', date: '2026-01-20', customer: 'Ana Reyes' });
    expect(await available(made)).toEqual(['provisional_credit']);
    await review(made, 'resolve_denied', { finding });
    const text = await textOf(made, 'denial');
    for (const words of wordsOf(letter)) expect(text).toContain(words);
    const credited = await api.played(disputed(), 'dispute.investigating');
    expect((await preview(credited, 'credit')).letter).toMatchObject({
      kind: 'provisional_credit',
      sections: [{ heading: 'Your credit' }, { heading: 'What comes next' }],
    });
    expect((await preview(credited, 'resolve_approved')).letter.sections[0].paragraphs[0]).toBe(
      'On January 20, 2026 we credited $100.00 to your account.',
    );
    expect((await preview(credited, 'liability_merchant')).letter).toBeNull();
  });
});

describe('a notice that is filed again', () => {
  test('has a letter that says when it was answered, and what can still be done', async () => {
    const first = await disputed();
    await review(first, 'resolve_denied', { finding });
    const again = await api.dispute(ana, { payment_id: first.payment_id });
    expect(await available(again)).toEqual(['reasserted']);
    const text = await textOf(again, 'reasserted');
    for (const part of [
      'You told us of the same unauthorized transfer before.',
      `On January 20, 2026 we finished the investigation of that notice (dispute ID ${first.id}) and did not decide it in your favor.`,
      '12 CFR 1005.11(e)',
      'you receive no provisional credit',
      'tell us within 60 days after you have received them, and we will investigate it anew.',
    ])
      expect(text).toContain(part);
    await review(again, 'resolve_denied');
    expect(await available(again)).toEqual(['reasserted']);
  });
});

describe('a late notice of an unauthorized transfer', () => {
  test('is investigated under 12 CFR 1005.6, with a letter of its own, findings, and limits of liability', async () => {
    const payment = await api.confirmed(api.pay(ana, cafe, 100_00));
    await api.advance('2026-02-01T12:00:00.000Z');
    await api.advance('2026-04-10T15:00:00.000Z');
    const notice = { payment_id: payment.id, notice_received_at: await at(-1) };
    const made = await api.dispute(ana, notice);
    expect(made).toMatchObject({ regulation_e: false });
    expect(await caseOf(made)).toMatchObject({
      late_notice: true,
      liability_limited: true,
      finding_required: true,
      deadlines: { provisional_credit: null, result: null },
    });
    expect(await available(made)).toEqual(['late_notice']);
    const text = await textOf(made, 'late_notice');
    for (const part of [
      'we are investigating it',
      'The time limits of 12 CFR 1005.11 for our investigation and the provisional credit do not apply.',
      'The limits of 12 CFR 1005.6 do apply.',
      'you bear at most $50',
      'such as on a long journey or in a hospital',
    ])
      expect(text).toContain(part);
    // The next business day.
    await api.advance('2026-04-13T15:00:00.000Z');
    expect(await caseOf(made)).toMatchObject({ status: 'investigating' });
    expect(await refusalOf(review(made, 'resolve_denied'))).toMatchObject({ param: 'finding' });

    // The transfer itself was before the 60 days: nothing of it is borne because of the delay.
    const part = { amount: 50_00, finding, customer_bears: 50_00 };
    expect(await refusalOf(review(made, 'resolve_partial', part))).toMatchObject({
      param: 'customer_bears',
      details: { reason: 'above_maximum', maximum: 0 },
    });
    const lost = { ...part, learned_on: '2026-01-02' };
    const shown = await preview(made, 'resolve_partial', lost);
    expect(shown.letter.sections[1]).toMatchObject({
      heading: 'What you bear',
      paragraphs: [
        expect.stringContaining('You bear nothing because of this delay alone.'),
        expect.stringContaining('Of this transfer you bear $50.00.'),
      ],
    });
    await review(made, 'extenuating', { note: 'In hospital from January to April' });
    await review(made, 'resolve_partial', lost);
    expect(await caseOf(made)).toMatchObject({
      extenuating: true,
      customer_bears_amount: 50_00,
      liability_tier: 'fifty',
    });
    const result = await textOf(made, 'result');
    expect(result).toContain('we have extended the times');
    expect(result).toContain('12 CFR 1005.6 limits your liability');

    const error = await api.dispute(ana, {
      ...notice,
      type: 'error',
      notice_received_at: await at(-1),
    });
    expect(await caseOf(error)).toMatchObject({ late_notice: true, liability_limited: false });
    expect(await available(error)).toEqual([]);
    expect(await refusalOf(review(error, 'extenuating', { note: 'x' }))).toMatchObject({
      details: { reason: 'not_of_this_dispute' },
    });
    const borne = { amount: 1, finding, customer_bears: 1 };
    expect(await refusalOf(review(error, 'resolve_partial', borne))).toMatchObject({
      param: 'customer_bears',
      details: { reason: 'not_of_this_dispute' },
    });
  });
});
