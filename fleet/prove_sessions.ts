import { proveSessions } from '@tenant-payments/engine/database/session.ts';
import { isAway } from '@tenant-payments/service/cells/peers.ts';
import type { ParsedConfig } from '@tenant-payments/service/config/config.ts';
import { migratedCells, servedCells } from './served.ts';

type Settings = Pick<
  ParsedConfig,
  'cells' | 'remoteCells' | 'controlUrl' | 'roles' | 'workerCells' | 'migrationDatabaseUrl'
>;

/** A database of the settings. */
export interface Named {
  readonly setting: string;
  readonly url: string;
  /** The process starts without it (rules/cells#24). */
  readonly mayBeAway: boolean;
}

/** Each database that the settings name. @param databaseUrl that of `DATABASE_URL` */
export function databasesOf(settings: Settings, databaseUrl: string): readonly Named[] {
  const { remoteCells, migrationDatabaseUrl } = settings;
  const settingOf = (prefix: string, cell: string | null): Omit<Named, 'url'> =>
    cell !== null && remoteCells.has(cell)
      ? { setting: `${prefix}DATABASE_URL_${cell.toUpperCase()}`, mayBeAway: true }
      : { setting: `${prefix}DATABASE_URL`, mayBeAway: false };
  const served = servedCells(settings, databaseUrl).map((cell) => ({
    ...settingOf('', cell.cell),
    url: cell.databaseUrl,
  }));
  if (migrationDatabaseUrl === null) return served;
  const migrated = migratedCells(settings, migrationDatabaseUrl).map(({ name, url }) => ({
    ...settingOf('MIGRATION_', name),
    url,
  }));
  return [...served, ...migrated];
}

/**
 * Connects to each database that the settings name, and proves what a session there is.
 * @param atStart true: a remote cell that is away is no fault
 * @returns one line for each fault, which names its setting
 */
export async function sessionFaults(
  settings: Settings,
  databaseUrl: string,
  { atStart = false } = {},
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { setting, url, mayBeAway } of databasesOf(settings, databaseUrl))
    await proveSessions(url).catch((error: Error & { code?: string }) => {
      if (atStart && mayBeAway && isAway(error)) return;
      faults.push(`${setting}: ${error.message || error.code}`);
    });
  return [...new Set(faults)];
}
