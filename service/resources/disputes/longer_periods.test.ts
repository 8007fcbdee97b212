import { expect, test } from 'vitest';
import { openDisputes } from '../../../test/kit/disputes.ts';
import { realTexts } from '../../../test/kit/go_live.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { uuid } from '../../../test/kit/ids.ts';
import { businessDaysAfter, easternTime } from '../calendar/business_days.ts';
import { easternDay } from '../limits/days.ts';

/** The 20 business days of new accounts need a disclosure [12 CFR 1005.11(c)(3), comment 7(b)(10)-2]. */

const { api, engine, server } = await openDisputes();
const [terms] = realTexts('2026-02') as [ReturnType<typeof realTexts>[number]];

async function creditDue(
  terms: 'accepted' | 'as they were',
): Promise<[found: string, notice: string]> {
  const ana = await api.banked('individual');
  const cafe = await api.banked('business', 'savings');
  if (terms === 'accepted') await accept(ana.customerId);
  await api.fund(ana, 100_00);
  const { id } = await api.confirmed(api.pay(ana, cafe, 40_00));
  const dispute: ReplyBody = await api.post('/v1/disputes', {
    customer_id: ana.customerId,
    payment_id: id,
    type: 'error',
    description: 'A wrong amount',
    notice_received_at: (await api.get('/portal/api/clock')).now,
  });
  const [row] = await engine.query<{ credit_due_at: string }>(
    'select credit_due_at from disputes where tenant_id = $1 and id = $2',
    uuid('dispute', dispute.id),
  );
  return [row?.credit_due_at ?? '', dispute.notice_received_at];
}

async function accept(customer_id: string): Promise<void> {
  const session = await api.post('/v1/sessions', { customer_id, flow: 'terms_acceptance' });
  await api.simulate('session.completed', session.id);
}

const after = (notice: string, days: number) =>
  easternTime(businessDaysAfter(easternDay(notice), days), '09:00');

test('the longer periods of new accounts are used only where the accepted terms say them', async () => {
  const [longer, first] = await creditDue('as they were');
  expect(longer).toBe(after(first, 20));
  const { en, es } = terms.text;
  const text = { en: en.replace(/For new accounts,[^.]*\./, ''), es };
  const published = await server.call(
    'POST',
    '/portal/api/review/documents/digital_account_terms/publish',
    { token: server.token, body: { ...terms, document_type: undefined, text } },
  );
  expect(published.status).toBe(200);
  const [usual, second] = await creditDue('accepted');
  expect(usual).toBe(after(second, 10));
});
