import { actorName } from '../../core/actor.ts';
import { command } from '../../core/command.ts';
import { reviewAct } from '../../people/audit/acts.ts';
import { actOf, isNeeded, needed } from '../approvals/acts.ts';
import { loadSubject } from '../approvals/subject.ts';
import { type AskedMove, auditedFields, prepareMove, writeReview } from './made.ts';
import type { ReviewTable } from './moves.ts';

/** Whether some moves need a second person here. */
interface Rule {
  readonly approvals: boolean;
}

/**
 * POST /portal/api/review/{resource}/{id}/{move}: runs the move's command and writes in its
 * transaction who made it, when and why (rules/review#2).
 * @throws ApiError not_found for an unknown resource, move or record; invalid_state when the move is
 *   not possible from the record's status, or {reason: approval_required}; all that the command
 *   throws
 */
export const reviewRecord = (table: ReviewTable, { approvals }: Rule) =>
  command('review', {
    prepare: (input: AskedMove, context) => prepareMove(table, input, context),
    load: async (read, input, { made, given, prepared }) => {
      const act = approvals ? actOf(input) : null;
      const [subject, loaded] = await Promise.all([
        act && loadSubject(read, input.resource, given),
        made.command.load(read, given, prepared),
      ]);
      return { act, subject, loaded };
    },
    decide: (work, { act, subject, loaded }, input, { made, given, prepared }) => {
      if (act && subject && isNeeded(act, subject)) throw needed(subject);
      const answer = made.command.decide(work, loaded, given, prepared);
      writeReview(work, input, given, { operator: actorName(work.actor), approvalId: null });
      work.audit({
        act: reviewAct(input.resource, input.move),
        record: input.id,
        after: auditedFields(input, given),
      });
      return answer;
    },
  });
