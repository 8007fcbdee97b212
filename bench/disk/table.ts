import { table } from '../report.ts';
import { type Sizes, sumOf, totalOf } from './sizes.ts';

/** Bytes of a payment at the moments that are compared. */
export interface DiskMoments {
  /** The payment as it lies on the disk after the load. */
  readonly written: Sizes;
  /** With every page full: at once, after 30 days, and after 400. */
  readonly packed: Sizes;
  readonly after30Days: Sizes;
  readonly after400Days: Sizes;
}

/** Less than this in every column is not worth a line: bytes of a payment. */
const shownFrom = 5;

const whole = (bytes: number): string => bytes.toFixed(0);
const none = { rows: 0, indexes: 0 };

/** The bytes of a payment in each table, the largest first. */
export function diskTable(moments: DiskMoments): string {
  const { written, packed, after30Days, after400Days } = moments;
  const later = [packed, after30Days, after400Days];
  const of = (sizes: Sizes, name: string) => totalOf(sizes.get(name) ?? none);
  const names = [...written.keys()]
    .filter((name) => [written, ...later].some((sizes) => Math.abs(of(sizes, name)) >= shownFrom))
    .sort((a, b) => of(written, b) - of(written, a));
  const lines = names.map((name) => {
    const { rows, indexes } = written.get(name) ?? none;
    return [
      name,
      ...[rows, indexes, rows + indexes].map(whole),
      ...later.map((s) => whole(of(s, name))),
    ];
  });
  const sums = [written, ...later].map((sizes) => whole(sumOf(sizes)));
  return table([
    ['bytes of a payment', 'rows', 'indexes', 'together', 'packed', '30 days', '400 days'],
    ...lines,
    ['all tables', '', '', ...sums],
  ]);
}
