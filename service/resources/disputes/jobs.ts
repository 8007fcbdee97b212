import { command } from '@tenant-payments/engine/command.ts';
import { type Case, loadCase, remainingOf } from './case.ts';
import { clearJob, scheduleReversal } from './deadlines.ts';
import { readLetters, resultIsTold } from './letters.ts';
import { investigate } from './moves.ts';
import { endLinkedDispute, finishDispute, resolve } from './resolve.ts';
import { disputes, isUnresolved } from './table.ts';

/** Job `dispute_triage`, on the next business day: begins the investigation if no reviewer did. */
export const triageJob = command('dispute_triage', {
  load: (read, { ref }: { ref: string }) => read.one(disputes, ref),
  decide: (work, dispute, { ref }) => {
    if (dispute.status === 'received') investigate(work, dispute);
    else work.cancelJob('dispute_triage', ref);
    return { value: null };
  },
});

/** Refunds alone, and no earlier credit, cover what is disputed. */
function isRefunded(rows: Case): boolean {
  const { dispute, payment } = rows;
  if (!payment || remainingOf(rows) !== 0) return false;
  return dispute.disputed_cents !== 0 || payment.disputed_cents === 0;
}

/**
 * Job `dispute_follow`, at once: ends a dispute whose amount was refunded, or a linked notice whose
 * first has resolved (rules/disputes#20).
 */
export const followJob = command('dispute_follow', {
  load: async (read, { ref }: { ref: string }) => {
    const rows = await loadCase(read, ref);
    return { rows, first: await read.maybe(disputes, rows.dispute.linked_to) };
  },
  decide: (work, { rows, first }, { ref }) => {
    work.cancelJob('dispute_follow', ref);
    const { dispute } = rows;
    if (first) endLinkedDispute(work, dispute, first);
    else if (isUnresolved(dispute) && isRefunded(rows)) resolve(work, rows, 'resolve_refunded', 0);
    return { value: null };
  },
});

/** Job `dispute_reversal`: five business days after the notice of denial. */
export const reversalJob = command('dispute_reversal', {
  load: async (read, { ref }: { ref: string }) => ({
    rows: await loadCase(read, ref),
    letters: await readLetters(read, ref),
  }),
  decide: (work, { rows, letters }, { ref }) => {
    const isTold = resultIsTold(letters);
    // Nothing is taken back before the customer was told so: five business days run from then.
    if (rows.dispute.status === 'resolved' && !isTold) scheduleReversal(work, rows.dispute);
    else if (rows.dispute.status === 'resolved')
      finishDispute.decide(work, rows, { id: ref }, undefined);
    else clearJob(work, rows.dispute, 'dispute_reversal');
    return { value: null };
  },
});
