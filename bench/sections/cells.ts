import { openBench } from '../bench.ts';
import { checkLedger } from '../ledger_check.ts';
import { runRounds } from '../measure/rounds.ts';
import type { RunName } from '../measure/runs.ts';
import { runTable } from '../report.ts';
import { secondCell, tenantsOfTwoCells } from '../setup/furnish.ts';
import type { Figures, Section, SectionOrder } from './section.ts';

const key = 'payments_2cells_vs_1cell';
const runs = ['payments_1cell_c128', 'payments_2cells_c128'] as const satisfies RunName[];
const cells = ['public', secondCell];

/** One process serves both cells, the other the first alone, as where `CELLS` is not set. */
async function measure({ folder, rounds, say }: SectionOrder): Promise<Figures> {
  const needs = { needsReference: false, needsSecond: true, canProfile: false };
  const bench = await openBench({
    ...{ dataDir: folder, ...needs, cells, say },
    furnish: tenantsOfTwoCells,
  });
  try {
    const held = await runRounds(bench, runs, rounds);
    bench.say(runTable({ runs: held }));
    for (const cell of cells) {
      const { checked, seconds } = await checkLedger(bench.database, cell);
      say(`every invariant of ${cell} holds: ${checked} rows checked in ${seconds.toFixed(1)} s`);
    }
    const rate = (round: (typeof held)[number], name: RunName) =>
      round[name]?.perSecond ?? Number.NaN;
    return { [key]: held.map((round) => rate(round, runs[1]) / rate(round, runs[0])) };
  } finally {
    await bench.close();
  }
}

/** A deployment whose Tenants are in two cells of one database. */
export const cellsSection: Section = { keys: [key], measure };
