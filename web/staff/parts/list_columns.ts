/** Kinds of cells, which say how much place one takes and how long it stays a column. */
export type CellKind = 'text' | 'state' | 'money' | 'number' | 'time' | 'id';

/** The place that a column asks for; list_row.tsx adds how it shows a row. */
export interface ColumnFacts {
  readonly name: string;
  /** The side at which numbers stand. */
  readonly align?: 'right';
  /** Absent: a text. */
  readonly kind?: CellKind;
  /** Pixels, where its kind does not say it. */
  readonly width?: number;
  /** 1: always a column of its own. The others fold, the highest number first; absent: by its kind. */
  readonly priority?: 1 | 2 | 3;
}

const ofKind: Readonly<Record<CellKind, { readonly width: number; readonly priority: number }>> = {
  text: { width: 130, priority: 2 },
  state: { width: 168, priority: 1 },
  money: { width: 118, priority: 1 },
  number: { width: 86, priority: 2 },
  time: { width: 176, priority: 1 },
  id: { width: 108, priority: 3 },
};

/** The first column names the row: it is wide, and never folds. */
const firstWidth = 190;

/** Below so many pixels a row is a card. */
export const cardsBelow = 600;

/** The width of a column, by its own facts, its kind and its place in the list. */
const widthOf = ({ width, kind = 'text' }: ColumnFacts, at: number): number =>
  width ?? (at === 0 ? firstWidth : ofKind[kind].width);
const priorityOf = ({ priority, kind = 'text' }: ColumnFacts, at: number): number =>
  at === 0 ? 1 : (priority ?? ofKind[kind].priority);

export interface Placed<Column> {
  readonly shown: readonly Column[];
  /** Pixels of each that is shown; together they fill the frame. */
  readonly widths: readonly number[];
  /**
   * The columns that have no place beside the others: they make the second line of the first one.
   */
  readonly folded: readonly Column[];
}

/** Which columns stand beside each other in a frame so wide: the last of those that matter least fold first. */
export function placed<Column extends ColumnFacts>(
  columns: readonly Column[],
  frame: number,
): Placed<Column> {
  const all = columns.map((column, at) => ({
    column,
    width: widthOf(column, at),
    priority: priorityOf(column, at),
  }));
  const left = [...all];
  const sum = () => left.reduce((total, { width }) => total + width, 0);
  while (sum() > frame) {
    const lowest = Math.max(...left.map(({ priority }) => priority));
    if (lowest === 1) break;
    left.splice(
      left.findLastIndex(({ priority }) => priority === lowest),
      1,
    );
  }
  const total = sum();
  // The room that is left goes to texts, most of it to the first column; in a narrow frame all
  // columns shrink alike.
  const grows = left.map(({ column: { kind = 'text' } }, at) =>
    at === 0 ? 3 : kind === 'text' ? 1 : 0,
  );
  const parts = grows.reduce<number>((whole, part) => whole + part, 0);
  const widths = left.map(({ width }, at) =>
    total > frame
      ? Math.floor((width * frame) / total)
      : Math.floor(width + ((frame - total) * (grows[at] ?? 0)) / parts),
  );
  const folded = all.filter((one) => !left.includes(one)).map(({ column }) => column);
  return { shown: left.map(({ column }) => column), widths, folded };
}

/** A card: its heading with an amount at its end, its state and time below, and the facts in lines. */
export interface CardOf<Column> {
  readonly title: Column | undefined;
  readonly amount: Column | undefined;
  readonly state: Column | undefined;
  readonly time: Column | undefined;
  /** The columns that have a line of their own each. */
  readonly long: readonly Column[];
  /** Two in a line. */
  readonly short: readonly Column[];
}

const isLong = ({ kind = 'text', width = 0 }: ColumnFacts): boolean =>
  kind === 'time' || width > ofKind.text.width;

/** How the facts of a row stand on a card. */
export function cardOf<Column extends ColumnFacts>([
  title,
  ...rest
]: readonly Column[]): CardOf<Column> {
  const of = (kind: CellKind) => rest.filter((column) => column.kind === kind);
  const first = (kind: CellKind) =>
    of(kind).find(({ priority = 1 }) => priority === 1) ?? of(kind)[0];
  const [amount, state, time] = [first('money'), first('state'), first('time')];
  const facts = rest.filter((column) => ![amount, state, time].includes(column));
  return {
    title,
    amount,
    state,
    time,
    long: facts.filter((column) => isLong(column)),
    short: facts.filter((column) => !isLong(column)),
  };
}

const [oneLine, twoLines] = [44, 60];
const [cardFrame, cardHeading, cardLine] = [25, 28, 24];

/** The height of every row in pixels: a list of any length knows without measuring where a row lies. */
export function heightOf(columns: readonly ColumnFacts[], frame: number): number {
  if (frame >= cardsBelow) return placed(columns, frame).folded.length > 0 ? twoLines : oneLine;
  const { state, time, long, short } = cardOf(columns);
  const lines = (state || time ? 1 : 0) + long.length + Math.ceil(short.length / 2);
  return cardFrame + cardHeading + lines * cardLine;
}
