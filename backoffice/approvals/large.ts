import type { Service } from '@tenant-payments/service/service.ts';
import { type Approval, largeApproval } from '../contract/operate/approvals.ts';

/** Raises the alarm of an act that is approved and moves much at once (rules/approvals#24). */
export const tellLarge =
  ({ log }: Pick<Service, 'log'>) =>
  (tenantId: string, body: string): void => {
    const { id, status, amount }: Approval = JSON.parse(body);
    if (status !== 'approved' || amount === null || amount <= largeApproval) return;
    log.warn(
      { alarm: 'large_approval', tenant_id: tenantId, id, amount },
      'an approved act moves more than is usual at once',
    );
  };
