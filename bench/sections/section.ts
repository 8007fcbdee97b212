import type { KeyName } from '../keys.ts';

/** The order given to a section. */
export interface SectionOrder {
  /** A folder of its own that does not exist yet; its parent does. */
  readonly folder: string;
  readonly rounds: number;
  readonly chosen: ReadonlySet<KeyName>;
  /** How long the longest load lasts, in seconds. */
  readonly longSeconds: number;
  readonly say: (line: string) => void;
}

/** Each round of each figure; a figure that could not be measured is absent. */
export type Figures = Partial<Record<KeyName, readonly number[]>>;

/** Figures that one setup measures together, with a service of its own. */
export interface Section {
  readonly keys: readonly KeyName[];
  readonly measure: (order: SectionOrder) => Promise<Figures>;
}
