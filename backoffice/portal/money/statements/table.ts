import { column, orNull, table } from '@tenant-payments/engine/table.ts';

/** The bank's files as they were uploaded: a Tenant's, or those of the pooled account, which are the platform's. */
export const bankStatements = table({
  name: 'control.bank_statements',
  key: ['id'],
  unique: { file: ['sha256'] },
  frozen: [
    'day',
    'file_name',
    'sha256',
    'line_count',
    'total',
    'closing_balance',
    'uploader',
    'uploaded_at',
  ],
  columns: {
    id: column.uuid,
    day: column.date,
    file_name: column.text,
    sha256: column.text,
    line_count: column.integer,
    total: column.cents,
    closing_balance: orNull(column.cents),
    uploader: column.text,
    /** The time of the upload, in real time. */
    uploaded_at: column.instant,
  },
  audited: ({ id, day, sha256, line_count: lines, total, closing_balance }) => ({
    id,
    day,
    sha256,
    lines,
    total,
    closing_balance,
  }),
});

/** The findings of staff about differences of a statement; a note is never changed (rules/money-desk#14). */
export const bankStatementNotes = table({
  name: 'control.bank_statement_notes',
  key: ['id'],
  frozen: ['statement_id', 'difference', 'note', 'cleared', 'author', 'created_at'],
  columns: {
    id: column.uuid,
    statement_id: column.uuid,
    /** The difference as the comparison names it. */
    difference: column.text,
    note: column.text,
    cleared: column.boolean,
    author: column.text,
    /** The time of the note, in real time. */
    created_at: column.instant,
  },
  audited: ({ statement_id, difference, cleared }) => ({ statement_id, difference, cleared }),
});

/** The lines of a statement; the audit shows the statement. */
export const bankStatementLines = table({
  name: 'control.bank_statement_lines',
  key: ['statement_id', 'line'],
  frozen: ['amount', 'reference', 'description'],
  columns: {
    statement_id: column.uuid,
    line: column.integer,
    amount: column.cents,
    reference: orNull(column.text),
    description: orNull(column.text),
  },
});
