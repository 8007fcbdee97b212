import { type Bench, openBench } from '../bench.ts';
import { compareAway } from '../cells/away.ts';
import { checkLedger } from '../ledger_check.ts';
import { runRounds } from '../measure/rounds.ts';
import type { RunName } from '../measure/runs.ts';
import { runTable } from '../report.ts';
import { secondCell, tenantsOfTwoCells } from '../setup/furnish.ts';
import type { Figures, Section, SectionOrder } from './section.ts';

const loadKey = 'payments_2cells_vs_1cell';
const awayKey = 'cell_away_p99';
const runs = ['payments_1cell_c128', 'payments_2cells_c128'] as const satisfies RunName[];
const cells = ['public', secondCell];

/** The same load on both cells and on one. @returns the ratio of each round */
async function compareLoads(bench: Bench, rounds: number): Promise<number[]> {
  const held = await runRounds(bench, runs, rounds);
  bench.say(runTable({ runs: held }));
  const rate = (round: (typeof held)[number], name: RunName) =>
    round[name]?.perSecond ?? Number.NaN;
  return held.map((round) => rate(round, runs[1]) / rate(round, runs[0]));
}

/** One process serves both cells, the other the first alone, as where `CELLS` is not set. */
async function measure({ folder, rounds, chosen, say }: SectionOrder): Promise<Figures> {
  const needs = { needsReference: false, needsSecond: true, canProfile: false };
  const furnish = tenantsOfTwoCells;
  const bench = await openBench({ dataDir: folder, ...needs, cells, say, furnish });
  try {
    const loads = chosen.has(loadKey) ? await compareLoads(bench, rounds) : [];
    const away = chosen.has(awayKey) ? await compareAway(bench, rounds) : [];
    for (const cell of cells) {
      const { checked, seconds } = await checkLedger(bench.database, cell);
      say(`every invariant of ${cell} holds: ${checked} rows checked in ${seconds.toFixed(1)} s`);
    }
    return { [loadKey]: loads, [awayKey]: away };
  } finally {
    await bench.close();
  }
}

/** A deployment whose Tenants are in two cells of one database. */
export const cellsSection: Section = { keys: [loadKey, awayKey], measure };
