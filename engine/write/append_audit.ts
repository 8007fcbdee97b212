import { CompiledQuery, type Kysely } from 'kysely';
import type { Logger } from 'pino';
import { type AuditEntry, type AuditRow, appendAuditRows } from './flush_audit.ts';

/**
 * Appends to the audit in a transaction, as the last thing that it does (rules/audit#6). Tell the rows once
 * they are committed.
 */
export async function appendAudit(
  db: Pick<Kysely<unknown>, 'executeQuery'>,
  entries: readonly AuditEntry[],
): Promise<AuditRow[]> {
  const { text, values } = appendAuditRows(entries);
  return (await db.executeQuery<AuditRow>(CompiledQuery.raw(text, values))).rows;
}

/** Writes committed rows as lines of the log, to be kept elsewhere too (rules/audit#12). */
export function tellAudit(log: Logger, rows: readonly AuditRow[]): void {
  // The name `address` is a person's in our logs, and redacted. What changed stays in the database.
  for (const { body: _, previous_hash: __, address: client_address, ...row } of rows)
    log.info({ audit: { ...row, client_address } }, 'an act is in the audit');
}
