import { openBench } from '../bench.ts';
import { compareAway } from '../cells/away.ts';
import { checkLedger } from '../ledger_check.ts';
import { compareRates } from '../measure/compare.ts';
import type { RunName } from '../measure/runs.ts';
import { secondCell, tenantsOfTwoCells } from '../setup/furnish.ts';
import type { Figures, Section, SectionOrder } from './section.ts';

const loadKey = 'payments_2cells_vs_1cell';
const awayKey = 'cell_away_p99';
const runs = ['payments_1cell_c128', 'payments_2cells_c128'] as const satisfies RunName[];
const cells = ['public', secondCell];

/** One process serves both cells, the other the first alone, as where `CELLS` is not set. */
async function measure({ folder, rounds, chosen, say }: SectionOrder): Promise<Figures> {
  const needs = { needsReference: false, needsSecond: true, canProfile: false };
  const furnish = tenantsOfTwoCells;
  const bench = await openBench({ dataDir: folder, ...needs, cells, say, furnish });
  try {
    const loads = chosen.has(loadKey) ? await compareRates(bench, runs, rounds) : [];
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
