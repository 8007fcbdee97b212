import type { ReactNode } from 'react';
import type { Step, Unit } from './figures.ts';

export interface Series {
  readonly name: string;
  readonly shade: 'good' | 'warning' | 'bad' | 'money';
  /** A figure for each column. */
  readonly values: readonly number[];
}

/** The page that a column leads to: the list of what it counts. */
export interface Way {
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
}

export interface ChartProps {
  /** The name of the counted things, such as `Requests`. */
  readonly label: string;
  /** The time that the columns cover, such as `last 24 hours`. */
  readonly span: string;
  readonly step: Step;
  readonly unit: Unit;
  /** Hours or days, the oldest first. */
  readonly columns: readonly string[];
  readonly series: readonly Series[];
  readonly wayOf: (column: string) => Way;
  /** Beside the sums, such as a link. */
  readonly children?: ReactNode;
}
