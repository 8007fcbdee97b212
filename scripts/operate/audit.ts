import { auditFaults, type Head, verifyAudit } from '../../backoffice/audit/verify.ts';
import type { Deployment } from './deployment.ts';

interface ToVerify {
  /** A Tenant's id, or `platform`; absent: every chain. */
  readonly scope?: string;
  /** The head that the log gave. */
  readonly head?: Head;
}

export const operations = {
  /** The chains of the audit, in one snapshot and without writing. */
  async verify(deployment: Deployment, given: ToVerify) {
    const { pool } = await deployment.database();
    const { faults, ...proof } = await verifyAudit(pool, given);
    const told = faults.map((one) => ({ ...one, meaning: auditFaults[one.fault] }));
    return { ...proof, faults: told };
  },
};
