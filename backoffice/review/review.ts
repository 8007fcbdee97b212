import { actorName } from '@tenant-payments/engine/actor.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { reviewAct } from '../audit/acts.ts';
import type { CaseCheck } from './case_check.ts';
import { assertMayMake } from './move_act.ts';
import type { ReviewTable } from './moves.ts';
import {
  type AskedMove,
  assertNoted,
  auditedFields,
  prepareMove,
  writeReview,
} from './reviewed_move.ts';

/**
 * POST /portal/api/review/{resource}/{id}/{move}: runs the move's command and writes in its
 * transaction who made it, when and why (rules/review#2).
 * @throws ApiError not_found for an unknown resource, move or record; invalid_state when the move is
 *   not possible from the record's status, or {reason: approval_required}, {reason: taken}; all that the
 *   command throws; forbidden for a move of an admin
 */
export function reviewRecord(table: ReviewTable, cases: CaseCheck) {
  return command('review', {
    prepare: async (input: AskedMove, context) => {
      const ready = await prepareMove(table, input, context);
      assertNoted(input, ready.made);
      return { ...ready, names: await cases.prepare(context, input.resource) };
    },
    load: async (read, input, { made, given, prepared }) => {
      const [found, loaded] = await Promise.all([
        cases.load(read, input.resource, given.id),
        made.command.load(read, given, prepared),
      ]);
      return { found, loaded };
    },
    decide: (work, { found, loaded }, input, { made, given, prepared, names }) => {
      assertMayMake(work.actor, input);
      cases.assert(work.actor, found, names);
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
}
