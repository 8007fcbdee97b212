import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { type RawBuilder, sql } from 'kysely';
import { sendNotice } from '../customers/notices/send.ts';
import { type NoticeRow, notices } from '../customers/notices/table.ts';
import { type DisputeRow, isLiabilityLimited, isReasserted } from './table.ts';

/** When a dispute's customer is written to; which letter it is follows from the dispute. */
export type LetterMoment = 'receipt' | 'credit' | 'result';

/** Writes to the customer of a dispute, once this command has committed (rules/disputes#26). */
export const writeTo = (
  work: Work,
  { id, customer_id }: DisputeRow,
  detail: LetterMoment,
): string =>
  sendNotice(work, { customerId: customer_id, kind: 'dispute_letter', detail, sourceId: id });

/** At its receipt a notice that came late, or that was answered before, is answered by a letter of its own. */
export function writeAtReceipt(work: Work, dispute: DisputeRow): void {
  const isLate = isLiabilityLimited(dispute) && dispute.notice_late_days > 0;
  if (isLate || isReasserted(dispute)) writeTo(work, dispute, 'receipt');
}

/** The letters to the customer of a dispute. */
export const readLetters = (read: Read, disputeId: string): Promise<readonly NoticeRow[]> =>
  read.set(notices, 'source_id', disputeId);

/** Whether the customer was told the result, by mail or by a person. Before 1.1 no letter was sent, and none is awaited. */
export const resultIsTold = (letters: readonly NoticeRow[]): boolean =>
  letters
    .filter(({ detail }) => detail === 'result')
    .every(({ status }) => status === 'sent' || status === 'done');

/** SQL: no letter of this moment was sent to the customer of the dispute `d`. */
export const isUnsent = (moment: LetterMoment): RawBuilder<unknown> => sql`not exists (
  select from notices n where n.tenant_id = d.tenant_id and n.source_id = d.id
    and n.detail = ${moment} and n.status in ('sent', 'done'))`;
