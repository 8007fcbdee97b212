import type { Key } from './keys/key.ts';
import { keys } from './keys.ts';
import type { Footprint } from './measure/footprint.ts';
import type { Machine } from './measure/machine.ts';
import type { Round, Run } from './measure/runs.ts';

/** A figure in the form of the bench's JSON (rules/operations#38). */
export interface Result {
  readonly value: number;
  readonly unit: string;
  readonly better: Key['better'];
  readonly must: number | null;
  readonly goal: number | null;
  readonly rounds: readonly number[];
}

export interface BenchReport {
  readonly machine: Machine;
  readonly results: Readonly<Record<string, Result>>;
  /** Each run of each round, from which the figures are computed. */
  readonly runs: readonly Round[];
  /** The writes of one completed payment; absent where no payment was made. */
  readonly footprint?: Footprint;
}

const significantDigits = 4;
const rounded = (value: number): number => Number(value.toPrecision(significantDigits));

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[middle - 1], sorted[middle]];
  if (high === undefined) return Number.NaN;
  return sorted.length % 2 === 1 || low === undefined ? high : (low + high) / 2;
}

/**
 * The median of a figure's rounds with its must and goal. Without pgbench these are null, since
 * they were set against it.
 */
export function resultOf(key: Key, rounds: readonly number[], hasLimits: boolean): Result {
  const { unit, better } = key;
  const marks = hasLimits ? { must: key.must, goal: key.goal } : { must: null, goal: null };
  return { value: rounded(median(rounds)), unit, better, ...marks, rounds: rounds.map(rounded) };
}

const meets = ({ value, better }: Result, mark: number): boolean =>
  better === 'higher' ? value >= mark : value <= mark;

/** Whether every must is met, in one line. */
export function conclusionOf({ results }: BenchReport): string {
  const limited = Object.entries(results).filter(([, { must }]) => must !== null);
  const missed = limited.filter(([, result]) => !meets(result, result.must ?? result.value));
  if (missed.length > 0) return `NOT MET: ${missed.map(([key]) => key).join(', ')}`;
  return limited.length > 0 ? 'Every must is met.' : 'No figure here has a must.';
}

function markOf(result: Result): string {
  if (result.must !== null && !meets(result, result.must)) return 'not met';
  if (result.goal !== null && meets(result, result.goal)) return 'goal met';
  return result.must === null ? '' : 'met';
}

/** Columns side by side, the first one aligned left, the others right. */
export function table(rows: readonly (readonly string[])[]): string {
  const [head] = rows;
  const widths = (head ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  return rows.map(line).join('\n');
}

export function resultTable({ results }: BenchReport): string {
  const head = ['key', 'median', 'unit', 'must', 'goal', '', 'rounds'];
  const rows = keys.flatMap(({ key }) => {
    const result = results[key];
    if (!result) return [];
    const sign = result.better === 'higher' ? '>=' : '<=';
    const limit = (mark: number | null) => (mark === null ? '-' : `${sign} ${mark}`);
    return [
      [
        key,
        String(result.value),
        result.unit,
        limit(result.must),
        limit(result.goal),
        markOf(result),
        result.rounds.join(' '),
      ],
    ];
  });
  return table([head, ...rows]);
}

const whole = (value: number | null): string => (value === null ? '-' : value.toFixed(0));
const tenths = (value: number | null): string => (value === null ? '-' : value.toFixed(1));

const columns: readonly [string, (run: Run) => string][] = [
  ['per second', (run) => whole(run.perSecond)],
  ['seconds', (run) => tenths(run.seconds)],
  ['p50 ms', (run) => tenths(run.p50Ms)],
  ['p99 ms', (run) => tenths(run.p99Ms)],
  ['us service', (run) => whole(run.serviceCpu)],
  ['us database', (run) => whole(run.databaseCpu)],
  ['us client', (run) => whole(run.clientCpu)],
  ['log bytes', (run) => whole(run.walBytes)],
];

/** Every run; microseconds are of processor time for one operation. */
export function runTable({
  runs,
}: {
  readonly runs: readonly Readonly<Record<string, Run>>[];
}): string {
  const rows = runs.flatMap((round, index) =>
    Object.entries(round).map(([name, run]) => [
      `${index + 1} ${name}`,
      ...columns.map(([, cell]) => cell(run)),
    ]),
  );
  return table([['round, run', ...columns.map(([title]) => title)], ...rows]);
}
