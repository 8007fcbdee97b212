import { randomUUID } from 'node:crypto';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { expect, test } from 'vitest';
import { openDisputes } from '../../../test/kit/disputes.ts';
import { uuid } from '../../../test/kit/ids.ts';
import type { Person } from '../../../test/kit/person.ts';
import { openInbound } from '../../inbound/inbound.ts';

/** The tests run in this order on one clock, from 20 January 2026, 10:00 in New York. */
const { api, at, caseOf, engine, server, transactions } = await openDisputes();
const ana = await api.funded('individual', 50_00);
const ben = await api.funded('individual', 50_00);
const cafe = await api.banked('business');
const ofAna = await api.confirmed(api.pay(ana, cafe, 10_00));
const ofBen = await api.confirmed(api.pay(ben, cafe, 10_00));

/** Whether a notice made now is under Regulation E, else flagged as late; withdraws it at once. */
async function inTime(person: Person, what: object): Promise<boolean> {
  const made = await api.dispute(person, { notice_received_at: await at(-1), ...what });
  expect(await caseOf(made)).toMatchObject({
    late_notice: !made.regulation_e,
    late_notice_days: made.regulation_e ? 0 : 1,
    forwarded_late: false,
  });
  await api.played(made, 'dispute.resolved_withdrawn');
  return made.regulation_e;
}
const availableAt = async ({ accountId }: Person): Promise<string> => {
  const { data } = await api.get(`/v1/accounts/${accountId}/statements`);
  return data.at(-1).available_at;
};
const loadOf = async (person: Person): Promise<string> =>
  (await transactions(person, 'load')).at(-1)?.id;

test('the sixty days count from the time at which the statement was made', async () => {
  // Ben's first period ends early; Ana's ends with the month.
  await api.advance('2026-01-22T15:00:00.000Z');
  await api.simulate('statement.available', ben.accountId);
  await api.advance('2026-02-01T12:00:00.000Z');
  expect(await availableAt(ben)).toMatch(/^2026-01-22T15:00/);
  expect(await availableAt(ana)).toBe('2026-02-01T11:00:00.000Z');
  await api.advance('2026-03-24T03:59:00.000Z');
  for (const what of [{ payment_id: ofBen.id }, { transaction_id: await loadOf(ben) }])
    expect(await inTime(ben, what)).toBe(true);
  await api.advance('2026-03-24T04:00:10.000Z');
  for (const what of [{ payment_id: ofBen.id }, { transaction_id: await loadOf(ben) }])
    expect(await inTime(ben, what)).toBe(false);
  expect(await inTime(ana, { payment_id: ofAna.id })).toBe(true);
});

test('a notice is in time while no statement shows its movement, and if it names none', async () => {
  await api.advance('2026-04-03T04:00:10.000Z');
  expect(await inTime(ana, { payment_id: ofAna.id })).toBe(false);
  expect(await inTime(ana, { transaction_id: await loadOf(ana) })).toBe(false);
  const later = await api.confirmed(api.pay(ana, cafe, 10_00));
  expect(await inTime(ana, { payment_id: later.id })).toBe(true);
  const made = await api.dispute(ana, { notice_received_at: await at(-1) });
  expect(made.regulation_e).toBe(true);
});

test('a notice in time with the Tenant is not late when it is forwarded late, but that is flagged', async () => {
  // The sixtieth day is Thursday, 2 April; forwarded on Monday the 6th.
  await api.advance('2026-04-06T16:00:00.000Z');
  const what = { payment_id: ofAna.id, notice_received_at: '2026-04-02T16:00:00Z' };
  const made = await api.dispute(ana, what);
  expect(made.regulation_e).toBe(true);
  expect(await caseOf(made)).toMatchObject({
    late_notice: false,
    forwarded_late: true,
    forwarded_late_days: 3,
  });
});

test('a statement of 1.0, which sent no mail, makes no notice late', async () => {
  const ivy = await api.funded('individual', 50_00);
  const of = { payment_id: (await api.confirmed(api.pay(ivy, cafe, 10_00))).id };
  await api.advance(86_400);
  await api.simulate('statement.available', ivy.accountId);
  await server.runJobs();
  await engine.query(
    `with gone as (delete from notices n using statements s where n.tenant_id = $1
        and s.tenant_id = $1 and s.id = n.source_id and s.account_id = $2 returning n.id)
      delete from jobs j using gone where j.tenant_id = $1 and j.name = 'notice_end' and j.ref = gone.id`,
    uuid('account', ivy.accountId),
  );
  await api.advance(61 * 86_400);
  expect(await inTime(ivy, of)).toBe(true);
});

test('a statement whose mail bounced makes no notice late, until a person has given it', async () => {
  const eve = await api.funded('individual', 50_00);
  const of = { payment_id: (await api.confirmed(api.pay(eve, cafe, 10_00))).id };
  await api.advance(86_400);
  await api.simulate('statement.available', eve.accountId);
  await server.runJobs();
  const [notice] = await engine.query<{ id: string; status: string; sent_at: string }>(
    `select n.id, n.status, n.sent_at from notices n join statements s
      on s.tenant_id = n.tenant_id and s.id = n.source_id where n.tenant_id = $1 and s.account_id = $2`,
    uuid('account', eve.accountId),
  );
  expect(notice).toMatchObject({ status: 'sent', sent_at: expect.any(String) });
  const messageId = notice?.id ?? '';
  const word = { id: randomUUID(), messageId, outcome: 'bounced' } as const;
  await openInbound({ ...server.service, asks: false }).messages(server.tenant.tenantId, word);
  await api.advance(61 * 86_400);
  expect(await inTime(eve, of)).toBe(true);
  const path = `/portal/api/review/notices/${publicId('notice', messageId)}/give`;
  await api.post(path, { finding: 'by post' });
  await api.advance(60 * 86_400);
  expect(await inTime(eve, of)).toBe(true);
  await api.advance(86_400);
  expect(await inTime(eve, of)).toBe(false);
}, 60_000);
