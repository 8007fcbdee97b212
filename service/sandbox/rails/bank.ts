import type { Bank } from '../../rails/bank.ts';
import { type ScheduleAnswer, scheduleNothing } from './scheduling.ts';

/** The sandbox's bank: it takes an order and answers in automatic mode; else simulate answers. */
export const openSandboxBank = (schedule: ScheduleAnswer = scheduleNothing): Bank => ({
  take: ({ tenantId, id }) => schedule(tenantId, 'sandbox_bank_answer', id),
  // Its book is the database itself, which was restored with it.
  ordersSince: async () => [],
});
