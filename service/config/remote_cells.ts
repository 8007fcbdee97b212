import type { Environment, Faults, Readers } from './values.ts';

/** A cell whose tables are not in the database of `DATABASE_URL` (rules/cells#21). */
export interface RemoteCell {
  readonly databaseUrl: string;
  /** The login that owns the tables; null: that of `databaseUrl` migrates. */
  readonly migrationDatabaseUrl: string | null;
}

/** The settings of cells in databases of their own. */
export interface RemoteCells {
  readonly remoteCells: ReadonlyMap<string, RemoteCell>;
  /** The database of control as the servers of those cells, or Citus's nodes, reach it; null: there are none. */
  readonly controlUrl: string | null;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** `DATABASE_URL_CELL_B` is that of `cell_b`. */
const suffixOf = (cell: string): string => `_${cell.toUpperCase()}`;
const ofOneCell = /^(?:MIGRATION_)?DATABASE_URL(_.+)$/;

/** A misspelt name would make a cell's tables in the database of control. */
function reportStrangers(cells: readonly string[], env: Variables, faults: Faults): void {
  const suffixes = cells.map(suffixOf);
  for (const [name, text] of Object.entries(env)) {
    const suffix = ofOneCell.exec(name)?.[1];
    if (!text || !suffix) continue;
    // A command works on one cell: then the addresses of the others stand there too.
    if (cells.length !== 1 && !suffixes.includes(suffix))
      faults.push(`${name} is the address of a cell that CELLS does not name`);
    if (text.includes('#')) faults.push(`${name} names the cell, so its value names none behind #`);
  }
}

function reportPlaces(
  [first, ...others]: readonly string[],
  found: ReadonlyMap<string, RemoteCell>,
  env: Variables,
  faults: Faults,
): void {
  const [remote] = found.keys();
  if (remote !== undefined && !env.DATABASE_URL)
    faults.push(`DATABASE_URL${suffixOf(remote)} needs DATABASE_URL, which is not set`);
  if (others.length > 0 && found.has(first ?? ''))
    faults.push('CELLS must name first a cell in the database of DATABASE_URL');
}

/** @param given those that `CELLS` names; null: those of Citus, which says where they are */
export function remoteCellsOf(
  given: readonly string[] | null,
  env: Variables,
  { databaseUrl: urlIn }: Pick<Readers, 'databaseUrl'>,
  environment: Environment,
  faults: Faults,
): RemoteCells {
  const cells = given ?? [];
  reportStrangers(cells, env, faults);
  const remoteCells = new Map<string, RemoteCell>();
  for (const cell of cells) {
    const [setting, migrating] = [
      `DATABASE_URL${suffixOf(cell)}`,
      `MIGRATION_DATABASE_URL${suffixOf(cell)}`,
    ];
    const databaseUrl = urlIn(setting, environment);
    const migrationDatabaseUrl = urlIn(migrating, environment);
    if (databaseUrl !== null) remoteCells.set(cell, { databaseUrl, migrationDatabaseUrl });
    else if (migrationDatabaseUrl !== null)
      faults.push(`${migrating} is used with ${setting} alone, which is not set`);
  }
  reportPlaces(cells, remoteCells, env, faults);
  if (given === null && !env.DATABASE_URL)
    faults.push('CELLS=citus needs DATABASE_URL: the database of the coordinator');
  if (given !== null && remoteCells.size === 0) return { remoteCells, controlUrl: null };
  const controlUrl = urlIn('CONTROL_DATABASE_URL', environment) ?? env.DATABASE_URL ?? null;
  return { remoteCells, controlUrl };
}
