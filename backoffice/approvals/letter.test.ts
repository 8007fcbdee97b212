import { expect, test } from 'vitest';
import { openApprovals } from '../../test/kit/approvals.ts';
import type { ReplyBody } from '../../test/kit/http/http.ts';

/** The letter to a consumer, before a second person approves what it tells (rules/disputes#65). */

const { admins, openCase } = await openApprovals();
const [maria, otto] = admins;

test('who approves a determination reads the letter as it will be sent, in both languages, before the approval', async () => {
  const { api, send } = await openCase();
  const ana = await api.funded('individual', 1_000_00);
  const cafe = await api.banked('business');
  const payment = await api.confirmed(api.pay(ana, cafe, 600_00));
  const dispute = await api.dispute(ana, { payment_id: payment.id });
  const finding = 'Of the three items two were returned.';
  const asked = await send(maria, 'POST', '/approvals', {
    resource: 'disputes',
    id: dispute.id,
    move: 'resolve_partial',
    amount: 550_00,
    finding,
    note: 'Receipts of the returns',
  });
  expect(asked.status).toBe(201);
  const file = async (): Promise<ReplyBody> =>
    (await send(otto, 'GET', `/cases/approvals/${asked.body.id}`)).body;
  const { letter } = await file();
  expect(letter).toMatchObject({
    kind: 'result',
    customer: 'Ana Reyes',
    title: 'Notice of result',
    in_spanish: { title: 'Aviso de resultado' },
  });
  const words = (said: ReplyBody) => JSON.stringify(said.sections);
  expect(words(letter)).toContain('We found that $550.00 of the $600.00 in dispute is due to you.');
  expect(words(letter)).toContain(finding);
  expect(words(letter.in_spanish)).toContain(finding);
  expect(words(letter)).not.toContain('Receipts of the returns');

  const approved = await send(otto, 'POST', `/approvals/${asked.body.id}/approve`);
  expect(approved.body.status).toBe('approved');
  expect((await file()).letter).toBeNull();
  expect((await send(otto, 'GET', `/cases/disputes/${dispute.id}`)).body.letter).toBeNull();
});
