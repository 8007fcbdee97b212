import type pg from 'pg';
import { verifyLedger } from '../../../service/invariants/verify.ts';

/** Proves every invariant of the whole ledger. @throws with the violated ones */
export async function proveLedger(pool: pg.Pool): Promise<void> {
  const { ok, violations } = await verifyLedger(pool);
  if (!ok) throw new Error(`the ledger is broken:\n${JSON.stringify(violations, null, 2)}`);
}
