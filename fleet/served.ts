import { inSchema, withOptions } from '@tenant-payments/engine/database/cell.ts';
import type { Config } from '@tenant-payments/service/config/config.ts';

type Settings = Pick<Config, 'cells' | 'remoteCells' | 'roles' | 'workerCells'> &
  Partial<Pick<Config, 'databaseReadUrl'>>;

/** A cell of a process: what reaches it, and what the process does for it. */
export interface CellSettings {
  /** Null: the one that `DATABASE_URL` names. */
  readonly cell: string | null;
  readonly databaseUrl: string;
  /** A standby of it; null: none. */
  readonly readUrl: string | null;
  /** The database of control; null: the same one. */
  readonly controlUrl: string | null;
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
 * @param databaseUrl of the database of control; it names the cell itself where the settings name none
 */
export function servedCells(settings: Settings, databaseUrl: string): readonly CellSettings[] {
  const { cells, remoteCells, roles, databaseReadUrl: readUrl = null } = settings;
  if (cells.length === 0) return [{ cell: null, databaseUrl, readUrl, controlUrl: null, roles }];
  const served = (url: string) => withOptions(url, `-c ${servedSetting}=${cells.join(',')}`);
  return cells
    .map((cell) => {
      const remote = remoteCells.get(cell);
      return {
        cell,
        databaseUrl: inSchema(served(remote?.databaseUrl ?? databaseUrl), cell),
        readUrl: remote || readUrl === null ? null : inSchema(served(readUrl), cell),
        controlUrl: remote ? served(databaseUrl) : null,
        roles: rolesIn(cell, settings),
      };
    })
    .filter((cell) => cell.roles.size > 0);
}

/** Whether a process polls providers: it works, and serves the Tenant of any message that it finds (rules/rails#10). */
export const mayPoll = (settings: Settings): boolean =>
  settings.roles.has('worker') && settings.cells.every((cell) => rolesIn(cell, settings).size > 0);

/** A cell to migrate, as the owner of its tables reaches it. */
export interface CellToMigrate {
  /** Null: the one that `DATABASE_URL` names. */
  readonly name: string | null;
  readonly url: string;
  /** The database of control as the server of this cell reaches it; null: the same one. */
  readonly controlUrl: string | null;
  /** A node of Citus, which is given control alone: its cells are migrated by way of the coordinator. */
  readonly isNode?: true;
}

/**
 * The cells to migrate: those of the database of control first, since it must be up to date before the others.
 * @param url of that database, as the owner of its tables reaches it
 */
export function migratedCells(
  { cells, remoteCells, controlUrl }: Pick<Config, 'cells' | 'remoteCells' | 'controlUrl'>,
  url: string,
): readonly CellToMigrate[] {
  if (cells.length === 0) return [{ name: null, url, controlUrl: null }];
  const of = (name: string): CellToMigrate => {
    const remote = remoteCells.get(name);
    if (!remote) return { name, url: inSchema(url, name), controlUrl: null };
    const { migrationDatabaseUrl, databaseUrl } = remote;
    return { name, url: inSchema(migrationDatabaseUrl ?? databaseUrl, name), controlUrl };
  };
  const isRemote = (cell: string) => remoteCells.has(cell);
  return [...cells.filter((cell) => !isRemote(cell)), ...cells.filter(isRemote)].map(of);
}
