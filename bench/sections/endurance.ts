import { openBench } from '../bench.ts';
import { endure, type Second } from '../endurance/endure.ts';
import { checkLedger } from '../ledger_check.ts';
import { median, table } from '../report.ts';
import { fewTenants } from '../setup/furnish.ts';
import type { Section } from './section.ts';

const windowSeconds = 10;

/** Payments of each ten seconds, wherever they begin. */
const windowsOf = (seconds: readonly Second[]): number[] =>
  seconds
    .slice(windowSeconds - 1)
    .map((_, from) =>
      seconds.slice(from, from + windowSeconds).reduce((sum, { ended }) => sum + ended, 0),
    );

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** One line for each ten seconds: the figures that fall together say what fell. */
function tableOf(seconds: readonly Second[]): string {
  const rows = seconds.flatMap((_, from) => {
    if (from % windowSeconds !== 0) return [];
    const window = seconds.slice(from, from + windowSeconds);
    const least = Math.min(...window.map(({ ended }) => ended));
    const figures = [
      mean(window.map(({ ended }) => ended)),
      least,
      mean(window.map(({ serviceCpu }) => serviceCpu)),
      mean(window.map(({ databaseCpu }) => databaseCpu)),
    ];
    return [[`from ${from} s`, ...figures.map((figure) => figure.toFixed(0))]];
  });
  return table([['', 'per second', 'least', 'us service', 'us database'], ...rows]);
}

/** All kinds of payments, for so long that autovacuum, checkpoints and proofs come while they last. */
export const enduranceSection: Section = {
  keys: ['worst_10s_vs_median'],
  async measure({ folder, longSeconds, say }) {
    const needs = { needsReference: false, needsSecond: false, canProfile: false };
    const bench = await openBench({ dataDir: folder, ...needs, say, furnish: fewTenants });
    try {
      const seconds = await endure(bench, longSeconds);
      say(tableOf(seconds));
      const { checked } = await checkLedger(bench.database);
      say(`every invariant holds: ${checked} rows checked`);
      const windows = windowsOf(seconds);
      return { worst_10s_vs_median: [Math.min(...windows) / median(windows)] };
    } finally {
      await bench.close();
    }
  },
};
