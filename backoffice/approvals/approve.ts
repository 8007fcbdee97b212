import { actorName } from '@tenant-payments/engine/actor.ts';
import { command } from '@tenant-payments/engine/command.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { CaseCheck } from '../review/case_check.ts';
import type { MoveTable } from '../review/move.ts';
import { prepareMove, writeReview } from '../review/reviewed_move.ts';
import { isReview } from './acts.ts';
import { auditApproval } from './audit.ts';
import { count, loadSums, passesCap, type Sums } from './cap.ts';
import {
  approvalId,
  assertApprovable,
  assertUnchanged,
  type Decision,
  end,
  realNowOf,
} from './decide.ts';
import { watch } from './effect.ts';
import { loadApprover } from './independence.ts';
import { loadLapsedBy } from './lapsed.ts';
import { readApproval } from './list.ts';
import { loadSubject } from './subject.ts';
import { type ApprovalRow, approvals } from './table.ts';
import { approvalView, askedOf } from './view.ts';

/** The first of two admins: the request waits for the second. */
const first = (work: Work, row: ApprovalRow, realNow: Instant): ApprovalRow =>
  work.change<typeof approvals>(row, {
    first_approver: actorName(work.actor),
    first_person: work.actor.personId,
    first_approved_at: realNow,
  });

function countIt(work: Work, sums: Sums, { amount }: ApprovalRow): void {
  if (amount !== null) count(work, sums, amount);
}

/**
 * POST /portal/api/approvals/{id}/approve: makes the move and ends the request in one transaction
 * (rules/approvals#7).
 * @throws ApiError not_found; forbidden; invalid_state when it no longer waits, or {reason:
 *   changed_since}, {reason: taken}; all that the move throws
 */
export function approveApproval(
  service: Pick<Service, 'db' | 'clocks' | 'config'>,
  table: MoveTable,
  cases: CaseCheck,
) {
  return command('approve', {
    judgesItself: true,
    prepare: async (input: Decision, context) => {
      // What was asked for never changes; the batch reads the row again.
      const request = await readApproval(service, context.tenantId, approvalId(input));
      const asked = askedOf(request);
      const names = await cases.prepare(context, 'approvals');
      const ready = await prepareMove(table, asked, context);
      const { tenantId, actor } = context;
      return { asked, names, ready, tenantId, actor };
    },
    load: async (read, input, { asked, actor, ready: { made, given, prepared } }) => {
      const row = await read.one(approvals, approvalId(input));
      const [lapsed_by, approver, found, sums, subject, loaded] = await Promise.all([
        loadLapsedBy(read, row),
        loadApprover(read, service, actor),
        cases.load(read, 'approvals', approvalId(input)),
        loadSums(read),
        loadSubject(read, asked.resource, given),
        made.command.load(read, given, prepared),
      ]);
      return { row, lapsed_by, approver, found, sums, subject, loaded };
    },
    decide: (work, { row, lapsed_by, approver, found, sums, subject, loaded }, input, prepared) => {
      const { asked, names, ready, tenantId } = prepared;
      const { made, given } = ready;
      const realNow = realNowOf(service);
      const isAboveCap = row.amount !== null && passesCap(work, sums, row.amount);
      const by = { realNow, approver, tenantId, isAboveCap };
      assertApprovable(work, { ...row, lapsed_by }, by);
      cases.assert(work.actor, found, names);
      const facts = subject.facts();
      const make = (): ApprovalRow => {
        const watched = watch(work);
        made.command.decide(watched.work, loaded, given, ready.prepared);
        assertUnchanged({ facts, effect: watched.effect() }, row);
        countIt(work, sums, row);
        if (isReview(asked))
          writeReview(work, asked, given, { operator: row.maker, approvalId: row.id });
        return end(work, row, 'approved', input);
      };
      const done = isAboveCap && row.first_approver === null ? first(work, row, realNow) : make();
      auditApproval(work, 'approveApproval', done);
      return { value: approvalView(done, realNow) };
    },
  });
}
