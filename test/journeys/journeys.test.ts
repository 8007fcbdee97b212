import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openServer } from '../kit/server.ts';
import { clocksChange } from './clocks_change.ts';
import { closingAMerchant } from './closing_a_merchant.ts';
import { customerLosesDispute } from './customer_loses_dispute.ts';
import { customerWinsDispute } from './customer_wins_dispute.ts';
import { deadAccount } from './dead_account.ts';
import type { Tale } from './journey.ts';
import { limitsToTheCent } from './limits_to_the_cent.ts';
import { merchantPaysSupplier } from './merchant_pays_supplier.ts';
import { monthEnd } from './month_end.ts';
import { outOfDateVersion } from './out_of_date_version.ts';
import { payByBankRefused } from './pay_by_bank_refused.ts';
import { qrAtTheTill } from './qr_at_the_till.ts';
import { refundWaits } from './refund_waits.ts';
import { refundsToTheWhole } from './refunds_to_the_whole.ts';
import { secretRotation } from './secret_rotation.ts';
import { tell } from './tell.ts';
import { webhookOutage } from './webhook_outage.ts';

const tales: readonly Tale[] = [
  qrAtTheTill,
  payByBankRefused,
  refundWaits,
  refundsToTheWhole,
  deadAccount,
  closingAMerchant,
  limitsToTheCent,
  merchantPaysSupplier,
  customerWinsDispute,
  customerLosesDispute,
  monthEnd,
  webhookOutage,
  secretRotation,
  outOfDateVersion,
  clocksChange,
];

const dayMs = 86_400_000;
/**
 * Ten in the morning in New York, of a day for each tale that names none: whichever is told alone
 * begins the same.
 */
const morningOf = (index: number) => Date.parse('2026-01-20T15:00:00Z') + index * dayMs;
const clock = { nowMs: morningOf(0) };

/** A story may last a winter, and this machine may have other things to do. */
const longestMs = 120_000;
const service = await openServer({ workers: false, realNow: () => clock.nowMs });

test.each(tales.map((told, index) => ({ told, title: told.title, index })))(
  '$title: every fact holds, and the page is the one that is checked in',
  async ({ told, index }) => {
    clock.nowMs = told.begins ? Date.parse(told.begins) : morningOf(index);
    const page = await tell(told, service, clock);
    const file = new URL(`./${told.name}.out.md`, import.meta.url);
    if (process.env.UPDATE_JOURNEYS === '1') await writeFile(file, page);
    expect(page).toBe(await readFile(file, 'utf8'));
  },
  longestMs,
);

test('the guide names every story, with its sentence and its page', async () => {
  const guide = await readFile(new URL('../../docs/guide/journeys.md', import.meta.url), 'utf8');
  const missing = tales.filter(
    ({ name, title, lead }) =>
      !guide.includes(`[${title}](../../test/journeys/${name}.out.md)`) || !guide.includes(lead),
  );
  expect(missing.map(({ name }) => name)).toEqual([]);
});
