import { openBench } from '../bench.ts';
import { checkLedger } from '../ledger_check.ts';
import { compareRates } from '../measure/compare.ts';
import type { RunName } from '../measure/runs.ts';
import { startReceiver } from '../receiver/receiver.ts';
import { manyTenants } from '../setup/furnish.ts';
import { compareDelays, setEndpoints } from '../webhooks/slow_endpoint.ts';
import type { Figures, Section, SectionOrder } from './section.ts';

const loadKey = 'payments_1000_tenants_vs_1';
const delayKey = 'slow_endpoint_p99';
const runs = ['payments_1tenant_c128', 'payments_1000tenants_c128'] as const satisfies RunName[];

async function measure({ folder, rounds, chosen, say }: SectionOrder): Promise<Figures> {
  const needs = { needsReference: false, needsSecond: false, canProfile: false };
  const bench = await openBench({ dataDir: folder, ...needs, say, furnish: manyTenants });
  const receiver = await startReceiver();
  try {
    const ratios = chosen.has(loadKey) ? await compareRates(bench, runs, rounds) : [];
    if (chosen.has(delayKey)) await setEndpoints(bench, receiver);
    const delays = chosen.has(delayKey) ? await compareDelays(bench, receiver, rounds) : [];
    const { checked, seconds } = await checkLedger(bench.database);
    say(`every invariant holds: ${checked} rows checked in ${seconds.toFixed(1)} s`);
    return { [loadKey]: ratios, [delayKey]: delays };
  } finally {
    await bench.close();
    receiver.stop();
  }
}

/** Figures of a deployment with a thousand Tenants. */
export const crowdSection: Section = { keys: [loadKey, delayKey], measure };
