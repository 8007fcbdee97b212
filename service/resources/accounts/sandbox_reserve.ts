import { command } from '@tenant-payments/engine/command.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { handOverJob } from '../../rails/instructions.ts';
import { easternDay } from '../limits/days.ts';
import { orderTopUp, settleTopUp } from './fund_reserve.ts';

/** The amount that the sandbox puts into a new Tenant's reserve, and restores each day (rules/sandbox#21). */
export const sandboxReserveCents = 10_000_00;

/** The sandbox's bank settles it while it is ordered, so that a Tenant begins with its reserve and nothing waits. */
export function topUpAtOnce(work: Work, amount: number): void {
  const order = orderTopUp(work, amount, easternDay(work.now));
  work.cancelJob(handOverJob(order), order.id);
  work.change(order, { status: 'sent', sent_at: work.now, answer: 'settled' });
  settleTopUp(work, order);
}

/** The first reserve of a Tenant of a sandbox. */
export const fillReserve = command('fill_reserve', {
  load: async (_read, _input: object) => null,
  decide: (work) => {
    topUpAtOnce(work, sandboxReserveCents);
    return { value: null };
  },
});
