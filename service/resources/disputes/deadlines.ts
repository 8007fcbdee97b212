import type { Instant } from '../../core/instant.ts';
import { earlier } from '../../core/instant.ts';
import type { Work } from '../../core/work.ts';
import {
  type Deadlines,
  endOfBusinessDays,
  nextMorning,
  noticeBusinessDays,
} from './regulation_e.ts';
import type { DisputeRow } from './table.ts';

/** jobs of a dispute, each with the column that says when (decisions 1.5). */
export const deadlineColumns = {
  dispute_credit: 'credit_due_at',
  dispute_result: 'result_due_at',
  dispute_credit_notice: 'credit_notice_due_at',
  dispute_correction: 'correction_due_at',
  dispute_result_notice: 'result_notice_due_at',
  dispute_reversal: 'reversal_due_at',
} as const;
export type DisputeJob = keyof typeof deadlineColumns;

/** Next business day, whatever the dispute (decisions 1.1, Dispute). */
export const triageDue = 'dispute_triage';
/** At once: what came of a refund, or of the first notice, ends a dispute. */
export const followDue = 'dispute_follow';
/** At once: a credit may have taken the reserve below zero. */
export const reserveDue = 'dispute_reserve';

/** Sets a deadline and its job. */
export function setJob(work: Work, dispute: DisputeRow, what: DisputeJob, at: Instant): void {
  work.change(dispute, { [deadlineColumns[what]]: at });
  work.scheduleJob(what, dispute.id, at);
}

/** Met, or no more to be met. */
export function clearJob(work: Work, dispute: DisputeRow, ...whats: DisputeJob[]): void {
  for (const what of whats) {
    if (dispute[deadlineColumns[what]] !== null)
      work.change(dispute, { [deadlineColumns[what]]: null });
    work.cancelJob(what, dispute.id);
  }
}

/** It runs by Regulation E: by its own notice, or by one that is linked to it. */
export const hasDeadlines = ({ result_due_at }: Pick<DisputeRow, 'result_due_at'>): boolean =>
  result_due_at !== null;

/**
 * The clock of a notice, which an earlier one may already run by: the earlier deadline stands
 * (decisions 1.5). What has been credited needs no deadline for it.
 */
export function setDeadlines(work: Work, dispute: DisputeRow, { credit, result }: Deadlines): void {
  const first = (known: Instant | null, at: Instant) => (known === null ? at : earlier(known, at));
  if (dispute.provisional_credit_amount === null)
    setJob(work, dispute, 'dispute_credit', first(dispute.credit_due_at, credit));
  setJob(work, dispute, 'dispute_result', first(dispute.result_due_at, result));
}

/** The customer is to be told of a credit, and given its use. */
export function credited(work: Work, dispute: DisputeRow): void {
  clearJob(work, dispute, 'dispute_credit');
  if (hasDeadlines(dispute)) {
    const at = endOfBusinessDays(work.now, noticeBusinessDays.credit);
    setJob(work, dispute, 'dispute_credit_notice', at);
  }
}

/** The determination is to be told, and what it awards to be with the customer. */
export function determined(work: Work, dispute: DisputeRow): void {
  const isTimed = hasDeadlines(dispute);
  work.cancelJob(triageDue, dispute.id);
  clearJob(work, dispute, 'dispute_credit', 'dispute_result');
  if (!isTimed) return;
  const after = (days: number) => endOfBusinessDays(work.now, days);
  if ((dispute.award_cents ?? 0) > 0)
    setJob(work, dispute, 'dispute_correction', after(noticeBusinessDays.correction));
  setJob(work, dispute, 'dispute_result_notice', after(noticeBusinessDays.result));
}

/** What was credited above the award is taken back once items have been honored for five days. */
export const awaitReversal = (work: Work, dispute: DisputeRow): void =>
  setJob(
    work,
    dispute,
    'dispute_reversal',
    endOfBusinessDays(work.now, noticeBusinessDays.reversal),
  );

/** Triage of a new notice, by its receipt here. */
export const awaitTriage = (work: Work, dispute: DisputeRow): void =>
  work.scheduleJob(triageDue, dispute.id, nextMorning(work.now));
