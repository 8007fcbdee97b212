import type { Actor } from '@tenant-payments/engine/actor.ts';
import { ownTransaction } from '@tenant-payments/engine/join_transaction.ts';
import { appendAudit, tellAudit } from '@tenant-payments/engine/write/append_audit.ts';
import type { Database } from '@tenant-payments/service/database.ts';
import { redactedValue } from '@tenant-payments/service/http/log/redact.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { type Kysely, sql } from 'kysely';

/** A change outside the engine, as its row of the audit names it. */
export interface AuditedWrite<Done> {
  readonly scope: string;
  readonly actor: Actor;
  readonly act: string;
  readonly record: (done: Done) => string | null;
  /** The Tenant whose row is locked first: of two changes at once the second sees the first. */
  readonly lock?: string;
  /** What it changes, as it was: the row then shows the fields that differ in what is done. */
  readonly before?: (tx: Kysely<Database>) => Promise<object>;
  /** False: its fields say nothing of a person, so that names in them are kept. */
  readonly isPersonal?: boolean | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields that differ, as they were and as they are. */
function changedFields(before: Fields, after: Fields): { before: Fields; after: Fields } {
  const names = Object.keys(after).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const picked = (of: Fields) => Object.fromEntries(names.map((name) => [name, of[name] ?? null]));
  return { before: picked(before), after: picked(after) };
}

/** The id of the first that has one. */
export const idIn = (...values: readonly object[]): string | null => {
  for (const value of values) if ('id' in value && typeof value.id === 'string') return value.id;
  return null;
};

/** Runs `work` and writes its row of the audit in one transaction (rules/audit#1). */
export async function auditedWrite<Done extends object>(
  { db, log }: Pick<Service, 'db' | 'log'>,
  { scope, actor, act, record, lock, before, isPersonal = true }: AuditedWrite<Done>,
  work: (tx: Kysely<Database>) => Promise<Done>,
): Promise<Done> {
  const { done, rows } = await ownTransaction(db, async (tx) => {
    if (lock)
      await sql`select 1 from tenants where tenant_id = ${lock} for no key update`.execute(tx);
    const was = await before?.(tx);
    const done = await work(tx);
    const changed = was
      ? changedFields(was as Fields, done as Fields)
      : { before: null, after: done };
    const entry = {
      scope,
      actor,
      act,
      record: record(done),
      outcome: 'done',
      before: redactedValue(changed.before, isPersonal),
      after: redactedValue(changed.after, isPersonal),
    };
    return { done, rows: await appendAudit(tx, [entry]) };
  });
  tellAudit(log, rows);
  return done;
}
