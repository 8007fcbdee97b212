import { type Kysely, sql } from 'kysely';
import type { Database } from '../../database.ts';
import type { Bank } from '../../rails/bank.ts';
import { sandboxBank } from './said_by_bank.ts';
import type { ScheduleAnswer } from './scheduling.ts';
import { isSimulated } from './test_values.ts';

/** Whether this bank has an order: it is to answer it, or has. In manual mode it keeps nothing of one until it answers. */
async function hasOrder(db: Kysely<Database>, tenantId: string, id: string): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from jobs where tenant_id = ${tenantId} and name = 'sandbox_bank_answer' and ref = ${id})
      or exists (select from rail_messages where tenant_id = ${tenantId} and record = ${id}
        and provider = ${sandboxBank.name}) as known`.execute(db);
  return rows[0]?.known === true;
}

/**
 * The sandbox's bank: it takes an order and answers in automatic mode; else simulate answers. What
 * simulate cannot answer is answered at once (rules/sandbox#14), and so is a request to cancel.
 */
export const openSandboxBank = (schedule: ScheduleAnswer, db: Kysely<Database>): Bank => ({
  take: ({ tenantId, id, purpose }) =>
    schedule(tenantId, 'sandbox_bank_answer', id, { atOnce: !isSimulated(purpose) }),
  can: { cancel: true, query: true },
  cancel: ({ tenantId, id }) => schedule(tenantId, 'sandbox_bank_answer', id, { atOnce: true }),
  // The bank's word was taken when it said it, so there is nothing to say again.
  query: async ({ tenantId, id }) => ({ known: await hasOrder(db, tenantId, id) }),
  answerReturnRequest: async () => {},
  // Its book is the database itself, which was restored with it.
  ordersSince: async () => [],
});
