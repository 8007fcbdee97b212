import { ownTransaction } from '@tenant-payments/engine/join_transaction.ts';
import { appendAudit, tellAudit } from '@tenant-payments/engine/write/append_audit.ts';
import type { AuditEntry } from '@tenant-payments/engine/write/flush_audit.ts';
import type { Database } from '@tenant-payments/service/database.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { Kysely } from 'kysely';

/**
 * An act that was done, as its row of the audit says it. Nothing of it is redacted: ids, names of
 * Tenants and times.
 */
export type DoneEntry = Omit<AuditEntry, 'outcome'>;

/**
 * Runs an act that is no command, and writes its rows of the audit in the same transaction
 * (rules/audit#1). Only these acts are none:
 *
 * - A Tenant is made (`tenants/create.ts`): a command is of a Tenant, whose row it reads first.
 * - A sandbox is reset (`tenants/take_over.ts`): whoever reaches one Tenant reaches another from then on, and a row of
 *   the engine never changes its Tenant.
 * - A clock is moved (`portal/sandbox/clock.ts`), in the transaction that begins the advance: it goes on for as long as
 *   jobs are due, and what it changes is the clock by which commands are decided.
 * - Events are delivered again (`portal/deliveries/recover.ts`): up to 10,000 rows at once, and commands of others would
 *   wait for them; the figure is there.
 */
export async function beside<Done>(
  { db, log }: Pick<Service, 'db' | 'log'>,
  entriesOf: (done: Done) => readonly DoneEntry[],
  work: (tx: Kysely<Database>) => Promise<Done>,
): Promise<Done> {
  const { done, rows } = await ownTransaction(db, async (tx) => {
    const done = await work(tx);
    return { done, rows: await appendAudit(tx, entriesOf(done).map(asDone)) };
  });
  tellAudit(log, rows);
  return done;
}

/** The entry as a row of the audit, for a transaction that begins elsewhere. */
export const asDone = (entry: DoneEntry): AuditEntry => ({ ...entry, outcome: 'done' });
