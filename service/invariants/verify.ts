import type pg from 'pg';
import type { Values } from '../core/entity.ts';
import { accountsChecks } from './accounts.ts';
import { type Check, subjectOf, type Violation, violationsShown } from './check.ts';
import { holdsChecks } from './holds.ts';
import { idempotencyChecks } from './idempotency.ts';
import { ledgerChecks } from './ledger.ts';
import { limitsChecks } from './limits.ts';
import { movementsChecks } from './movements.ts';
import { paymentsChecks } from './payments.ts';
import { progressChecks } from './progress.ts';
import { recordedResources } from './records.ts';
import { referenceChecks } from './references.ts';
import { type Ask, replay } from './replay.ts';
import { bookTables, scoped } from './scope.ts';
import { sessionsChecks } from './sessions.ts';
import { eventCounts, strayEvents, versionsChecks } from './versions.ts';
import { webhooksChecks } from './webhooks.ts';

export type { Violation } from './check.ts';

/** Every invariant that is a query. */
export const checks: readonly Check[] = [
  ...ledgerChecks,
  ...movementsChecks,
  ...holdsChecks,
  ...versionsChecks,
  ...progressChecks,
  ...paymentsChecks,
  ...sessionsChecks,
  ...accountsChecks,
  ...limitsChecks,
  ...idempotencyChecks,
  ...webhooksChecks,
  ...referenceChecks,
];

export interface Scope {
  /** One tenant's book alone. */
  readonly tenantId?: string;
}

export interface Verification {
  readonly ok: boolean;
  /** Rows of the book that were looked at: a book without any proves nothing. */
  readonly checked: number;
  /** At most 20 of each invariant. */
  readonly violations: readonly Violation[];
}

/** A whole book may take longer than any other query, but not for ever. */
const deadlineMs = 600_000;

const rowsOfTheBook = `select ${bookTables
  .map((table) => `(select count(*) from ${table})`)
  .join(' + ')} as checked`;

/** Runs all checks in the transaction that the client is in; for tests that corrupt a book in one. */
export async function inspectBook(client: pg.ClientBase, scope: Scope = {}): Promise<Verification> {
  const tenantId = scope.tenantId ?? null;
  const violations: Violation[] = [];
  const told = new Map<string, number>();
  const report = (violation: Violation) => {
    const before = told.get(violation.invariant) ?? 0;
    told.set(violation.invariant, before + 1);
    if (before < violationsShown) violations.push(violation);
  };
  const ask: Ask = async (text, values) => {
    const query = { text, values, query_timeout: deadlineMs };
    return (await client.query<Values>(query)).rows;
  };
  const inScope = (sql: string) => ask(scoped(sql, tenantId !== null), tenantId ? [tenantId] : []);

  async function run({ name, sql }: Check): Promise<void> {
    for (const row of await inScope(`select * from (${sql}) found limit ${violationsShown}`))
      report({
        invariant: name,
        tenant_id: String(row.tenant_id),
        subject: subjectOf(String(row.kind), String(row.id)),
        message: String(row.message),
      });
  }

  for (const check of checks) await run(check);
  const counts = await inScope(eventCounts);
  for (const recorded of recordedResources) {
    const events = await replay(ask, recorded, tenantId, report);
    const all = counts.find(({ resource }) => resource === recorded.resource)?.events ?? 0;
    if (Number(all) !== events) await run(strayEvents(recorded));
  }
  const [sum] = await inScope(rowsOfTheBook);
  return { ok: violations.length === 0, checked: Number(sum?.checked), violations };
}

/**
 * Checks the whole book, or one tenant's, against the invariants of decisions 2.3, in one snapshot
 * and without writing: a role that may only read runs it too. A book of a test takes 0.1 s, a
 * million entries take seconds.
 * @throws what the database throws; violations are returned
 */
export async function verifyLedger(pool: pg.Pool, scope: Scope = {}): Promise<Verification> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query(`set local statement_timeout = ${deadlineMs}; set local work_mem = '64MB'`);
    const verification = await inspectBook(client, scope);
    await client.query('commit');
    return verification;
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    // A client whose transaction is still open is not given back.
    client.release(failure);
  }
}
