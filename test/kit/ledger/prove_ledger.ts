import type pg from 'pg';
import { verifyAudit } from '../../../backoffice/audit/verify.ts';
import { verifyLedger } from '../../../service/invariants/verify.ts';

/**
 * Proves every invariant of the whole ledger, and every chain of the audit.
 * @param except tenants whose ledgers are not proven
 * @throws with what is wrong
 */
export async function proveLedger(pool: pg.Pool, except: readonly string[] = []): Promise<void> {
  const { ok, violations } = await verifyLedger(pool, { except });
  if (!ok) throw new Error(`the ledger is broken:\n${JSON.stringify(violations, null, 2)}`);
  const { faults } = await verifyAudit(pool);
  if (faults.length > 0) throw new Error(`the audit is broken:\n${JSON.stringify(faults)}`);
}
