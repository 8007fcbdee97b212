import type { Client } from 'pg';
import { addressOfCell, schemaFault } from '../../engine/database/cell.ts';
import { fail } from '../../engine/fail.ts';
import { cellsOf, type FoundCell, urlOfCell, withClient } from '../../fleet/cells.ts';
import { throughCoordinator } from '../../fleet/placement.ts';
import type { CellToMigrate } from '../../fleet/served.ts';
import { keyChecks } from '../../service/config/key_rings.ts';
import { completeConfig } from '../../service/config/secrets.ts';
import { identityFault } from '../../service/db/identity.ts';
import { planMigrations, waitingMigrations } from '../../service/db/migration_plan.ts';
import { serviceRole } from '../../service/db/service_role.ts';
import type { Deployment } from './deployment.ts';
import { applyTo } from './migrations.ts';

/** The cell behind `#` of DATABASE_URL, asked of the session: the url holds it in its options. */
const ownCell = (url: string): Promise<string> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select coalesce(current_schema(), current_setting('search_path')) as name`,
    );
    return rows[0]?.name ?? '';
  });

/** DATABASE_URL for processes of one cell alone, without its password; null: of a sandbox's own database. */
const addressFor = ({ settings: { databaseUrl } }: Deployment, name: string): string | null =>
  databaseUrl === null ? null : addressOfCell(databaseUrl, name);

/** The cells that processes of these settings serve. */
async function servedOf(deployment: Deployment, url: string): Promise<readonly string[]> {
  const { settings } = deployment;
  if (settings.isOnCitus) return (await placedCells(deployment)).map(({ name }) => name);
  return settings.cells.length > 0 ? settings.cells : [await ownCell(url)];
}

const lacksRights = ({ name }: FoundCell): string =>
  `The role ${serviceRole} may not use it. Run as the owner of the database: ` +
  `grant usage on schema ${name} to ${serviceRole};`;

/** The faults that keep processes from serving a cell, a sentence each. */
async function faultsOf(
  { url, ...cell }: PlacedCell,
  fits: (client: Client) => Promise<string | null>,
): Promise<string[]> {
  const { waiting, unknown, obstacles } = await planMigrations(url);
  // The compared rows may be in a table that waits to be made.
  const misfit = waiting.length > 0 ? null : await withClient(url, fits);
  return [
    ...(waiting.length > 0 ? [`Migrations wait: ${waiting.join(', ')}.`] : []),
    ...(unknown.length > 0 ? [`A newer release applied: ${unknown.join(', ')}.`] : []),
    ...obstacles,
    ...(misfit === null ? [] : [`${misfit}.`]),
    ...(cell.isServed ? [] : [lacksRights(cell)]),
  ];
}

/** The database that an address names. */
function databaseIn(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return [host, pathname, searchParams.get('host'), searchParams.get('port')].join(' ');
}

/** A cell of one of the databases that the settings name. */
type PlacedCell = FoundCell & CellToMigrate;

/** Every cell of the database of control, then those of the others. */
async function placedCells(deployment: Deployment): Promise<PlacedCell[]> {
  const databases = new Map<string, CellToMigrate>();
  for (const cell of await deployment.cellsToMigrate())
    if (!cell.isNode && !databases.has(databaseIn(cell.url)))
      databases.set(databaseIn(cell.url), cell);
  const placed: PlacedCell[] = [];
  for (const { url, controlUrl } of databases.values())
    for (const cell of await cellsOf(url))
      placed.push({ ...cell, url: urlOfCell(url, cell.name), controlUrl });
  return placed;
}

/** The place where a cell of this name is made: at its own address, or else in the database of control. */
async function placeOf(deployment: Deployment, name: string): Promise<CellToMigrate> {
  const named = (await deployment.cellsToMigrate()).find((cell) => cell.name === name);
  const url = await deployment.ownerUrl();
  const isOnCitus = deployment.settings.isOnCitus;
  const beside = isOnCitus ? throughCoordinator(url, name) : urlOfCell(url, name);
  return named ?? { name, url: beside, controlUrl: null };
}

/** Gives control to each node of Citus. */
async function prepareNodes(deployment: Deployment): Promise<void> {
  for (const place of await deployment.cellsToMigrate())
    if (place.isNode) await applyTo(deployment, place);
}

/** The cells of the databases that the settings name (rules/cells). */
export const operations = {
  async list(deployment: Deployment) {
    const served = await servedOf(deployment, await deployment.ownerUrl());
    const cells = [];
    for (const { name, tenants, bytes, url, controlUrl } of await placedCells(deployment)) {
      const waiting = await waitingMigrations(url);
      const is_own = served.includes(name);
      cells.push({ name, tenants, bytes, waiting, is_own, is_remote: controlUrl !== null });
    }
    return { cells };
  },

  /** @throws ApiError parameter_invalid {param: name} where it can be no cell, or is one */
  async create(deployment: Deployment, { name }: { readonly name: string }) {
    const refuse = (reason: string, message: string) =>
      fail('parameter_invalid', { param: 'name', details: { reason }, message });
    if (schemaFault(name) !== null)
      throw refuse(
        'format',
        'a name has up to 63 small letters, digits and _, begins with no digit, and is not control or pg_…',
      );
    const place = await placeOf(deployment, name);
    const served = await servedOf(deployment, await deployment.ownerUrl());
    // Cells of all databases: the directory knows a cell by its name alone.
    if ((await placedCells(deployment)).some((cell) => cell.name === name))
      throw refuse('taken', `there is a cell ${name} already`);
    const applied = await applyTo(deployment, place, name);
    await prepareNodes(deployment);
    const { isOnCitus } = deployment.settings;
    const database_url = isOnCitus ? null : addressFor(deployment, name);
    return { name, applied, served, is_on_citus: isOnCitus, database_url };
  },

  /** One cell after the other; what one could not do ends the command, and those before it stay. */
  async migrate(deployment: Deployment) {
    const cells = [];
    for (const cell of await placedCells(deployment))
      cells.push({ name: cell.name, applied: await applyTo(deployment, cell, cell.name) });
    await prepareNodes(deployment);
    return { cells };
  },

  async check(deployment: Deployment) {
    const keys = keyChecks(await completeConfig(deployment.settings));
    const { environment } = deployment.settings;
    const fits = (client: Client) => identityFault(client, environment, keys);
    const cells = [];
    for (const cell of await placedCells(deployment))
      cells.push({ name: cell.name, faults: await faultsOf(cell, fits) });
    return { ok: cells.every(({ faults }) => faults.length === 0), cells };
  },
};
