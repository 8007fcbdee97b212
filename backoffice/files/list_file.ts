import { Readable } from 'node:stream';
import type { Page, Pages, Position } from '@tenant-payments/engine/pages.ts';
import { timesIn } from '@tenant-payments/engine/time/query_times.ts';
import { csvLine } from '@tenant-payments/service/http/files/csv.ts';
import type { Download } from '@tenant-payments/service/http/files/downloads.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';

/** A column of a list's file: its heading, as on the page, and its cell. */
export interface CsvColumn<Row> {
  readonly name: string;
  readonly cell: (row: Row) => unknown;
}

/** Cents as dollars with a point. It is no string, so that a spreadsheet can add up negative amounts too. */
export const dollars = (cents: unknown): unknown =>
  typeof cents === 'number' ? { toString: () => (cents / 100).toFixed(2) } : null;

/** A name of the service as a page shows it. */
export const inWords = (name: unknown): string => String(name ?? '').replaceAll('_', ' ');

async function* linesOf<Row>(
  columns: readonly CsvColumn<Row>[],
  parts: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield csvLine(columns.map(({ name }) => name));
  for await (const rows of parts)
    yield rows.map((row) => csvLine(columns.map(({ cell }) => cell(row)))).join('');
}

/** Rows as a file, written while it is sent (rules/portal-records#15). */
export const csvFile = <Row>(
  name: string,
  columns: readonly CsvColumn<Row>[],
  parts: AsyncIterable<readonly Row[]>,
): Download => ({
  contentType: 'text/csv; charset=utf-8; header=present',
  fileName: `${name}.csv`,
  open: async () => Readable.from(linesOf(columns, parts), { objectMode: false }),
});

/** Reads a list page by page to its end. It keeps the position itself, without cursors. */
async function* everyPage<Item>(
  readPage: (pages: Pages) => Promise<Page<Item>>,
): AsyncGenerator<Item[]> {
  let last: Position | null = null;
  do {
    let next: Position | null = null;
    const pages: Pages = {
      after: () => last,
      page(rows, limit, present, readTo = null) {
        const isFull = rows.length > limit;
        const shown = rows.slice(0, limit);
        next = (isFull ? shown.at(-1) : readTo) ?? null;
        const data = shown.map(present);
        return { object: 'list', data, has_more: next !== null, next_cursor: null };
      },
    };
    yield (await readPage(pages)).data;
    last = next;
  } while (last !== null);
}

export interface FileQuery {
  readonly format?: 'json' | 'csv' | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

interface FileOptions<Item, Row> {
  readonly name: string;
  readonly columns: readonly CsvColumn<Row>[];
  /** The rows of a page's items, as the reader may see them. */
  readonly rowsOf: (context: ReadContext, items: Item[]) => Promise<readonly Row[]>;
  readonly rowsAtOnce?: number;
}

/**
 * A list that is read page by page, or whole as a file with `format=csv`.
 * @returns a read that throws what the list throws; it refuses a wrong time before it begins a file
 */
export const alsoAsFile =
  <Query extends FileQuery, Item, Row>(
    list: (context: ReadContext, query: Query) => Promise<Page<Item>>,
    { name, columns, rowsOf, rowsAtOnce = 500 }: FileOptions<Item, Row>,
  ) =>
  async (context: ReadContext, query: Query): Promise<Page<Item> | Download> => {
    const { format, cursor: _, ...filters } = query;
    if (format !== 'csv') return list(context, query);
    timesIn(query);
    async function* parts() {
      const wanted = { ...filters, limit: rowsAtOnce } as unknown as Query;
      for await (const items of everyPage((pages) => list({ ...context, pages }, wanted)))
        yield await rowsOf(context, items);
    }
    return csvFile(name, columns, parts());
  };
