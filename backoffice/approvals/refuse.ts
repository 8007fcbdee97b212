import { command } from '@tenant-payments/engine/command.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { CaseCheck } from '../review/case_check.ts';
import { auditApproval } from './audit.ts';
import { approvalId, assertWaits, type Decision, end, isMaker, realNowOf } from './decide.ts';
import { readApproval } from './list.ts';
import { approvals } from './table.ts';
import { approvalView } from './view.ts';

/**
 * POST /portal/api/approvals/{id}/refuse: also by the maker, who so takes the request back.
 * @throws ApiError not_found; invalid_state when it no longer waits, or {reason: taken}
 */
export function refuseApproval(service: Pick<Service, 'db' | 'clocks'>, cases: CaseCheck) {
  return command('refuse_approval', {
    prepare: async (input: Decision, context) => {
      const { lapsed_by = null } = await readApproval(service, context.tenantId, approvalId(input));
      return { lapsed_by, names: await cases.prepare(context, 'approvals') };
    },
    load: async (read, input) => {
      const [row, found] = await Promise.all([
        read.one(approvals, approvalId(input)),
        cases.load(read, 'approvals', approvalId(input)),
      ]);
      return { row, found };
    },
    decide: (work, { row, found }, input, { names, lapsed_by }) => {
      const realNow = realNowOf(service);
      assertWaits({ ...row, lapsed_by }, realNow);
      if (!isMaker(work.actor, row)) cases.assert(work.actor, found, names);
      const refused = end(work, row, 'refused', input);
      auditApproval(work, 'refuseApproval', refused);
      return { value: approvalView(refused, realNow) };
    },
  });
}
