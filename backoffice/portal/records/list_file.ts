import { Readable } from 'node:stream';
import { maximumFaces } from '@tenant-payments/contract/core/faces.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import type { Page, Pages, Position } from '@tenant-payments/engine/pages.ts';
import { csvLine } from '@tenant-payments/service/http/files/csv.ts';
import type { Download } from '@tenant-payments/service/http/files/downloads.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { shownTo } from '../../serve/read.ts';
import { csvColumns } from './csv_columns.ts';
import { listFaces } from './faces.ts';

type Shown = Readonly<Record<string, unknown>>;
type ReadPage = (pages: Pages, limit: number) => Promise<Page<object>>;

const rowsAtOnce = 500;

/** The faces of these records as the reader may see them, asked for in parts as a page asks for them. */
async function facesOf(context: ReadContext, ids: readonly string[]) {
  const show = shownTo(context.actor.roles);
  const found: Awaited<ReturnType<typeof listFaces>>['data'] = [];
  for (let at = 0; at < ids.length; at += maximumFaces) {
    const some = ids.slice(at, at + maximumFaces).join(',');
    found.push(...show((await listFaces(context, { ids: some })).data));
  }
  return new Map(found.map((face) => [face.id, face]));
}

async function* linesOf(context: ReadContext, table: string, readPage: ReadPage) {
  const columns = csvColumns[table];
  assert(columns, `the file of ${table} has columns`);
  const show = shownTo(context.actor.roles);
  yield csvLine(columns.map(({ name }) => name));
  let behind: Position | null = null;
  do {
    let next: Position | null = null;
    const pages: Pages = {
      after: () => behind,
      page(rows, limit, present, readTo = null) {
        const isFull = rows.length > limit;
        const shown = rows.slice(0, limit);
        next = (isFull ? shown.at(-1) : readTo) ?? null;
        const data = shown.map(present);
        return { object: 'list', data, has_more: next !== null, next_cursor: null };
      },
    };
    const { data } = await readPage(pages, rowsAtOnce);
    const records = data as Shown[];
    const ids = records.map(({ id }) => String(id));
    const faces = await facesOf(context, ids);
    const lines = show(records).map((record, at) => {
      const face = faces.get(ids[at] ?? '');
      return csvLine(columns.map(({ cell }) => cell(record, face)));
    });
    yield lines.join('');
    behind = next;
  } while (behind !== null);
}

/** A list of records as a file, whole and as it is filtered, written while it is sent (rules/portal-records#15). */
export const listFile = (context: ReadContext, table: string, readPage: ReadPage): Download => ({
  contentType: 'text/csv; charset=utf-8; header=present',
  fileName: `${table}.csv`,
  open: async () => Readable.from(linesOf(context, table, readPage), { objectMode: false }),
});
