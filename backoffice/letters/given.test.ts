import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { Refused } from '@tenant-payments/service/rails/refused.ts';
import { businessDaysAfter } from '@tenant-payments/service/resources/calendar/business_days.ts';
import {
  addDays,
  type Day,
  easternDay,
  startOfDay,
} from '@tenant-payments/service/resources/limits/days.ts';
import { longDay } from '@tenant-payments/service/resources/statements/words.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import { openDisputes } from '../../test/kit/disputes.ts';
import { readPdf } from '../../test/kit/files/pdf.ts';
import { reachable } from '../../test/kit/files/report_files.ts';
import type { ReplyBody } from '../../test/kit/http/http.ts';
import { uuid } from '../../test/kit/ids.ts';
import type { Person } from '../../test/kit/person.ts';

/** The day of a letter that names a debit: it is the one on which it was given (rules/disputes#68). */

const { api, at, engine, server, shown } = await openDisputes({
  // The bank answers nothing by itself.
  bank: { take: async () => {} },
});
let ana: Person;
let cafe: Person;
beforeEach(async () => {
  ana = await api.funded('individual', 500_00);
  cafe = await api.banked('business');
  server.sent.length = 0;
});

const days = (count: number) => api.advance(count * 86_400);
const today = async (): Promise<Day> => easternDay(await at(0));
const debitAfter = (day: Day): Day => addDays(businessDaysAfter(day, 5), 1);
const saidOf = (day: Day) => `On ${longDay(debitAfter(day))} we will debit this credit of $100.00`;

async function credited(): Promise<ReplyBody> {
  const payment = await api.confirmed(api.pay(ana, cafe, 100_00));
  const made = api.dispute(ana, { payment_id: payment.id });
  const dispute = await api.played(made, 'dispute.investigating', 'dispute.provisional_credit');
  await server.runJobs();
  return dispute;
}

const listed = async ({ id }: ReplyBody): Promise<ReplyBody> =>
  api.get(`/portal/api/disputes/${id}/letters/denial`);

async function bytesOf(dispute: ReplyBody): Promise<Uint8Array> {
  const { download_url } = await listed(dispute);
  return new Uint8Array(await (await fetch(reachable(server, download_url))).arrayBuffer());
}
const textOf = async (dispute: ReplyBody): Promise<string> =>
  (await readPdf(await bytesOf(dispute))).pages.flat().join(' ');

async function noticeOf({ id }: ReplyBody) {
  const [notice] = await engine.query<{ id: string; status: string; sent_at: string | null }>(
    `select id, status, sent_at from notices
     where tenant_id = $1 and source_id = $2 and detail = 'result'`,
    uuid('dispute', id),
  );
  return notice ?? expect.fail();
}
const wordsOf = async (dispute: ReplyBody): Promise<ReplyBody> =>
  api.get(`/portal/api/notices/${publicId('notice', (await noticeOf(dispute)).id)}`);

/** The credit is taken back when this day begins, and not before. */
async function expectDebitOn(dispute: ReplyBody, day: Day): Promise<void> {
  const begins = Date.parse(startOfDay(day));
  await api.advance(new Date(begins - 60_000).toISOString());
  expect(await shown(dispute)).toMatchObject({ status: 'resolved' });
  await api.advance(new Date(begins + 60_000).toISOString());
  expect(await shown(dispute)).toMatchObject({ status: 'closed', outcome: 'denied' });
}

test('a mail that is handed over days late names a debit that counts from its hand-over, and so does its PDF', async () => {
  const dispute = await credited();
  const send = vi.spyOn(server.rails.messages, 'send').mockRejectedValue(new Error('away'));
  await api.played(dispute, 'dispute.resolved_denied');
  await server.runJobs();
  const determined = await today();
  await days(2);
  send.mockRestore();
  await api.advance(3_600 * 6);
  await server.runJobs();
  const { status, sent_at } = await noticeOf(dispute);
  const given = easternDay(sent_at ?? '');
  expect([status, given > determined]).toEqual(['sent', true]);
  const mail = server.sent.filter(({ template }) => template === 'dispute_letter').at(-1);
  expect(mail?.rendered.text).toContain(saidOf(given));
  expect(mail?.rendered.text).not.toContain(saidOf(determined));
  expect(await textOf(dispute)).toContain(saidOf(given));
  expect(await listed(dispute)).toMatchObject({ date: given, give_today: false });
  // Read later, it is as it was sent.
  await days(1);
  expect((await wordsOf(dispute)).said.text).toBe(mail?.rendered.text);
  await expectDebitOn(dispute, debitAfter(given));
}, 60_000);

test('a letter that a person must give is dated on the day on which it is read, and then on that of its giving', async () => {
  const dispute = await credited();
  const send = vi
    .spyOn(server.rails.messages, 'send')
    .mockRejectedValue(new Refused('bounced', '550 5.1.1'));
  await api.played(dispute, 'dispute.resolved_denied');
  await server.runJobs();
  send.mockRestore();
  for (const waited of [0, 3]) {
    await days(waited);
    const day = await today();
    expect(await listed(dispute)).toMatchObject({ date: day, give_today: true });
    expect(await textOf(dispute)).toContain(saidOf(day));
    const { give_today, said } = await wordsOf(dispute);
    expect(give_today).toBe(true);
    expect(said.text).toContain(saidOf(day));
  }
  const { id } = await noticeOf(dispute);
  const path = `/portal/api/review/notices/${publicId('notice', id)}/give`;
  await api.post(path, { finding: 'by post' });
  const given = await today();
  const bytes = await bytesOf(dispute);
  await days(2);
  expect(Buffer.compare(await bytesOf(dispute), bytes)).toBe(0);
  expect(await textOf(dispute)).toContain(saidOf(given));
  expect(await listed(dispute)).toMatchObject({ date: given, give_today: false });
  const { give_today, said } = await wordsOf(dispute);
  expect([give_today, said.text.includes(saidOf(given))]).toEqual([false, true]);
  await expectDebitOn(dispute, debitAfter(given));
  expect(Buffer.compare(await bytesOf(dispute), bytes)).toBe(0);
}, 60_000);

test('a letter without a debit bears the day of the determination, however late it is given', async () => {
  const payment = await api.confirmed(api.pay(ana, cafe, 100_00));
  const send = vi
    .spyOn(server.rails.messages, 'send')
    .mockRejectedValue(new Refused('bounced', '550 5.1.1'));
  const made = api.dispute(ana, { payment_id: payment.id });
  const dispute = await api.played(made, 'dispute.resolved_denied');
  await server.runJobs();
  send.mockRestore();
  const determined = await today();
  const { said } = await wordsOf(dispute);
  await days(3);
  expect(await listed(dispute)).toMatchObject({ date: determined, give_today: false });
  expect(await textOf(dispute)).toContain(longDay(determined));
  expect(await wordsOf(dispute)).toMatchObject({ give_today: false, said });
}, 60_000);
