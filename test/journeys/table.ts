/**
 * Makes ids the same in every run: `pay_0198…` is `pay_1` where it is the first payment to appear,
 * whatever the page says of it later.
 */
export function numberIds(): (text: string) => string {
  const known = new Map<string, string>();
  const counts = new Map<string, number>();
  return (text) =>
    text.replaceAll(/\b([a-z]+)_[0-9a-f]{32}\b/g, (id, prefix: string) => {
      const number = (counts.get(prefix) ?? 0) + 1;
      const name = known.get(id) ?? `${prefix}_${number}`;
      if (!known.has(id)) counts.set(prefix, number);
      known.set(id, name);
      return name;
    });
}

export type Row = readonly string[];

export interface Table {
  /** One that begins with `>` is of figures, which stand to the right. */
  readonly headings: readonly string[];
  readonly rows: readonly Row[];
}

/** A table in Markdown that is as readable in its source. */
export function table({ headings, rows }: Table): string[] {
  const columns = headings.map((heading, at) => {
    const isRight = heading.startsWith('>');
    const title = heading.slice(Number(isRight));
    const lengths = rows.map((row) => row[at]?.length ?? 0);
    return { title, isRight, width: Math.max(3, title.length, ...lengths) };
  });
  const line = (cellOf: (column: (typeof columns)[number], at: number) => string) =>
    `| ${columns.map(cellOf).join(' | ')} |`;
  return [
    line(({ title, isRight, width }) => (isRight ? title.padStart(width) : title.padEnd(width))),
    line(({ isRight, width }) => (isRight ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))),
    ...rows.map((row) =>
      line(({ isRight, width }, at) =>
        isRight ? (row[at] ?? '').padStart(width) : (row[at] ?? '').padEnd(width),
      ),
    ),
  ];
}
