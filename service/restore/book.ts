import { publicId } from '@tenant-payments/contract/core/ids.ts';
import type { MoneySource } from '@tenant-payments/contract/resources/bank_messages.ts';
import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import type { BankOutcome } from '../rails/facts.ts';

/** The bank's word on an order, from its port or from a file. */
export interface BankLine {
  readonly id: string;
  /** Null: the file does not say. */
  readonly tenantId: string | null;
  readonly amount: number | null;
  readonly outcome: BankOutcome | null;
}

/**
 * The standing here of an order in the bank's book. `missing`: nothing is known of it, its record was lost. `behind`:
 * its record waits for what the bank says. `waiting`: both wait. `ended`: its record has ended. `settled`: it is
 * missing, and people have settled it.
 */
export type Standing = 'missing' | 'behind' | 'waiting' | 'ended' | 'settled';

export interface ComparedOrder extends BankLine {
  readonly standing: Standing;
  /** The record by its public id, and its status; null: missing. */
  readonly record: string | null;
  readonly status: string | null;
}

interface Known {
  readonly tenant_id: string;
  readonly id: string;
  readonly source_type: MoneySource;
  readonly source_id: string;
  readonly status: string | null;
}

const tables = [
  ['load', 'loads', 'status'],
  ['payment', 'payments', 'status'],
  ['withdrawal', 'withdrawals', 'status'],
  ['refund', 'refunds', 'status'],
  ['dispute', 'disputes', 'credit_route'],
] as const satisfies readonly (readonly [Exclude<MoneySource, 'adjustment'>, string, string])[];

const statuses = tables.map(([type, , column]) => `${type}_.${column}::text`).join(', ');
const joins = tables
  .map(
    ([type, table]) => `left join ${table} ${type}_ on i.source_type = '${type}'
      and ${type}_.tenant_id = i.tenant_id and ${type}_.id = i.source_id`,
  )
  .join('\n');

const knownSql = `select i.tenant_id, i.id, i.source_type, i.source_id, coalesce(${statuses}, i.answer, 'sent') as status
  from unnest($1::uuid[]) k(id) join instructions i on i.id = k.id ${joins}`;

/** The statuses of a record that waits for its bank. */
const waiting = new Set(['processing', 'sent']);

/** Holds lines of the bank against the orders of this cell. */
export async function compareBook(
  db: Queryable,
  lines: readonly BankLine[],
): Promise<readonly ComparedOrder[]> {
  const { rows } = await db.query<Known>(knownSql, [lines.map(({ id }) => id)]);
  const known = new Map(rows.map((row) => [row.id, row]));
  return lines.map((line) => {
    const found = known.get(line.id);
    if (!found) return { ...line, standing: 'missing', record: null, status: null };
    const waits = waiting.has(found.status ?? '');
    return {
      ...line,
      tenantId: found.tenant_id,
      standing: !waits ? 'ended' : line.outcome === null ? 'waiting' : 'behind',
      record: publicId(found.source_type, found.source_id),
      status: found.status,
    };
  });
}
