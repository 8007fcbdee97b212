import type { Base } from '../contract/cases/bases.ts';
import type { TenantRecords } from './records.ts';

/** How a Tenant names its own cases of the reviewers' desk. */

interface Way {
  readonly name: string;
  readonly make: (own: TenantRecords) => Base;
}

const base = (make: Way['make']): readonly Way[] => [{ name: 'base', make }];

export const deskWays: Readonly<Record<string, readonly Way[]>> = {
  // A program takes nothing: its own record is refused otherwise than none.
  listDesk: base(({ tenant }) => ({ query: { tenant_id: tenant.tenantId, limit: '1' } })),
  getCase: base(({ inReview }) => ({ params: { resource: 'customers', id: inReview } })),
  takeCase: base(({ inReview }) => ({ params: { resource: 'customers', id: inReview }, body: {} })),
  releaseCase: base(({ inReview }) => ({ params: { resource: 'customers', id: inReview } })),
  addCaseNote: base(({ inReview }) => ({
    params: { resource: 'customers', id: inReview },
    body: { text: 'own' },
  })),
  previewMove: base(({ suspenseId, payer }) => ({
    params: { resource: 'suspense', id: suspenseId },
    body: { move: 'match', account_id: payer.accountId },
  })),
};
