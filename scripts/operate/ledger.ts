import { verifyLedger } from '../../service/invariants/verify.ts';
import type { Deployment } from './deployment.ts';
import { findTenant, type OfTenant } from './tenant.ts';

export const operations = {
  /** The ledger of one Tenant, or of all, in one snapshot and without writing. */
  async verify(deployment: Deployment, { tenant }: Partial<OfTenant>) {
    const database = await deployment.database();
    if (tenant === undefined) return verifyLedger(database.pool);
    await findTenant(database, tenant);
    return verifyLedger(database.pool, { tenantId: tenant });
  },
};
