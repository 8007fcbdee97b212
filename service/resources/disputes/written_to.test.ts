import { beforeEach, expect, test, vi } from 'vitest';
import { openDisputes } from '../../../test/kit/disputes.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';
import { uuid } from '../../../test/kit/ids.ts';
import type { Person } from '../../../test/kit/person.ts';
import { Refused } from '../../rails/refused.ts';

/** Letters to the customer of a dispute, and what waits for them (rules/disputes#26, #30). */

const { api, engine, server, shown } = await openDisputes();
let ana: Person;
beforeEach(async () => {
  ana = await api.funded('individual', 500_00);
  server.sent.length = 0;
});

const days = (count: number) => api.advance(count * 86_400);
const letters = () => server.sent.filter(({ template }) => template === 'dispute_letter');
const noticesOf = ({ id }: ReplyBody) =>
  engine.query<{ detail: string; status: string }>(
    'select detail, status from notices where tenant_id = $1 and source_id = $2 order by created_at, id',
    uuid('dispute', id),
  );

async function credited(): Promise<ReplyBody> {
  const cafe = await api.banked('business');
  const payment = await api.confirmed(api.pay(ana, cafe, 100_00));
  const made = await api.dispute(ana, { payment_id: payment.id });
  return api.played(made, 'dispute.investigating', 'dispute.provisional_credit');
}

test('the customer is written to at the credit and at the result, by mail', async () => {
  const dispute = await credited();
  await api.played(dispute, 'dispute.resolved_denied');
  await server.runJobs();
  expect(await noticesOf(dispute)).toEqual([
    { detail: 'credit', status: 'sent' },
    { detail: 'result', status: 'sent' },
  ]);
  const [first, second] = letters();
  expect(first?.to).toEqual({ email: 'someone@example.com' });
  expect(first?.rendered.text).toContain('we credited $100.00 to your account');
  expect(second?.rendered.subject).toContain('Notice of denial');
  expect(second?.rendered.html).toContain('12 CFR 1005.11');
});

test('nothing is taken back while the customer was not told, and five business days after it was', async () => {
  const dispute = await credited();
  await server.runJobs();
  const send = vi.spyOn(server.rails.messages, 'send').mockRejectedValue(new Error('away'));
  await api.played(dispute, 'dispute.resolved_denied');
  await days(2);
  send.mockRestore();
  await api.advance(3_600 * 6);
  await server.runJobs();
  expect(letters()).toHaveLength(2);
  await days(6);
  expect(await shown(dispute)).toMatchObject({ status: 'resolved' });
  await days(6);
  expect(await shown(dispute)).toMatchObject({ status: 'closed', outcome: 'denied' });
}, 60_000);

test('a letter that bounces keeps the credit where it is, until a person has written', async () => {
  const dispute = await credited();
  const send = vi
    .spyOn(server.rails.messages, 'send')
    .mockRejectedValue(new Refused('bounced', '550 5.1.1'));
  await api.played(dispute, 'dispute.resolved_denied');
  await server.runJobs();
  send.mockRestore();
  expect((await noticesOf(dispute)).at(-1)).toEqual({ detail: 'result', status: 'task' });
  await days(30);
  expect(await shown(dispute)).toMatchObject({ status: 'resolved' });
}, 60_000);
