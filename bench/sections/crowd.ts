import { type Bench, openBench } from '../bench.ts';
import { checkLedger } from '../ledger_check.ts';
import { runRounds } from '../measure/rounds.ts';
import type { RunName } from '../measure/runs.ts';
import { startReceiver } from '../receiver/receiver.ts';
import { runTable } from '../report.ts';
import { manyTenants } from '../setup/furnish.ts';
import { compareDelays, setEndpoints } from '../webhooks/slow_endpoint.ts';
import type { Figures, Section, SectionOrder } from './section.ts';

const loadKey = 'payments_1000_tenants_vs_1';
const delayKey = 'slow_endpoint_p99';
const runs = ['payments_1tenant_c128', 'payments_1000tenants_c128'] as const satisfies RunName[];

/** The same load on one Tenant and on a thousand. @returns the ratio of each round */
async function compareLoads(bench: Bench, rounds: number): Promise<number[]> {
  const held = await runRounds(bench, runs, rounds);
  bench.say(runTable({ runs: held }));
  const rate = (round: (typeof held)[number], name: RunName) =>
    round[name]?.perSecond ?? Number.NaN;
  return held.map((round) => rate(round, runs[1]) / rate(round, runs[0]));
}

async function measure({ folder, rounds, chosen, say }: SectionOrder): Promise<Figures> {
  const needs = { needsReference: false, needsSecond: false, canProfile: false };
  const bench = await openBench({ dataDir: folder, ...needs, say, furnish: manyTenants });
  const receiver = await startReceiver();
  try {
    const ratios = chosen.has(loadKey) ? await compareLoads(bench, rounds) : [];
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
