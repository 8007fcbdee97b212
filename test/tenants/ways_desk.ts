import type { Base } from '../contract/cases/bases.ts';
import type { TenantRecords } from './records.ts';

/** How a Tenant names its own cases of the reviewers' desk, and requests for a second person. */

interface Way {
  readonly name: string;
  readonly make: (own: TenantRecords) => Base;
}

const way = (name: string, make: Way['make']): Way => ({ name, make });
const base = (make: Way['make']): readonly Way[] => [way('base', make)];

export const deskWays: Readonly<Record<string, readonly Way[]>> = {
  // A program takes nothing: its own record is refused otherwise than none.
  listDesk: base(({ tenant }) => ({ query: { tenant_id: tenant.tenantId, limit: '1' } })),
  listCustomerCases: base(({ payer }) => ({ params: { id: payer.customerId } })),
  getCase: base(({ inReview }) => ({ params: { resource: 'customers', id: inReview } })),
  takeCase: base(({ inReview }) => ({ params: { resource: 'customers', id: inReview }, body: {} })),
  releaseCase: base(({ inReview }) => ({ params: { resource: 'customers', id: inReview } })),
  getIdentity: base(({ inReview }) => ({ params: { resource: 'customers', id: inReview } })),
  openIdentity: base(({ inReview }) => ({ params: { resource: 'customers', id: inReview } })),
  openIdentityDocument: base(({ inReview, documentId: document_id }) => ({
    params: { resource: 'customers', id: inReview, document_id },
  })),
  addCaseNote: base(({ inReview }) => ({
    params: { resource: 'customers', id: inReview },
    body: { text: 'own' },
  })),
  previewMove: base(({ suspenseId, payer }) => ({
    params: { resource: 'suspense', id: suspenseId },
    body: { move: 'match', account_id: payer.accountId },
  })),
  createApproval: [
    way('into the reserve', () => ({
      body: { resource: 'reserve', id: 'reserve', move: 'fund', amount: 1_00, note: 'own' },
    })),
    way('to an account', ({ suspenseId, payer }) => ({
      body: {
        resource: 'suspense',
        id: suspenseId,
        move: 'match',
        note: 'own',
        account_id: payer.accountId,
      },
    })),
  ],
  listDisputeBoard: base(({ tenant }) => ({ query: { tenant_id: tenant.tenantId } })),
  getPlatformAttention: base(() => ({})),
  getDeskSummary: base(() => ({})),
  getOperations: base(() => ({})),
  listAlarms: base(({ tenant }) => ({ query: { tenant_id: tenant.tenantId } })),
  countAlarms: base(() => ({})),
  acknowledgeAlarm: base(({ alarmId }) => ({ params: { id: alarmId }, body: { note: 'own' } })),
  listTenantProofs: base(({ tenant }) => ({ query: { tenant_id: tenant.tenantId } })),
  listUnmatchedMoney: base(({ tenant }) => ({ query: { tenant_id: tenant.tenantId } })),
  getUnmatchedMoney: base(({ suspenseId }) => ({ params: { id: suspenseId } })),
  getNotice: base(({ noticeId }) => ({ params: { id: noticeId } })),
  listRailMessages: base(({ tenant }) => ({ query: { tenant_id: tenant.tenantId } })),
  getRailMessage: base(({ railMessage }) => ({ params: railMessage })),
  replayRailMessage: base(({ railMessage }) => ({ params: railMessage })),
  closeRailMessage: base(({ railMessage }) => ({ params: railMessage, body: { reason: 'own' } })),
  listReserves: base(({ tenant }) => ({ query: { tenant_id: tenant.tenantId } })),
  listFeeSweeps: base(({ tenant }) => ({ query: { tenant_id: tenant.tenantId } })),
  listAdjustments: base(({ tenant }) => ({ query: { tenant_id: tenant.tenantId } })),
  listOwnBankAccounts: base(() => ({})),
  getRequestVolumes: base(() => ({})),
  proposeBankAccount: base(() => ({
    params: { id: 'fbo' },
    body: {
      title: 'own',
      account_type: 'checking',
      routing_number: '021000021',
      account_number: '000123456789',
    },
  })),
  putBankAccountInForce: base(() => ({ params: { id: 'fbo' } })),
  listBankStatements: base(({ tenant }) => ({ query: { tenant_id: tenant.tenantId } })),
  compareBankStatement: base(({ bankStatementId }) => ({ params: { id: bankStatementId } })),
  noteBankDifference: base(({ bankStatementId }) => ({
    params: { id: bankStatementId },
    body: { difference: 'line 2', note: 'own', cleared: false },
  })),
  getSandboxBankStatement: base(({ tenant }) => ({
    query: { tenant_id: tenant.tenantId, day: '2026-03-02' },
  })),
  uploadBankStatement: base(({ tenant }) => ({
    body: {
      tenant_id: tenant.tenantId,
      day: '2026-03-02',
      file_name: 'own.csv',
      csv: 'date,amount,reference\n2026-03-02,2.00,y',
    },
  })),
  beginApprovalConsent: base(({ approvalId }) => ({ params: { id: approvalId } })),
  approveApproval: base(({ approvalId }) => ({ params: { id: approvalId } })),
  refuseApproval: base(({ approvalId }) => ({ params: { id: approvalId } })),
};
