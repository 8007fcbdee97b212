import { publicId } from '@tenant-payments/contract/core/ids.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import type { AuditAct } from '@tenant-payments/engine/write/flush_audit.ts';
import type { PortalEndpointId } from '../contract/catalog.ts';
import { auditedAs } from './acts.ts';
import type { ApprovalRow } from './table.ts';

/** The audit's row of a request: the act that it is about, and both people (rules/approvals#10). */
export const auditedApproval = (act: PortalEndpointId, row: ApprovalRow): AuditAct => ({
  act,
  record: publicId('approval', row.id),
  after: {
    status: row.status,
    act: auditedAs(row),
    record: row.record_id,
    amount: row.amount,
    maker: row.maker,
    first_approver: row.first_approver,
  },
});

export const auditApproval = (work: Work, act: PortalEndpointId, row: ApprovalRow): void =>
  work.audit(auditedApproval(act, row));
