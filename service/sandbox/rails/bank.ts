import type { Bank } from '../../rails/bank.ts';
import { type ScheduleAnswer, scheduleNothing } from './scheduling.ts';
import { isSimulated } from './test_values.ts';

/**
 * The sandbox's bank: it takes an order and answers in automatic mode; else simulate answers. What
 * simulate cannot answer is answered at once (rules/sandbox#14), and so is a request to cancel.
 */
export const openSandboxBank = (schedule: ScheduleAnswer = scheduleNothing): Bank => ({
  take: ({ tenantId, id, purpose }) =>
    schedule(tenantId, 'sandbox_bank_answer', id, { atOnce: !isSimulated(purpose) }),
  can: { expiry: 'instant', cancel: true, query: false },
  cancel: ({ tenantId, id }) => schedule(tenantId, 'sandbox_bank_answer', id, { atOnce: true }),
  answerReturnRequest: async () => {},
  // Its book is the database itself, which was restored with it.
  ordersSince: async () => [],
});
