import { publicId } from '@tenant-payments/contract/core/ids.ts';
import {
  type Notice,
  noticeKinds,
  noticeStatuses,
  noticeTaskReasons,
} from '@tenant-payments/contract/resources/notices.ts';
import { column, orNull, type RowOf, table, words } from '@tenant-payments/engine/table.ts';

/** Notices, each with the message of the same id, whose row says how it went (rules/messages#9). */
export const notices = table({
  name: 'notices',
  key: ['id'],
  sets: ['source_id'],
  frozen: ['customer_id', 'kind', 'detail', 'source_id', 'created_at'],
  columns: {
    id: column.uuid,
    customer_id: column.uuid,
    kind: words(noticeKinds),
    /** The notice within its kind: of a dispute, the letter. */
    detail: orNull(column.text),
    /** The record that it is about. */
    source_id: column.uuid,
    status: words(noticeStatuses),
    /** The notice as it was sent, and the address, sealed; null: it was not sent yet, or is not kept any more. */
    rendered_sealed: orNull(column.text),
    address_sealed: orNull(column.text),
    /** When it was given: handed to the provider of mail, or sent by a person. Its clocks run from here. */
    sent_at: orNull(column.instant),
    /** The time from which a person must give it, and the reason. */
    task_at: orNull(column.instant),
    task_reason: orNull(words(noticeTaskReasons)),
    /** How a person gave it. */
    done_at: orNull(column.instant),
    done_by: orNull(column.text),
    done_note: orNull(column.text),
    created_at: column.instant,
    /** Null: it is not kept any more. */
    kept_until: orNull(column.instant),
  },
});
export type NoticeRow = RowOf<typeof notices>;

const sources = { dispute_letter: 'dispute', statement_ready: 'statement' } as const;

/** The notice as the reviewer sees it. */
export const noticeView = (row: NoticeRow): Notice => ({
  object: 'notice',
  id: publicId('notice', row.id),
  customer_id: publicId('customer', row.customer_id),
  kind: row.kind,
  detail: row.detail,
  source_id: row.kind === 'terms_changed' ? null : publicId(sources[row.kind], row.source_id),
  status: row.status,
  task_reason: row.task_reason,
  created_at: row.created_at,
  sent_at: row.sent_at,
  task_at: row.task_at,
  done_at: row.done_at,
  done_note: row.done_note,
});

/** The place that words and address of a notice are sealed for. */
export const noticeSeal = (id: string): string => `notice ${id}`;
