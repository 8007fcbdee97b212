import { expect, test } from 'vitest';
import { openDisputes } from '../../../test/kit/disputes.ts';
import type { ReplyBody } from '../../../test/kit/http/http.ts';

/** Notices forwarded late are taken and flagged (rules/disputes#42). The clock starts on 20 January 2026. */
const { api, at, caseOf, shown } = await openDisputes();
const ana = await api.funded('individual', 50_00);

const flags = ['late_notice', 'late_notice_days', 'forwarded_late', 'forwarded_late_days'];
async function flagsOf(made: ReplyBody): Promise<unknown[]> {
  const { data } = await api.get('/portal/api/review?limit=100');
  const { record } = data.find(({ id }: ReplyBody) => id === made.id);
  expect(record).toEqual(await caseOf(made));
  return flags.map((name) => record[name]);
}

test('a notice forwarded after the next business day is taken, and the reviewer sees how late', async () => {
  const inTime = await api.dispute(ana, { notice_received_at: await at(-1) });
  expect(await flagsOf(inTime)).toEqual([false, 0, false, 0]);
  // Received on Friday the 16th, before a Monday without banks, and on Thursday the 15th.
  for (const [notice_received_at, ...told] of [
    ['2026-01-16T20:00:00Z', false, 0, false, 0],
    ['2026-01-15T20:00:00Z', false, 0, true, 4],
  ] as const) {
    const made = await api.dispute(ana, { notice_received_at });
    expect([made.status, made.regulation_e]).toEqual(['received', true]);
    expect(await flagsOf(made)).toEqual(told);
  }
});

test("the Tenant's record has no field of it", async () => {
  const made = await api.dispute(ana, { notice_received_at: '2026-01-15T20:00:00Z' });
  for (const record of [made, await shown(made)])
    for (const name of flags) expect(record).not.toHaveProperty(name);
});
