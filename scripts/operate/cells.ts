import type { Client } from 'pg';
import { keyChecks } from '../../service/config/key_rings.ts';
import { completeConfig } from '../../service/config/secrets.ts';
import { fail } from '../../service/core/fail.ts';
import { addressOfCell, schemaFault } from '../../service/db/cell.ts';
import { cellsOf, type FoundCell, urlOfCell, withClient } from '../../service/db/cells.ts';
import { identityFault } from '../../service/db/identity.ts';
import { planMigrations, waitingMigrations } from '../../service/db/migration_plan.ts';
import { serviceRole } from '../../service/db/service_role.ts';
import type { Deployment } from './deployment.ts';
import { applyTo } from './migrations.ts';

/** What stands behind `#` of DATABASE_URL is asked of the session: the url holds it in its options. */
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
async function servedOf({ settings }: Deployment, url: string): Promise<readonly string[]> {
  return settings.cells.length > 0 ? settings.cells : [await ownCell(url)];
}

const lacksRights = ({ name }: FoundCell): string =>
  `The role ${serviceRole} may not use it. Run as the owner of the database: ` +
  `grant usage on schema ${name} to ${serviceRole};`;

/** What keeps processes from serving a cell, a sentence each. @param url of the cell */
async function faultsOf(
  url: string,
  cell: FoundCell,
  fits: (client: Client) => Promise<string | null>,
): Promise<string[]> {
  const { waiting, unknown, obstacles } = await planMigrations(url);
  // What is compared may be in a table that waits to be made.
  const misfit = waiting.length > 0 ? null : await withClient(url, fits);
  return [
    ...(waiting.length > 0 ? [`Migrations wait: ${waiting.join(', ')}.`] : []),
    ...(unknown.length > 0 ? [`A newer release applied: ${unknown.join(', ')}.`] : []),
    ...obstacles,
    ...(misfit === null ? [] : [`${misfit}.`]),
    ...(cell.isServed ? [] : [lacksRights(cell)]),
  ];
}

/** The cells of the database that the settings name (rules/cells). */
export const operations = {
  async list(deployment: Deployment) {
    const url = await deployment.ownerUrl();
    const served = await servedOf(deployment, url);
    const cells = [];
    for (const cell of await cellsOf(url)) {
      const { name, tenants, bytes } = cell;
      const waiting = await waitingMigrations(urlOfCell(url, name));
      cells.push({ name, tenants, bytes, waiting, is_own: served.includes(name) });
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
    const url = await deployment.ownerUrl();
    const served = await servedOf(deployment, url);
    if ((await cellsOf(url)).some((cell) => cell.name === name))
      throw refuse('taken', `the database has the cell ${name} already`);
    const applied = await applyTo(deployment, urlOfCell(url, name), name);
    return { name, applied, served, database_url: addressFor(deployment, name) };
  },

  /** One cell after the other; what one could not do ends the command, and those before it stay. */
  async migrate(deployment: Deployment) {
    const url = await deployment.ownerUrl();
    const cells = [];
    for (const { name } of await cellsOf(url))
      cells.push({ name, applied: await applyTo(deployment, urlOfCell(url, name), name) });
    return { cells };
  },

  async check(deployment: Deployment) {
    const url = await deployment.ownerUrl();
    const keys = keyChecks(await completeConfig(deployment.settings));
    const { environment } = deployment.settings;
    const fits = (client: Client) => identityFault(client, environment, keys);
    const cells = [];
    for (const cell of await cellsOf(url)) {
      const { name } = cell;
      cells.push({ name, faults: await faultsOf(urlOfCell(url, name), cell, fits) });
    }
    return { ok: cells.every(({ faults }) => faults.length === 0), cells };
  },
};
