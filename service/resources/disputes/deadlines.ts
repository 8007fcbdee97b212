import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import { earlier } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import {
  type Deadlines,
  endOfBusinessDays,
  nextMorning,
  noticeBusinessDays,
} from './regulation_e.ts';
import type { DisputeRow } from './table.ts';

/** Jobs of a dispute's deadlines, each with the column of its time (rules/disputes#28). */
export const deadlineColumns = {
  dispute_credit: 'credit_due_at',
  dispute_result: 'result_due_at',
  dispute_credit_notice: 'credit_notice_due_at',
  dispute_correction: 'correction_due_at',
  dispute_result_notice: 'result_notice_due_at',
  dispute_reversal: 'reversal_due_at',
} as const;
export type DisputeJob = keyof typeof deadlineColumns;

/** Sets a deadline and its job. */
export function setJob(work: Work, dispute: DisputeRow, job: DisputeJob, at: Instant): void {
  work.change(dispute, { [deadlineColumns[job]]: at });
  work.scheduleJob(job, dispute.id, at);
}

/** Clears deadlines that were met or no longer matter, with their jobs. */
export function clearJob(work: Work, dispute: DisputeRow, ...jobs: DisputeJob[]): void {
  for (const job of jobs) {
    if (dispute[deadlineColumns[job]] !== null)
      work.change(dispute, { [deadlineColumns[job]]: null });
    work.cancelJob(job, dispute.id);
  }
}

/** Regulation E deadlines apply, from its own notice or a linked one. */
export const hasDeadlines = ({ result_due_at }: Pick<DisputeRow, 'result_due_at'>): boolean =>
  result_due_at !== null;

/**
 * Sets the deadlines of a notice; of two the earlier stands (rules/disputes#37). A dispute that was
 * credited needs no deadline for the credit.
 */
export function setDeadlines(work: Work, dispute: DisputeRow, { credit, result }: Deadlines): void {
  const first = (known: Instant | null, at: Instant) => (known === null ? at : earlier(known, at));
  if (dispute.provisional_credit_amount === null)
    setJob(work, dispute, 'dispute_credit', first(dispute.credit_due_at, credit));
  setJob(work, dispute, 'dispute_result', first(dispute.result_due_at, result));
}

/** After a credit: sets the deadline by which it must be reported (rules/disputes#26). */
export function scheduleCreditNotice(work: Work, dispute: DisputeRow): void {
  clearJob(work, dispute, 'dispute_credit');
  if (hasDeadlines(dispute)) {
    const at = endOfBusinessDays(work.now, noticeBusinessDays.credit);
    setJob(work, dispute, 'dispute_credit_notice', at);
  }
}

/** After a determination: sets the deadlines of its notice and of the award (rules/disputes#26). */
export function scheduleResultNotices(work: Work, dispute: DisputeRow): void {
  const isTimed = hasDeadlines(dispute);
  work.cancelJob('dispute_triage', dispute.id);
  clearJob(work, dispute, 'dispute_credit', 'dispute_result');
  if (!isTimed) return;
  const after = (days: number) => endOfBusinessDays(work.now, days);
  if ((dispute.award_cents ?? 0) > 0)
    setJob(work, dispute, 'dispute_correction', after(noticeBusinessDays.correction));
  setJob(work, dispute, 'dispute_result_notice', after(noticeBusinessDays.result));
}

/** A credit above the award is taken back after five business days (rules/disputes#30). */
export const scheduleReversal = (work: Work, dispute: DisputeRow): void =>
  setJob(
    work,
    dispute,
    'dispute_reversal',
    endOfBusinessDays(work.now, noticeBusinessDays.reversal),
  );

/** Triage of a new notice, on the next business day after its receipt here. */
export const scheduleTriage = (work: Work, dispute: DisputeRow): void =>
  work.scheduleJob('dispute_triage', dispute.id, nextMorning(work.now));
