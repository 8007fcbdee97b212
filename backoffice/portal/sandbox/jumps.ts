import { type Page, wholeList } from '@tenant-payments/engine/pages.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { isBusinessDay } from '@tenant-payments/service/resources/calendar/business_days.ts';
import { easternDay, nextDaily } from '@tenant-payments/service/resources/limits/days.ts';
import { reportedAt } from '@tenant-payments/service/resources/reconciliation/day.ts';
import type { ClockJump } from '../../contract/sandbox/clock.ts';
import { listUpcoming } from './upcoming.ts';

/** The next 06:00 Eastern Time after `now` on a day that `isWanted`. */
function nextReport(now: Instant, isWanted: (day: string) => boolean): Instant {
  let at = nextDaily(reportedAt, now);
  while (!isWanted(easternDay(at))) at = nextDaily(reportedAt, at);
  return at;
}

const isFirstOfMonth = (day: string): boolean => day.endsWith('-01');

/** GET /portal/api/clock/jumps (rules/sandbox#40). */
export async function listClockJumps(context: ReadContext): Promise<Page<ClockJump>> {
  const [now, { data: upcoming }] = await Promise.all([context.now(), listUpcoming(context)]);
  const later = upcoming.filter(({ at }) => at > now);
  const retry = later.find(({ kind }) => kind === 'delivery');
  return wholeList([
    {
      name: 'next_retry',
      does: retry ? 'the next webhook attempt is made' : 'no webhook attempt waits',
      at: retry?.at ?? null,
    },
    {
      name: 'next_due',
      does: later[0]?.does ?? 'nothing waits',
      at: later[0]?.at ?? null,
    },
    {
      name: 'business_day',
      does: `${reportedAt} Eastern Time of the next business day: the day before is reported`,
      at: nextReport(now, isBusinessDay),
    },
    {
      name: 'month_end',
      does: `${reportedAt} Eastern Time of the 1st: the statements of the month are made`,
      at: nextReport(now, isFirstOfMonth),
    },
  ]);
}
