import { inTransaction } from '@tenant-payments/engine/database/transaction.ts';
import { tellAudit } from '@tenant-payments/engine/write/append_audit.ts';
import {
  type AuditEntry,
  type AuditRow,
  appendAuditRows,
} from '@tenant-payments/engine/write/flush_audit.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type pg from 'pg';

/** What was done, as its row of the audit says it. */
export type DoneEntry = Omit<AuditEntry, 'outcome'>;

/**
 * Runs `work` and appends its rows of the audit in one transaction of `control` (rules/audit#1).
 * @param entryOf names what was done; nothing of it is redacted, so it holds ids and roles alone
 */
export async function auditedAct<Done>(
  { control, log }: Pick<Service, 'control' | 'log'>,
  entryOf: (done: Done) => DoneEntry | readonly DoneEntry[],
  work: (connection: pg.ClientBase) => Promise<Done>,
): Promise<Done> {
  const { done, rows } = await inTransaction(control, async (connection) => {
    const done = await work(connection);
    const entries = [entryOf(done)].flat().map((entry) => ({ ...entry, outcome: 'done' }));
    const { text, values } = appendAuditRows(entries);
    return { done, rows: (await connection.query<AuditRow>(text, values)).rows };
  });
  tellAudit(log, rows);
  return done;
}
