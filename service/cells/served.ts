import type { Config } from '../config/config.ts';
import { inSchema, withOptions } from '../db/cell.ts';

type Settings = Pick<Config, 'cells' | 'roles' | 'workerCells'>;

/** A cell of a process: what reaches it, and what the process does for it. */
export interface CellSettings {
  readonly databaseUrl: string;
  readonly roles: Config['roles'];
}

/** SQL reads it as the cells whose Tenants count as served (`control.served_tenants`). */
const servedSetting = 'tenant_payments.cells';

function rolesIn(cell: string, { roles, workerCells }: Settings): Config['roles'] {
  if (workerCells === null || workerCells.includes(cell)) return roles;
  return new Set([...roles].filter((role) => role !== 'worker'));
}

/**
 * The cells that the settings name (rules/cells#9, 11), without those for which this process does nothing.
 * @param databaseUrl of the database; it names the cell itself where the settings name none
 */
export function servedCells(settings: Settings, databaseUrl: string): readonly CellSettings[] {
  const { cells, roles } = settings;
  if (cells.length === 0) return [{ databaseUrl, roles }];
  const all = withOptions(databaseUrl, `-c ${servedSetting}=${cells.join(',')}`);
  return cells
    .map((cell) => ({ databaseUrl: inSchema(all, cell), roles: rolesIn(cell, settings) }))
    .filter((cell) => cell.roles.size > 0);
}

/** The addresses to migrate, one for each cell. */
export const migratedUrls = ({ cells }: Pick<Config, 'cells'>, url: string): readonly string[] =>
  cells.length === 0 ? [url] : cells.map((cell) => inSchema(url, cell));
