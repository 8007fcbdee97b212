import { usualSchema } from '@tenant-payments/engine/database/cell.ts';
import type { Config } from '@tenant-payments/service/config/config.ts';
import { makeControl, migrate } from '@tenant-payments/service/db/migrate.ts';
import { nodesOf, placementOf, throughCoordinator } from './placement.ts';
import { type CellToMigrate, migratedCells } from './served.ts';

type Settings = Pick<Config, 'cells' | 'remoteCells' | 'controlUrl' | 'isOnCitus'>;

/** Citus: each cell by way of the coordinator, then control on each node, where any cell may be moved to. */
async function cellsOfCitus(url: string, controlUrl: string | null): Promise<CellToMigrate[]> {
  const home = { name: usualSchema, url, controlUrl: null };
  const cells = (await placementOf(url)).map(({ cell }) => ({
    name: cell,
    url: throughCoordinator(url, cell),
    controlUrl: null,
  }));
  const nodes = (await nodesOf(url)).map(
    (node) => ({ name: null, url: node, controlUrl, isNode: true }) as const,
  );
  return [home, ...cells, ...nodes];
}

/**
 * The cells to migrate, in this order.
 * @param url of the database of control, as the owner of the tables reaches it
 */
export const cellsToMigrate = async (
  settings: Settings,
  url: string,
): Promise<readonly CellToMigrate[]> =>
  settings.isOnCitus ? cellsOfCitus(url, settings.controlUrl) : migratedCells(settings, url);

/** Brings a cell, or control on a node, up to date. @param tell is told what a migration waits for */
export async function migrateCell(
  { url, controlUrl, isNode }: CellToMigrate,
  tell: (line: string) => void,
): Promise<{ readonly applied: readonly string[] }> {
  if (!isNode || controlUrl === null) return migrate(url, { controlUrl, tell });
  await makeControl(url, controlUrl);
  return { applied: [] };
}
