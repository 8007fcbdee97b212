import { sql } from 'kysely';

const deadlines = [
  'credit_due_at',
  'result_due_at',
  'credit_notice_due_at',
  'correction_due_at',
  'result_notice_due_at',
  'reversal_due_at',
] as const;

/** SQL: the first open deadline of a dispute, a row of this name (rules/disputes#44); null: it has none. */
export const firstDeadline = (row: string) =>
  sql`least(${sql.join(deadlines.map((name) => sql.ref(`${row}.${name}`)))})`;
