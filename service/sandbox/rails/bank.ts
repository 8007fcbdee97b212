import type { Bank } from '../../rails/bank.ts';
import { type ScheduleAnswer, scheduleNothing } from './scheduling.ts';
import { isSimulated } from './test_values.ts';

/**
 * The sandbox's bank: it takes an order and answers in automatic mode; else simulate answers. What
 * simulate cannot answer is answered at once (rules/sandbox#14).
 */
export const openSandboxBank = (schedule: ScheduleAnswer = scheduleNothing): Bank => ({
  take: ({ tenantId, id, purpose }) =>
    schedule(tenantId, 'sandbox_bank_answer', id, { atOnce: !isSimulated(purpose) }),
  answerReturnRequest: async () => {},
  // Its book is the database itself, which was restored with it.
  ordersSince: async () => [],
});
