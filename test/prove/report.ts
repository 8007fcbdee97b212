import type { Proof, Verdict } from './proof.ts';

/** A proof as it came out, as the table's row has it: whole by itself, whatever ran when. */
export interface Row {
  readonly key: string;
  readonly fault: string;
  readonly promise: string;
  readonly rounds: string;
  readonly violations: string;
  readonly figures: string;
  readonly seconds: string;
  readonly seed: string;
  readonly date: string;
  readonly machine: string;
}

const columns = [
  ['proof', 'key'],
  ['what is done', 'fault'],
  ['what must hold', 'promise'],
  ['rounds', 'rounds'],
  ['violations', 'violations'],
  ['figures', 'figures'],
  ['seconds', 'seconds'],
  ['seed', 'seed'],
  ['date', 'date'],
  ['machine', 'machine'],
] as const satisfies readonly (readonly [string, keyof Row])[];

/** Everything below it is written by `npm run prove`; what stands above is written by hand. */
export const marker = '<!-- Written by `npm run prove`; edit only what stands above this line. -->';

export interface Circumstances {
  readonly seed: number;
  readonly seconds: number;
  /** `2026-11-21`. */
  readonly date: string;
  readonly machine: string;
}

const figuresOf = ({ figures = {} }: Verdict): string =>
  Object.entries(figures)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');

export function rowOf(
  { key, fault, promise }: Proof,
  verdict: Verdict,
  around: Circumstances,
): Row {
  return {
    key,
    fault,
    promise,
    rounds: String(verdict.rounds),
    violations: String(verdict.violations.length),
    figures: figuresOf(verdict),
    seconds: String(Math.round(around.seconds)),
    seed: String(around.seed),
    date: around.date,
    machine: around.machine,
  };
}

/** A bar within a cell would end it. */
const written = (cell: string): string => cell.replaceAll('|', '/');

/** The rows as a Markdown table, its columns one below the other as the formatter wants them. */
export function tableOf(rows: readonly Row[]): string {
  const lines = [
    columns.map(([title]) => title as string),
    ...rows.map((row) => columns.map(([, field]) => written(row[field]))),
  ];
  const widths = columns.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[], fill: string) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(' | ')} |`;
  const [head = [], ...body] = lines;
  return [
    line(head, ' '),
    line(
      columns.map(() => ''),
      '-',
    ),
    ...body.map((cells) => line(cells, ' ')),
  ].join('\n');
}

/** The rows of a page that `pageOf` wrote; none where there is no table. */
export function rowsOf(page: string): Row[] {
  const table = page.split(marker)[1] ?? '';
  const lines = table.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) => {
    const cells = line.slice(2, -2).split(' | ');
    const pairs = columns.map(([, field], column) => [field, (cells[column] ?? '').trim()]);
    return Object.fromEntries(pairs) as Row;
  });
}

/**
 * The page with the rows of this run; those of other proofs stay as they were, in the proofs' order.
 * Rows of proofs that are no more go.
 */
export function pageOf(page: string, rows: readonly Row[], keys: readonly string[]): string {
  const [byHand = ''] = page.split(marker);
  const known = new Map([...rowsOf(page), ...rows].map((row) => [row.key, row]));
  const kept = keys.flatMap((key) => known.get(key) ?? []);
  return `${byHand.trimEnd()}\n\n${marker}\n\n${tableOf(kept)}\n`;
}
