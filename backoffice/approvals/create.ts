import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { type Actor, actorName } from '@tenant-payments/engine/actor.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { addSeconds, type Instant, instantOf } from '@tenant-payments/engine/time/instant.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { approvalDays, type createApproval as contract } from '../contract/operate/approvals.ts';
import type { CaseCheck } from '../review/case_check.ts';
import type { MoveTable } from '../review/move.ts';
import { actOf, assertRole } from '../review/move_act.ts';
import { type AskedMove, prepareMove, reviewFields } from '../review/reviewed_move.ts';
import { auditApproval } from './audit.ts';
import { preview } from './preview.ts';
import { DryRun, type Seen, seenColumn } from './seen.ts';
import { approvalBody, approvals } from './table.ts';
import { approvalView } from './view.ts';

/** The fields of the move that are given, as they are kept. */
const bodyOf = (asked: AskedMove): string =>
  approvalBody.text(
    Object.fromEntries(
      reviewFields.flatMap((name) => ((asked[name] ?? null) === null ? [] : [[name, asked[name]]])),
    ),
  );

interface MadeOf {
  readonly seen: Seen;
  readonly now: Instant;
  readonly realNow: Instant;
}

/** A request that nobody has decided, of a Tenant or of the platform. */
export const newRequest = (
  actor: Actor,
  { resource, id, move, note }: { resource: string; id: string; move: string; note: string },
  { seen, now, realNow }: MadeOf,
) =>
  ({
    status: 'waiting',
    resource,
    record_id: id,
    move,
    note,
    seen: seenColumn.text(seen),
    maker: actorName(actor),
    maker_person: actor.personId,
    created_at: now,
    lapses_at: addSeconds(realNow, approvalDays * 86_400),
    decider: null,
    decision_note: null,
    decided_at: null,
  }) as const;

const notNeeded = () =>
  fail('invalid_state', {
    details: { current_status: null, allowed: [], reason: 'approval_not_required' },
    message: 'one person is enough for this move',
  });

type Parts = Pick<Service, 'db' | 'engine' | 'clocks'>;

/**
 * POST /portal/api/approvals: asks a second person (rules/approvals#4). The effect is computed before
 * the batch; an approval compares what it does with what was seen here.
 * @throws ApiError forbidden; invalid_state {reason: approval_not_required}, {reason: taken}; all that
 *   the move throws
 */
export function createApproval(service: Parts, table: MoveTable, cases: CaseCheck) {
  return command('create_approval', {
    prepare: async (input: BodyOf<typeof contract>, context) => {
      const ready = await prepareMove(table, input, context);
      return {
        id: ready.given.id,
        found: await preview(service, input, ready, context),
        names: await cases.prepare(context, input.resource),
        realNow: instantOf(service.clocks.realNow()),
      };
    },
    load: (read, input, { id }) => cases.load(read, input.resource, id),
    decide: (work, loaded, input, { found, names, realNow }) => {
      const act = actOf(input);
      if (!act) throw notNeeded();
      assertRole(work.actor, act.may);
      cases.assert(work.actor, loaded, names);
      // Here and not in `prepare`, so that a replay is not refused.
      if (!(found instanceof DryRun)) throw found;
      const { seen, verdict } = found;
      // A smaller change of settings may be asked for too (rules/approvals#11).
      if (!verdict.isNeeded && input.resource !== 'settings') throw notNeeded();
      const row = work.create(approvals, {
        ...newRequest(work.actor, input, { seen, now: work.now, realNow }),
        id: work.newId(),
        body: bodyOf(input),
        amount: verdict.moved > 0 ? verdict.moved : null,
        first_approver: null,
        first_person: null,
        first_approved_at: null,
      });
      auditApproval(work, 'createApproval', row);
      return { value: approvalView(row, realNow) };
    },
  });
}
