import { openCaseCheck } from '@tenant-payments/backoffice/desk/case_holder.ts';
import { openAskedMoves } from '../../backoffice/approvals/acts.ts';
import { createApproval } from '../../backoffice/approvals/create.ts';
import type { Approval } from '../../backoffice/contract/operate/approvals.ts';
import { verifyLedger } from '../../service/invariants/verify.ts';
import type { Deployment } from './deployment.ts';
import { Fault } from './fault.ts';
import { submitted } from './submit.ts';
import { findTenant, type OfTenant } from './tenant.ts';

interface Acknowledging extends OfTenant {
  readonly note: string;
  /** Absent: the last one. */
  readonly proof?: string;
}

const last = 'select id from ledger_proofs where tenant_id = $1 order by at desc, id desc limit 1';

export const operations = {
  /** The ledger of one Tenant, or of all, in one snapshot and without writing. */
  async verify(deployment: Deployment, { tenant }: Partial<OfTenant>) {
    const database = await deployment.database();
    if (tenant === undefined) return verifyLedger(database.pool);
    await findTenant(database, tenant);
    return verifyLedger(database.pool, { tenantId: tenant });
  },

  /** Asks an admin to acknowledge what a kept proof has found (rules/invariants#28). */
  acknowledge: (deployment: Deployment, given: Acknowledging) =>
    asked(deployment, 'acknowledge', given),

  /** Asks an admin to take an acknowledgement back (rules/invariants#30). */
  takeBack: (deployment: Deployment, given: Acknowledging & { readonly proof: string }) =>
    asked(deployment, 'take_back', given),
};

async function asked(
  deployment: Deployment,
  move: 'acknowledge' | 'take_back',
  { tenant, proof, note }: Acknowledging,
): Promise<Approval> {
  const parts = await deployment.parts();
  await findTenant(parts, tenant);
  const engine = await deployment.engine();
  const found = await parts.pool.query<{ id: string }>(last, [tenant]);
  const id = proof ?? found.rows[0]?.id;
  if (id === undefined)
    throw new Fault('no proof of this ledger is kept', 'A worker keeps one each night.');
  const command = createApproval({ ...parts, engine }, openAskedMoves(parts), openCaseCheck(parts));
  const told = { act: 'createApproval', event: 'approval_requested', names: ['id'] } as const;
  const input = { resource: 'ledger-proofs', id, move, note };
  return submitted<Approval, typeof input>(deployment, tenant, told, command, input);
}
