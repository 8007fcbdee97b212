import type { Values } from '../entity.ts';
import { type AnyTable, columnList } from '../table.ts';

/** A way to look rows up: by which columns, and whether there can be many. */
export interface Path {
  readonly table: AnyTable;
  readonly name: string;
  readonly by: readonly string[];
  readonly text: string;
}

/** By the table itself: another one of its name reads other columns. */
const paths = new Map<AnyTable, Map<string, Path>>();

export function pathOf(table: AnyTable, name: string, by: readonly string[]): Path {
  const ofTable = paths.get(table) ?? new Map<string, Path>();
  paths.set(table, ofTable);
  const known = ofTable.get(name);
  if (known) return known;
  const id = `${table.name}.${name}`;
  const types = by.map((column) => table.columns[column]?.pg ?? 'text');
  const arrays = ['uuid', ...types].map((type, index) => `$${index + 1}::${type}[]`);
  const on = by.map((column) => ` and t.${column} = k.${column}`).join('');
  const only = table.setOnly[name] ? ` where ${table.setOnly[name]}` : '';
  const made: Path = {
    table,
    name: id,
    by,
    text: `select ${columnList(table, 't')} from unnest(${arrays.join(', ')}) k(${['tenant_id', ...by].join(', ')}) join ${table.name} t on t.tenant_id = k.tenant_id${on}${only}`,
  };
  ofTable.set(name, made);
  return made;
}

/** The name under which a scope knows the answer to a look-up. */
export const keyText = (path: Path, tenantId: string, values: readonly unknown[]) =>
  `${path.name}|${tenantId}|${values.join('|')}`;

/** The way to a declared set. */
export const setPathOf = (table: AnyTable, name: string): Path =>
  pathOf(table, name, name === 'all' ? [] : [name]);

const pathsOfTables = new Map<AnyTable, readonly Path[]>();

/** Every way in which a row of a table can be looked up: by key, unique key or declared set. */
export function pathsOf(table: AnyTable): readonly Path[] {
  const known = pathsOfTables.get(table);
  if (known) return known;
  const made = [
    keyPathOf(table),
    ...Object.entries(table.unique).map(([name, by]) => pathOf(table, name, by)),
    ...table.sets.map((name) => setPathOf(table, name)),
  ];
  pathsOfTables.set(table, made);
  return made;
}

/** The name under which a path finds this row. */
export function keyOfRow(path: Path, tenantId: string, row: Values): string {
  const [only = ''] = path.by;
  const values = path.by.length === 1 ? [row[only]] : path.by.map((column) => row[column]);
  return keyText(path, tenantId, values);
}

const keyPaths = new Map<AnyTable, Path>();

/** The way by primary key. */
export function keyPathOf(table: AnyTable): Path {
  const known = keyPaths.get(table);
  if (known) return known;
  const made = pathOf(table, 'key', table.key);
  keyPaths.set(table, made);
  return made;
}

/** The row's name by its primary key. */
export const primaryKey = (table: AnyTable, tenantId: string, row: Values): string =>
  keyOfRow(keyPathOf(table), tenantId, row);
