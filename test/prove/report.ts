import type { ProofResult } from './proof.ts';
import type { Proof } from './proofs.ts';

/** The columns of the table: title and field. */
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
] as const;

/** One run of a proof; each row is complete by itself, since rows may come from different runs. */
export type Row = Readonly<Record<(typeof columns)[number][1], string>>;

/** Everything below it is written by `npm run prove`; what stands above is written by hand. */
export const marker = '<!-- Written by `npm run prove`; edit only what stands above this line. -->';

export interface Circumstances {
  readonly seed: number;
  readonly seconds: number;
  /** `2026-11-21`. */
  readonly date: string;
  readonly machine: string;
}

export function rowOf(
  { key, fault, promise }: Pick<Proof, 'key' | 'fault' | 'promise'>,
  { rounds, violations, figures = {} }: Omit<ProofResult, 'postgres'>,
  { seed, seconds, date, machine }: Circumstances,
): Row {
  return {
    key,
    fault,
    promise,
    rounds: String(rounds),
    violations: String(violations.length),
    figures: Object.entries(figures)
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
    seconds: String(Math.round(seconds)),
    seed: String(seed),
    date,
    machine,
  };
}

/** The rows as a Markdown table with aligned columns. A bar within a cell would end it. */
export function tableOf(rows: readonly Row[]): string {
  const lines = [
    columns.map(([title]) => title as string),
    ...rows.map((row) => columns.map(([, field]) => row[field].replaceAll('|', '/'))),
  ];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const line = (cells: readonly string[], fill = ' ') =>
    `| ${widths.map((width, at) => (cells[at] ?? '').padEnd(width, fill)).join(' | ')} |`;
  const [head = [], ...body] = lines;
  return [line(head), line([], '-'), ...body.map((cells) => line(cells))].join('\n');
}

/** The rows of a page that `pageOf` wrote; none where there is no table. */
export function rowsOf(page: string): Row[] {
  const table = page.split(marker)[1] ?? '';
  const lines = table.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) => {
    const cells = line.slice(2, -2).split(' | ');
    return Object.fromEntries(
      columns.map(([, field], at) => [field, (cells[at] ?? '').trim()]),
    ) as Row;
  });
}

/** The page with the rows of this run; rows of other proofs stay, those of unknown keys go. */
export function pageOf(page: string, rows: readonly Row[], keys: readonly string[]): string {
  const [byHand = ''] = page.split(marker);
  const known = new Map([...rowsOf(page), ...rows].map((row) => [row.key, row]));
  const kept = keys.flatMap((key) => known.get(key) ?? []);
  return `${byHand.trimEnd()}\n\n${marker}\n\n${tableOf(kept)}\n`;
}
