import { command } from '../../core/command.ts';
import type { Service } from '../../service.ts';
import { auditApproval } from './audit.ts';
import { approvalId, assertWaits, type Decision, end, realNowOf } from './decide.ts';
import { approvals } from './table.ts';
import { approvalView } from './view.ts';

/**
 * POST /portal/api/approvals/{id}/refuse: also by the maker, who so takes the request back.
 * @throws ApiError not_found; invalid_state when it no longer waits
 */
export const refuseApproval = (service: Pick<Service, 'clocks'>) =>
  command('refuse_approval', {
    load: async (read, input: Decision) => read.one(approvals, approvalId(input)),
    decide: (work, row, input) => {
      const realNow = realNowOf(service);
      assertWaits(row, realNow);
      const refused = end(work, row, 'refused', input);
      auditApproval(work, 'refuseApproval', refused);
      return { value: approvalView(refused, realNow) };
    },
  });
