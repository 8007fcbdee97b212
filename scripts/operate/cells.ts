import { keyChecks } from '../../service/config/key_rings.ts';
import { completeConfig } from '../../service/config/secrets.ts';
import { fail } from '../../service/core/fail.ts';
import { schemaFault } from '../../service/db/cell.ts';
import { cellsOf, type FoundCell, urlOfCell, withClient } from '../../service/db/cells.ts';
import { identityFault } from '../../service/db/identity.ts';
import { planMigrations } from '../../service/db/migration_plan.ts';
import { serviceRole } from '../../service/db/service_role.ts';
import type { Deployment } from './deployment.ts';
import { Fault } from './fault.ts';
import { applyTo } from './migrations.ts';

/** What stands behind `#` of DATABASE_URL is asked of the session: the url holds it in its options. */
const ownCell = (url: string): Promise<string> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select coalesce(current_schema(), current_setting('search_path')) as name`,
    );
    return rows[0]?.name ?? '';
  });

/** DATABASE_URL for the processes of a cell, without its password. @throws Fault without a DATABASE_URL */
function addressOf({ settings }: Deployment, name: string): string {
  if (settings.databaseUrl === null)
    throw new Fault(
      "the sandbox's own database has one cell alone",
      'Set DATABASE_URL to a database of yours.',
    );
  const address = new URL(settings.databaseUrl);
  address.password = '';
  const others = (address.searchParams.get('options') ?? '')
    .split(/\s*-c\s+/)
    .filter((option) => option !== '' && !option.startsWith('search_path='));
  if (others.length === 0) address.searchParams.delete('options');
  else address.searchParams.set('options', others.map((option) => `-c ${option}`).join(' '));
  address.hash = name;
  return address.href;
}

const waitingIn = async (url: string, { name }: FoundCell) =>
  (await planMigrations(urlOfCell(url, name))).waiting;

const lacksRights = ({ name }: FoundCell): string =>
  `The role ${serviceRole} may not use it. Run as the owner of the database: ` +
  `grant usage on schema ${name} to ${serviceRole};`;

/** What keeps processes of these settings from serving a cell, a sentence each. */
async function faultsOf(deployment: Deployment, cell: FoundCell): Promise<string[]> {
  const { settings } = deployment;
  const url = urlOfCell(await deployment.ownerUrl(), cell.name);
  const { waiting, unknown, obstacles } = await planMigrations(url);
  const keys = keyChecks(await completeConfig(settings));
  const identity = await withClient(url, (client) =>
    identityFault(client, settings.environment, keys),
  );
  return [
    ...(waiting.length > 0 ? [`Migrations wait: ${waiting.join(', ')}.`] : []),
    ...(unknown.length > 0 ? [`A newer release applied: ${unknown.join(', ')}.`] : []),
    ...obstacles,
    ...(identity === null ? [] : [`${identity}.`]),
    ...(cell.isServed ? [] : [lacksRights(cell)]),
  ];
}

/** The cells of the database that the settings name (rules/cells). */
export const operations = {
  async list(deployment: Deployment) {
    const url = await deployment.ownerUrl();
    const own = await ownCell(url);
    const cells = [];
    for (const cell of await cellsOf(url)) {
      const { name, tenants, bytes } = cell;
      const waiting = await waitingIn(url, cell);
      cells.push({ name, tenants, bytes, waiting, is_own: name === own });
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
    const address = addressOf(deployment, name);
    const url = await deployment.ownerUrl();
    if ((await cellsOf(url)).some((cell) => cell.name === name))
      throw refuse('taken', `the database has the cell ${name} already`);
    const applied = await applyTo(deployment, urlOfCell(url, name), name);
    return { name, applied, database_url: address };
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
    const cells = [];
    for (const cell of await cellsOf(await deployment.ownerUrl()))
      cells.push({ name: cell.name, faults: await faultsOf(deployment, cell) });
    return { ok: cells.every(({ faults }) => faults.length === 0), cells };
  },
};
