import { TermPiece } from '@tenant-payments/contract/core/consumer_terms.ts';
import { jsonColumn } from '@tenant-payments/engine/stored_json.ts';
import { column, orNull, type RowOf, table } from '@tenant-payments/engine/table.ts';
import Type from 'typebox';

/** Terms of consumers that one change of settings makes worse (rules/documents#28). */
export const termChanges = table({
  name: 'term_changes',
  key: ['id'],
  frozen: ['pieces', 'reason', 'consumers', 'created_at'],
  columns: {
    id: column.uuid,
    /** JSON of the terms, before and after. */
    pieces: column.text,
    /** A reason of security, for which it holds at once; null: it waits for its day. */
    reason: orNull(column.text),
    /** How many are told. */
    consumers: column.integer,
    effective_at: column.instant,
    /** Consumers have been told up to this one, in the order of ids; null: a round begins. */
    told_to: orNull(column.uuid),
    /** When a notice to each had been written. Each has its own time of sending. */
    told_at: orNull(column.instant),
    /** When it began to hold; null: it waits. */
    ended_at: orNull(column.instant),
    created_at: column.instant,
  },
});
export type TermChangeRow = RowOf<typeof termChanges>;

export const termPieces = jsonColumn('term_changes.pieces', 'text', Type.Array(TermPiece));

/** The change for which a term waits. Another setting of the same term takes its place. */
export const waitingTerms = table({
  name: 'waiting_terms',
  key: ['field'],
  sets: ['all'],
  columns: {
    field: column.text,
    change_id: orNull(column.uuid),
  },
});
export type WaitingTermRow = RowOf<typeof waitingTerms>;
