import { maximumFaces } from '@tenant-payments/contract/core/faces.ts';
import { assert } from '@tenant-payments/engine/fail.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import { shownTo } from '../../serve/read.ts';
import { csvColumns, type Faced } from './csv_columns.ts';
import { listFaces } from './faces.ts';

/** Records with their faces as the reader may see them, asked for in parts as a page asks for them. */
async function withFaces(context: ReadContext, records: object[]): Promise<Faced[]> {
  const show = shownTo(context.actor.roles);
  const ids = records.map((record) => String((record as Faced['record']).id));
  const found: Awaited<ReturnType<typeof listFaces>>['data'] = [];
  for (let at = 0; at < ids.length; at += maximumFaces) {
    const some = ids.slice(at, at + maximumFaces).join(',');
    found.push(...show((await listFaces(context, { ids: some })).data));
  }
  const faces = new Map(found.map((face) => [face.id, face]));
  return show(records).map((record, at) => ({
    record: record as Faced['record'],
    face: faces.get(ids[at] ?? ''),
  }));
}

/** The file of a list of records. */
export function recordFile(table: string) {
  const columns = csvColumns[table];
  assert(columns, `the file of ${table} has columns`);
  return { name: table, columns, rowsOf: withFaces };
}
