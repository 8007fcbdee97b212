import { openBench } from '../bench.ts';
import { checkLedger } from '../ledger_check.ts';
import { overload } from '../overload/overload.ts';
import { equalTenants } from '../setup/furnish.ts';
import type { Section } from './section.ts';

const tenants = { count: 2, payers: 200, merchants: 40 };

/** Five times as many requests as can be served. */
export const overloadSection: Section = {
  keys: ['overload_goodput', 'overload_recovery_seconds'],
  async measure({ folder, rounds, say }) {
    const needs = { needsReference: false, needsSecond: false, canProfile: false };
    const furnish = equalTenants(tenants);
    const bench = await openBench({ dataDir: folder, ...needs, say, furnish });
    try {
      const goodput: number[] = [];
      const recovery: number[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        const held = await overload(bench);
        goodput.push(held.goodput);
        recovery.push(held.recovery);
      }
      const { checked } = await checkLedger(bench.database);
      say(`every invariant holds: ${checked} rows checked`);
      return { overload_goodput: goodput, overload_recovery_seconds: recovery };
    } finally {
      await bench.close();
    }
  },
};
